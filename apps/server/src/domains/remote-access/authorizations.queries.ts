// Reads tables of other domains: devices, organizations.
import { sql } from 'kysely';
import type { Queries } from '../../platform/ports/database.ts';
import type { OpenSession } from './open-sessions.store.ts';

/** The present state of everything that an open session depends on. */
export interface Authorization {
  readonly id: string;
  readonly isOpen: boolean;
  /** Whether the organization still has the device, and the device the router. */
  readonly isOwned: boolean;
  readonly startedOn: string | null;
  readonly expiresOn: string | null;
  readonly presence: 'online' | 'offline' | 'unknown';
  readonly presenceSince: Date | null;
}

/** @param sessions those whose sockets this process has, of any organizations */
export async function readAuthorizations(queries: Queries, sessions: readonly OpenSession[]): Promise<Authorization[]> {
  const ids = sessions.map(({ id }) => id);
  const organizations = sessions.map(({ scope }) => scope.organizationId);
  const { rows } = await sql<Authorization>`
    select s.id, s.ended_at is null as "isOpen", d.id is not null as "isOwned", d.started_on::text as "startedOn",
      d.expires_on::text as "expiresOn", coalesce(d.presence, 'unknown') as presence, d.presence_since as "presenceSince"
    from unnest(${organizations}::uuid[], ${ids}::uuid[]) as n (organization_id, id)
    join remote_sessions s on s.organization_id = n.organization_id and s.id = n.id
    left join devices d on d.organization_id = s.organization_id and d.id = s.device_id and d.router_id = s.router_id
      and d.archived_at is null and exists (
        select 1 from organizations o where o.id = s.organization_id and o.deleted_at is null)`.execute(queries);
  return rows;
}
