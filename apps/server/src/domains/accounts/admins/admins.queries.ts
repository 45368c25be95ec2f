// Reads tables of other domains: visits.
import { sql } from 'kysely';
import type { Fragment } from '../../../platform/listing/index.ts';

/** Accounts `a` who may do all that their role allows: no guests (IAM-05), not limited (IAM-04), and without an own role (IAM-03). */
export const hasFullRole: Fragment = sql`not exists (select from account_limits l where l.account_id = a.id)
  and not exists (select from account_own_roles h where h.account_id = a.id)
  and not exists (select from visits g where g.account_id = a.id and g.organization_id = a.organization_id and g.ended_at is null)`;

/** Accounts `a` who are admins of an organization, belong to it, and see all of it. @param organizationId as a uuid */
export const isFullAdmin = (organizationId: Fragment): Fragment => sql`a.organization_id = ${organizationId}
  and ('r.' || ${organizationId}::text || '.super') = any(a.roles) and ${hasFullRole}`;
