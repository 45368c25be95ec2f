import type { Client } from 'pg';

// Facts of the table `installation`, which only the owner of the database may write.

/** Present while `highline restore` fills the database; its value is the time of the backup. */
export const RESTORING = 'restoring';

/** Present while `highline key rotate` seals values with another master key; its value is the check value of that key. */
export const ROTATING = 'master_key_rotation';

/** Store a text unless there is one. @returns the stored text */
export async function firstOf(client: Client, key: string, value: string): Promise<string> {
  await client.query('insert into installation (key, value) values ($1, to_jsonb($2::text)) on conflict (key) do nothing', [
    key,
    value,
  ]);
  return (await findFact(client, key)) ?? value;
}

/** Store a text in place of an earlier one. */
export async function storeFact(client: Client, key: string, value: string): Promise<void> {
  await client.query(
    'insert into installation (key, value) values ($1, to_jsonb($2::text)) on conflict (key) do update set value = excluded.value',
    [key, value],
  );
}

/** Undefined when it was never stored. */
export async function findFact(client: Client, key: string): Promise<string | undefined> {
  const { rows } = await client.query<{ value: string }>(
    'select value #>> array[]::text[] as value from installation where key = $1',
    [key],
  );
  return rows[0]?.value;
}
