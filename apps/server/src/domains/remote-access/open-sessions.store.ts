import { sql } from 'kysely';
import type { OrganizationScope } from '../../kernel/scope.ts';
import type { Queries } from '../../platform/ports/database.ts';

/** An open session of any user, for internal use. */
export interface OpenSession {
  readonly id: string;
  readonly scope: OrganizationScope;
}

type Row = { readonly id: string; readonly organizationId: string; readonly mainAccountId: string };

const scoped = (rows: readonly Row[]): OpenSession[] =>
  rows.map(({ id, organizationId, mainAccountId }) => ({ id, scope: { kind: 'organization', mainAccountId, organizationId } }));

/** Open sessions of this process's name. */
export async function listOwn(queries: Queries, node: string): Promise<OpenSession[]> {
  const { rows } = await sql<Row>`select id, organization_id as "organizationId", main_account_id as "mainAccountId"
    from remote_sessions where ended_at is null and node = ${node}`.execute(queries);
  return scoped(rows);
}

/** Open sessions of processes that were not seen since a time. */
export async function listAbandoned(queries: Queries, since: Date): Promise<OpenSession[]> {
  const { rows } = await sql<Row>`select s.id, s.organization_id as "organizationId", s.main_account_id as "mainAccountId"
    from remote_sessions s left join remote_nodes n on n.node = s.node
    where s.ended_at is null and coalesce(n.seen_at, s.opened_at) < ${since}::timestamptz`.execute(queries);
  return scoped(rows);
}
