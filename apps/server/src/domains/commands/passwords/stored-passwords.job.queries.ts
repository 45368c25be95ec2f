import { sql } from 'kysely';
import type { Sealing } from '../../../kernel/index.ts';
import type { Queries, Tx } from '../../../platform/ports/database.ts';

// Commands of every organization: each row has its own, and nothing is returned to a user.

/** A password that a command sets. */
export interface NewPassword {
  /** The command. */
  readonly id: string;
  readonly organizationId: string;
  readonly deviceId: string;
  readonly routerId: string;
  readonly username: string;
  readonly password: string;
}

/** Store passwords before their commands are sent; one that is stored already stays. */
export async function insertPasswords(tx: Tx, sealing: Sealing, passwords: readonly NewPassword[], now: Date): Promise<void> {
  if (passwords.length === 0) return;
  const rows = passwords.map(({ password, ...row }) => ({
    ...row,
    sealed: sealing.seal(row.id, Buffer.from(password, 'utf8')).toString('base64'),
  }));
  await sql`insert into router_passwords (id, organization_id, device_id, router_id, username, sealed, state, created_at)
    select n.id, n."organizationId", n."deviceId", n."routerId", n.username, decode(n.sealed, 'base64'), 'waiting', ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n (id uuid, "organizationId" uuid, "deviceId" uuid, "routerId" uuid,
      username text, sealed text)
    on conflict (id) do nothing`.execute(tx);
}

/** The password that a command sets; undefined when it was deleted with its device. */
export async function findPasswordOf(queries: Queries, sealing: Sealing, id: string): Promise<string | undefined> {
  const row = await queries.selectFrom('router_passwords').select('sealed').where('id', '=', id).executeTakeFirst();
  return row && sealing.open(id, row.sealed).toString('utf8');
}

/** How commands that set passwords ended, by their ids. */
export interface PasswordEnds {
  /** The router confirmed them: they are in use, and the others of the same users are not. */
  readonly set: readonly string[];
  /** The router may have them: they are stored along with those in use. */
  readonly unconfirmed: readonly string[];
  /** The router does not have them. */
  readonly unset: readonly string[];
  /** Routers whose sign-in is the default again. */
  readonly reset: readonly string[];
}

/** Write what became of passwords, in the transaction that ends their commands. */
export async function endPasswords(tx: Tx, { set, unconfirmed, unset, reset }: PasswordEnds, now: Date): Promise<void> {
  if (reset.length > 0) await forgetPasswords(tx, reset);
  if (unset.length > 0)
    await tx
      .deleteFrom('router_passwords')
      .where('id', 'in', [...unset])
      .execute();
  if (unconfirmed.length > 0)
    await tx
      .updateTable('router_passwords')
      .set({ state: 'unconfirmed' })
      .where('id', 'in', [...unconfirmed])
      .execute();
  if (set.length === 0) return;
  await sql`delete from router_passwords o using router_passwords n
    where n.id = any (${[...set]}::uuid[]) and o.router_id = n.router_id and o.username = n.username and o.id <> n.id
      and o.state <> 'waiting'`.execute(tx);
  await tx
    .updateTable('router_passwords')
    .set({ state: 'set', set_at: now })
    .where('id', 'in', [...set])
    .execute();
}

/** Delete the passwords of routers whose sign-in is the default again; those on their way stay. */
export async function forgetPasswords(tx: Tx, routerIds: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('router_passwords')
    .where('router_id', 'in', [...routerIds])
    .where('state', '<>', 'waiting')
    .execute();
}
