// Reads tables of other domains: devices, organizations, routers, tool_runs.
// Statements of the job that runs the tests of rules, of every organization.
import { sql } from 'kysely';
import type { OrganizationScope } from '../../kernel/index.ts';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import type { Row } from '../../platform/ports/tables.ts';
import { inScope } from './kinds.job.queries.ts';

/** Devices that are begun with by one statement; more follow with the next run. */
const MOST_ADDED = 5_000;

const isTested = sql`r.kind = 'test' and r.is_enabled and d.archived_at is null and ${inScope}`;

/** Begin with devices that rules now test, and end with those that they do not test any more (LIV-04). */
export async function syncTestedDevices(tx: Tx, now: Date): Promise<void> {
  await sql`insert into alert_tests (organization_id, rule_id, device_id, is_once, due_at, revision)
    select r.organization_id, r.id, d.id, false, ${now}::timestamptz, r.revision
    from alert_rules r join devices d on d.organization_id = r.organization_id
    where ${isTested} and not exists (select from alert_tests c where c.organization_id = r.organization_id and c.rule_id = r.id
      and c.device_id = d.id and not c.is_once)
    order by r.organization_id, r.id, d.id limit ${MOST_ADDED} on conflict do nothing`.execute(tx);
  await sql`update alert_tests c set due_at = ${now}::timestamptz, revision = r.revision from alert_rules r
    where r.organization_id = c.organization_id and r.id = c.rule_id and not c.is_once and c.revision <> r.revision`.execute(tx);
  await sql`delete from alert_tests c where not c.is_once and not exists (select from alert_rules r
      join devices d on d.organization_id = r.organization_id and d.id = c.device_id
    where r.organization_id = c.organization_id and r.id = c.rule_id and ${isTested})`.execute(tx);
}

/** Test devices once, for alerts of a rule. */
export async function insertOnce(
  tx: Tx,
  { organizationId }: OrganizationScope,
  ruleId: string,
  devices: readonly Row<'alert_tests', 'device_id'>[],
  now: Date,
): Promise<void> {
  await sql`insert into alert_tests (organization_id, rule_id, device_id, is_once, due_at, revision)
    select ${organizationId}::uuid, ${ruleId}::uuid, x, true, ${now}::timestamptz, 0
    from unnest(${devices.map(({ device_id: id }) => id)}::uuid[]) as x on conflict do nothing`.execute(tx);
}

/** Rules of which an alert says that their tests stopped, and that were saved since, switched off or deleted. */
export async function listResumed(queries: Queries): Promise<{ readonly scope: OrganizationScope; readonly ruleId: string }[]> {
  const { rows } = await sql<{
    organization_id: string;
    main_account_id: string;
    rule_id: string;
  }>`select a.organization_id, a.main_account_id,
      a.rule_id from alerts a
    where a.kind = 'tests-stopped' and a.state <> 'resolved' and not exists (select from alert_rules r
      where r.organization_id = a.organization_id and r.id = a.rule_id and r.is_enabled and r.kind = 'test' and r.updated_at <= a.fired_at)`.execute(
    queries,
  );
  return rows.map(({ organization_id: organizationId, main_account_id: mainAccountId, rule_id: ruleId }) => ({
    scope: { kind: 'organization', organizationId, mainAccountId },
    ruleId,
  }));
}

/** A router that is off is tested with its next turn: nothing can be sent to it, and that is an alert of its own. */
export async function postponeOffline(tx: Tx, now: Date): Promise<void> {
  await sql`update alert_tests c
    set due_at = ${now}::timestamptz + make_interval(mins => coalesce((r.condition ->> 'everyMinutes')::integer, 60))
    from alert_rules r, devices d where r.organization_id = c.organization_id and r.id = c.rule_id
      and d.organization_id = c.organization_id and d.id = c.device_id and not c.is_once and c.due_at <= ${now}::timestamptz
      and d.presence is distinct from 'online'`.execute(tx);
}

/** Organizations in which tests are due. */
export async function listTesting(queries: Queries, now: Date): Promise<OrganizationScope[]> {
  const { rows } =
    await sql<OrganizationScope>`select 'organization' as kind, o.id as "organizationId", o.main_account_id as "mainAccountId"
    from (select distinct organization_id from alert_tests where due_at <= ${now}::timestamptz) c
    join organizations o on o.id = c.organization_id`.execute(queries);
  return rows;
}

/** A test that is due. Of a rule or a device that is gone the columns are null. */
export interface DueTest extends Row<'alert_tests', 'rule_id' | 'device_id' | 'is_once' | 'run_id'> {
  readonly rule: Row<'alert_rules', 'name' | 'condition' | 'action' | 'action_actor'> | null;
  readonly router_id: string | null;
  readonly serial: string | null;
  readonly held_by: string | null;
  readonly is_online: boolean;
}

/** Tests of an organization that are due, locked, the one that has waited longest first. */
export async function takeDueTests(tx: Tx, { organizationId }: OrganizationScope, now: Date, most: number): Promise<DueTest[]> {
  const { rows } = await sql<DueTest>`select c.rule_id, c.device_id, c.is_once, c.run_id,
      case when r.id is not null then jsonb_build_object('name', r.name, 'condition', r.condition,
        'action', r.action, 'action_actor', r.action_actor) end as rule,
      d.router_id, d.serial, t.held_by, coalesce(d.presence = 'online', false) as is_online
    from alert_tests c
      left join alert_rules r on r.organization_id = c.organization_id and r.id = c.rule_id and r.is_enabled
      left join devices d on d.organization_id = c.organization_id and d.id = c.device_id and d.archived_at is null
      left join routers t on t.id = d.router_id
    where c.organization_id = ${organizationId}::uuid and c.due_at <= ${now}::timestamptz
    order by c.due_at limit ${most} for update of c skip locked`.execute(tx);
  return rows;
}

type TestKey = Row<'alert_tests', 'rule_id' | 'device_id' | 'is_once'>;

/**
 * When a test is due again, and which run it had now. The former run is the last one that ended with a result.
 * @property run null = none: the former ones stay
 */
export interface NextTest {
  readonly key: TestKey;
  readonly due: Date;
  readonly run: string | null;
}

export async function noteNext(tx: Tx, { organizationId }: OrganizationScope, next: readonly NextTest[]): Promise<void> {
  if (next.length === 0) return;
  const of = <T>(pick: (each: NextTest) => T) => next.map(pick);
  await sql`update alert_tests c set due_at = n.due, run_id = coalesce(n.run, c.run_id),
      former_run_id = case when n.run is not null and exists (select from tool_runs u
        where u.organization_id = c.organization_id and u.id = c.run_id and u.state = 'done') then c.run_id else c.former_run_id end
    from unnest(${of(({ key }) => key.rule_id)}::uuid[], ${of(({ key }) => key.device_id)}::uuid[],
      ${of(({ key }) => key.is_once)}::boolean[], ${of(({ due }) => due)}::timestamptz[], ${of(({ run }) => run)}::uuid[])
      as n (rule_id, device_id, is_once, due, run)
    where c.organization_id = ${organizationId}::uuid and c.rule_id = n.rule_id and c.device_id = n.device_id
      and c.is_once = n.is_once`.execute(tx);
}

export async function removeTests(tx: Tx, { organizationId }: OrganizationScope, keys: readonly TestKey[]): Promise<void> {
  if (keys.length === 0) return;
  await sql`delete from alert_tests c using unnest(${keys.map((key) => key.rule_id)}::uuid[],
      ${keys.map((key) => key.device_id)}::uuid[], ${keys.map((key) => key.is_once)}::boolean[]) as k (rule_id, device_id, is_once)
    where c.organization_id = ${organizationId}::uuid and c.rule_id = k.rule_id and c.device_id = k.device_id
      and c.is_once = k.is_once`.execute(tx);
}
