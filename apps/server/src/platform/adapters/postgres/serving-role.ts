import type { Client } from 'pg';
import { StartupError } from '../../settings/settings-file.ts';
import { sqlState } from './faults.ts';

/** Two databases of one cluster may create the role concurrently; the loser checks again. */
const LOST_A_RACE = new Set(['42710', '23505', 'XX000']);
const NOT_ALLOWED = '42501';

/**
 * Create the role `highline_serve` if missing (it cannot sign in by itself), and allow the owner to switch to it if requested.
 * Its privileges are granted table by table in the migrations; there are no default privileges.
 * @throws StartupError with the commands for an administrator when the owner lacks the right
 */
export async function ensureServingRole(client: Client, ownerServes: boolean, attempts = 5): Promise<void> {
  try {
    const { rowCount } = await client.query("select from pg_roles where rolname = 'highline_serve'");
    if (rowCount === 0) await client.query('create role highline_serve nologin');
    if (ownerServes && !(await mayStepDown(client))) await client.query('grant highline_serve to current_user');
  } catch (error) {
    const state = sqlState(error) ?? '';
    if (LOST_A_RACE.has(state) && attempts > 1) return ensureServingRole(client, ownerServes, attempts - 1);
    if (state !== NOT_ALLOWED) throw error;
    const { rows } = await client.query<{ owner: string }>('select quote_ident(current_user) as owner');
    throw new StartupError(
      `The user ${rows[0]?.owner} of DATABASE_URL may not set up the role highline_serve (${(error as Error).message}). As an administrator of that PostgreSQL, once: create role highline_serve nologin; grant highline_serve to ${rows[0]?.owner};`,
      { cause: error },
    );
  }
}

async function mayStepDown(client: Client): Promise<boolean> {
  // Since PostgreSQL 16, membership alone does not allow switching to the role.
  const { rows } = await client.query<{ may: boolean }>(`
    select pg_has_role('highline_serve',
      case when current_setting('server_version_num')::integer >= 160000 then 'set' else 'member' end) as may`);
  return rows[0]?.may === true;
}

/**
 * @param client connected as the owner
 * @param role the serving role
 * @throws StartupError when it could change or delete entries of the audit log, or could gain that right (DECISIONS, Audit)
 */
export async function assertCannotRewriteHistory(client: Client, role: string): Promise<void> {
  const { rows } = await client.query<{ could: boolean; serves: boolean }>(
    `select r.rolsuper or r.rolcreaterole or pg_has_role(r.oid, c.relowner, 'member')
        or has_table_privilege(r.oid, c.oid, 'update, delete, truncate, trigger')
        or has_any_column_privilege(r.oid, c.oid, 'update') as could,
      has_table_privilege(r.oid, c.oid, 'insert') as serves
    from pg_roles r, pg_class c where r.rolname = $1 and c.oid = 'audit_entries'::regclass`,
    [role],
  );
  const [found] = rows;
  if (found === undefined || found.could)
    throw new StartupError(
      `The role ${role} could change or delete entries of the audit log; Highline does not serve with it. It must be a member of highline_serve and of nothing else, without superuser and createrole.`,
    );
  if (!found.serves)
    throw new StartupError(
      `The role ${role} lacks the rights of highline_serve. As an administrator, once: grant highline_serve to ${role};`,
    );
}
