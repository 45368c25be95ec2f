import type { OpenedDatabase } from '../postgres/connect.ts';

/**
 * Store the retention of logs where the serving role can read but not change it: the database itself rejects deleting younger
 * entries.
 */
export async function applyLogRetention({ withOwner }: Pick<OpenedDatabase, 'withOwner'>, days: number): Promise<void> {
  await withOwner((client) =>
    client.query(
      "insert into installation (key, value) values ('log_retention_days', to_jsonb($1::integer)) on conflict (key) do update set value = excluded.value",
      [days],
    ),
  );
}
