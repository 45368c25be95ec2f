import { sql } from 'kysely';
import type { MainScope, OrganizationScope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';

/** A policy to store. */
export interface PolicyValues {
  readonly needsFactor: boolean;
  readonly idleMinutes: number;
  readonly lifetimeHours: number;
  /** CIDR. */
  readonly ranges: readonly string[];
  readonly excepted: readonly string[];
}

/** Store the policy of a company that is locked. */
export async function putPolicy(
  tx: Tx,
  company: MainScope | OrganizationScope,
  policy: PolicyValues,
  by: string,
  now: Date,
): Promise<void> {
  const organization = company.kind === 'organization' ? company.organizationId : null;
  await sql`insert into sign_in_policies as p
      (company_id, main_account_id, organization_id, needs_factor, idle_minutes, lifetime_hours, ranges, excepted, changed_by_email, updated_at)
    values (${organization ?? company.mainAccountId}::uuid, ${company.mainAccountId}::uuid, ${organization}::uuid, ${policy.needsFactor},
      ${policy.idleMinutes}::int, ${policy.lifetimeHours}::int,
      array(select distinct network(r::inet)::cidr from unnest(${policy.ranges}::text[]) r), ${policy.excepted}::text[], ${by}, ${now})
    on conflict (company_id) do update set needs_factor = excluded.needs_factor, idle_minutes = excluded.idle_minutes,
      lifetime_hours = excluded.lifetime_hours, ranges = excluded.ranges, excepted = excluded.excepted,
      changed_by_email = excluded.changed_by_email, updated_at = excluded.updated_at, version = p.version + 1`.execute(tx);
}
