import type { OpenedDatabase } from '../postgres/connect.ts';

/**
 * Write down how long logs are kept, where the serving role reads it and cannot change it: the database itself refuses to remove
 * anything younger.
 */
export async function settleLogRetention({ withOwner }: Pick<OpenedDatabase, 'withOwner'>, days: number): Promise<void> {
  await withOwner((client) =>
    client.query(
      "insert into installation (key, value) values ('log_retention_days', to_jsonb($1::integer)) on conflict (key) do update set value = excluded.value",
      [days],
    ),
  );
}
