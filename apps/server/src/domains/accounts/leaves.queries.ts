// Reads tables of other domains: alert_rules, api_keys, approvals, bulk_jobs, esim_profiles, links, router_backup_settings, router_password_settings, saved_reports, saved_views, sent_commands, summaries, usage_plans.
import type { leaves } from '@highline/contract';
import { sql } from 'kysely';
import type { Scope } from '../../kernel/scope.ts';
import type { Fragment } from '../../platform/listing/index.ts';
import type { Queries } from '../../platform/ports/database.ts';

/** How many of one kind there are. */
export interface LeftRow {
  readonly kind: leaves.LeftKind;
  readonly count: number;
}

/** Rows `x` of a table that are in the name of a person. */
interface Source {
  readonly table: Fragment;
  readonly where: Fragment;
  /** Also of a person of the main account, of whichever organization; otherwise of people of an organization alone. */
  readonly isOfMain?: true;
  /** The table has no main account; the person alone says whose rows they are. */
  readonly namesNoMain?: true;
}

/** Where the name of the person stands. */
const inNameOf = (column: Fragment, id: string): Fragment => sql`${column} ->> 'accountId' = ${id}`;

const sources = (person: string): Readonly<Record<leaves.LeftKind, Source>> => ({
  jobs: { table: sql`bulk_jobs x`, where: sql`x.ended_at is null and ${inNameOf(sql`x.actor`, person)}`, isOfMain: true },
  commands: { table: sql`sent_commands x`, where: sql`x.ended_at is null and ${inNameOf(sql`x.actor`, person)}` },
  switches: { table: sql`esim_profiles x`, where: inNameOf(sql`(x.use_author -> 'actor')`, person) },
  summaries: {
    table: sql`summaries x`,
    where: sql`x.next_at is not null and ${inNameOf(sql`x.author`, person)}`,
    isOfMain: true,
  },
  links: { table: sql`links x`, where: sql`x.ended_at is null and ${inNameOf(sql`x.author`, person)}`, isOfMain: true },
  keys: {
    table: sql`api_keys x`,
    where: sql`x.revoked_at is null and (x.expires_at is null or x.expires_at > now()) and x.made_by = ${person}::uuid`,
    isOfMain: true,
  },
  rules: {
    table: sql`alert_rules x`,
    where: inNameOf(sql`x.action_actor`, person),
    isOfMain: true,
  },
  plans: { table: sql`usage_plans x`, where: sql`x.action <> 'mail' and ${inNameOf(sql`x.actor`, person)}` },
  backups: { table: sql`router_backup_settings x`, where: sql`x.nightly and ${inNameOf(sql`x.author`, person)}` },
  passwords: { table: sql`router_password_settings x`, where: sql`x.automatic and ${inNameOf(sql`x.author`, person)}` },
  approvals: {
    table: sql`approvals x`,
    where: sql`x.state = 'waiting' and x.requested_by = ${person}::uuid`,
    isOfMain: true,
  },
  reports: {
    table: sql`saved_reports x`,
    where: sql`x.account_id = ${person}::uuid`,
    isOfMain: true,
    namesNoMain: true,
  },
  views: { table: sql`saved_views x`, where: sql`not x.is_shared and x.account_id = ${person}::uuid`, isOfMain: true },
});

/**
 * What goes on in the name of a person, or is the person's alone; kinds without any are left out.
 * @param scope the organization of the person, or the main account of one of its own people
 */
export async function countLeaves(queries: Queries, scope: Scope, accountId: string): Promise<LeftRow[]> {
  const isOfOrganization = scope.kind === 'organization';
  const within = ({ namesNoMain }: Source) => {
    if (isOfOrganization) return sql`x.organization_id = ${scope.organizationId}::uuid`;
    return namesNoMain === true ? sql`true` : sql`x.main_account_id = ${scope.mainAccountId}::uuid`;
  };
  const counts = Object.entries(sources(accountId))
    .filter(([, { isOfMain }]) => isOfOrganization || isOfMain === true)
    .map(
      ([kind, source]) =>
        sql`select ${kind}::text as kind, count(*)::int as count from ${source.table} where ${within(source)} and ${source.where}`,
    );
  const { rows } =
    await sql<LeftRow>`select c.kind, c.count from (${sql.join(counts, sql` union all `)}) c where c.count > 0`.execute(queries);
  return rows;
}
