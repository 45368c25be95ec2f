// Reads tables of other domains: devices, esim_profiles, sent_commands.
import type { alerts } from '@highline/contract';
import { sql } from 'kysely';
import { newId } from '../../kernel/index.ts';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import type { Row } from '../../platform/ports/tables.ts';
import type { ActionCounts, Decided, WaitingAction } from './alert-action.ts';
import type { ChangedAlert } from './alerts.job.queries.ts';

// Statements of the job that does what rules do by themselves, of every organization.

/** A rule with actions that wait. */
export type ActingKey = Row<'alert_actions', 'organization_id' | 'rule_id'>;

/** Note what the rules of these alerts do, in the transaction in which they fire: once for each alert. */
export async function insertActions(tx: Tx, fired: readonly ChangedAlert[], now: Date): Promise<void> {
  if (fired.length === 0) return;
  const ids = fired.map(() => newId(now.getTime()));
  await sql`insert into alert_actions (organization_id, id, rule_id, rule_name, alert_id, device_id, serial, vehicle_number, action, state, created_at)
    select a.organization_id, f.action_id, a.rule_id, a.rule_name, a.id, a.device_id, a.serial, a.vehicle_number, r.action, 'waiting', ${now}::timestamptz
    from unnest(${fired.map((each) => each.organization_id)}::uuid[], ${fired.map(({ id }) => id)}::uuid[], ${ids}::uuid[])
        as f (organization_id, id, action_id)
      join alerts a on a.organization_id = f.organization_id and a.id = f.id
      join alert_rules r on r.organization_id = a.organization_id and r.id = a.rule_id
    where r.action is not null on conflict do nothing`.execute(tx);
}

/** Rules with actions that wait, in order. @param after undefined = from the first */
export async function listActing(queries: Queries, after: ActingKey | undefined, most: number): Promise<ActingKey[]> {
  const later =
    after === undefined ? sql`true` : sql`(organization_id, rule_id) > (${after.organization_id}::uuid, ${after.rule_id}::uuid)`;
  const { rows } =
    await sql<ActingKey>`select distinct organization_id, rule_id from alert_actions where state = 'waiting' and ${later}
    order by organization_id, rule_id limit ${most}`.execute(queries);
  return rows;
}

/** A rule that acts, locked: its actions are decided one after another. Undefined = it is gone, off, or does not act any more. */
export async function lockActing(tx: Tx, { organization_id, rule_id }: ActingKey) {
  return tx
    .selectFrom('alert_rules')
    .select(['main_account_id', 'organization_id', 'id', 'name', 'severity', 'action', 'action_actor'])
    .where('organization_id', '=', organization_id)
    .where('id', '=', rule_id)
    .where('is_enabled', '=', true)
    .where('action', 'is not', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** An action that waits, with its alert and its device. */
export interface TakenAction
  extends
    WaitingAction,
    Row<'alert_actions', 'alert_id' | 'device_id' | 'serial'>,
    Row<'alerts', 'kind' | 'value' | 'reading' | 'geofence'> {
  /** The SIM that the device uses now. */
  readonly iccid: string | null;
}

/** How long a command or a switch waits for its window, or for a router that is busy. */
export const WAIT_HOURS = 24;

/** Whether what an action `p` has started waits or is under way: its command, or the switch that it planned. */
const isPending = sql`(exists (select from sent_commands c where c.organization_id = p.organization_id and c.device_id = p.device_id
    and c.created_at = p.decided_at and c.ended_at is null and c.work_window is not distinct from p.action -> 'does' -> 'window')
  or exists (select from esim_profiles e where e.organization_id = p.organization_id and e.device_id = p.device_id
    and (e.use_author ->> 'until')::timestamptz = p.decided_at + ${WAIT_HOURS} * interval '1 hour'))`;

/** States in which a rule has acted: of one that is tried out only those of the trial count. */
const actedAs = (isDryRun: boolean): 'dry-run' | 'started' => (isDryRun ? 'dry-run' : 'started');

/** The oldest actions of a locked rule that wait. @param since the start of the day that is counted */
export async function takeWaiting(
  tx: Tx,
  { organization_id, rule_id }: ActingKey,
  { isDryRun, needsConnection, plansSwitch, since, most }: ActingContext & { readonly most: number },
): Promise<TakenAction[]> {
  const { rows } =
    await sql<TakenAction>`select w.id, w.alert_id, w.device_id, w.serial, w.created_at, a.state as alert_state, a.kind, a.value,
      a.reading, a.geofence, d.iccid, ${needsConnection}::boolean and d.presence is distinct from 'online' as is_unreachable, b.last_at,
      coalesce(b.times, 0)::int as times, coalesce(b.pending, false) or ${plansSwitch}::boolean and exists (select from esim_profiles e
        where e.organization_id = w.organization_id and e.device_id = w.device_id and e.status = 'Assigning...' and e.path is not null and e.step is null) as is_pending
    from alert_actions w join alerts a on a.organization_id = w.organization_id and a.id = w.alert_id
      left join devices d on d.organization_id = w.organization_id and d.id = w.device_id and d.archived_at is null
      left join lateral (select max(p.decided_at) as last_at, count(*) as times, bool_or(${isPending}) as pending from alert_actions p
        where p.organization_id = w.organization_id and p.rule_id = w.rule_id and p.device_id = w.device_id
          and p.state = ${actedAs(isDryRun)} and p.decided_at > ${since}::timestamptz) b on true
    where w.organization_id = ${organization_id}::uuid and w.rule_id = ${rule_id}::uuid and w.state = 'waiting'
    order by w.created_at, w.id limit ${most} for update of w`.execute(tx);
  return rows;
}

/** What decides about the actions of a rule. */
export interface ActingContext {
  readonly isDryRun: boolean;
  readonly needsConnection: boolean;
  /** It leaves alone what has another switch of its profile waiting. */
  readonly plansSwitch: boolean;
  readonly since: Date;
}

/**
 * How often a locked rule has acted since the start of the day, and on how many devices what it does goes on: it waits, for a window too, or is under
 * way, or the rule acted within its cool-down and the alert is not over.
 */
export async function countActions(
  tx: Tx,
  { organization_id, rule_id }: ActingKey,
  { isDryRun, since }: ActingContext,
  cooledFrom: Date,
): Promise<ActionCounts> {
  const { rows } = await sql<ActionCounts>`select count(*)::int as today,
      (count(*) filter (where ${isPending} or p.decided_at > ${cooledFrom}::timestamptz and exists (select from alerts a
        where a.organization_id = p.organization_id and a.id = p.alert_id and a.state <> 'resolved')))::int as open
    from alert_actions p where p.organization_id = ${organization_id}::uuid and p.rule_id = ${rule_id}::uuid
      and p.state = ${actedAs(isDryRun)} and p.decided_at > ${since}::timestamptz`.execute(tx);
  return rows[0]!;
}

/** An action after a decision. */
export interface DecidedAction extends Pick<Decided, 'id'> {
  readonly state: 'waiting' | 'started' | 'dry-run' | 'skipped';
  readonly reason: alerts.ActionReason | null;
}

/** Note what was decided, and about which action: the rule may have another one than when the alert fired. */
export async function noteDecisions(
  tx: Tx,
  { organization_id }: ActingKey,
  action: alerts.RuleAction,
  decided: readonly DecidedAction[],
  now: Date,
): Promise<void> {
  if (decided.length === 0) return;
  await sql`update alert_actions w set action = ${JSON.stringify(action)}::jsonb, state = k.state, reason = k.reason,
      decided_at = case when k.state <> 'waiting' then ${now}::timestamptz end
    from unnest(${decided.map(({ id }) => id)}::uuid[], ${decided.map(({ state }) => state)}::text[],
      ${decided.map(({ reason }) => reason)}::text[]) as k (id, state, reason)
    where w.organization_id = ${organization_id}::uuid and w.id = k.id`.execute(tx);
}

/** The actions of a rule that is gone, off, or does not act any more. @returns how many */
export async function skipActions(tx: Tx, { organization_id, rule_id }: ActingKey, now: Date): Promise<void> {
  await sql`update alert_actions set state = 'skipped', reason = 'rule-changed', decided_at = ${now}::timestamptz
    where organization_id = ${organization_id}::uuid and rule_id = ${rule_id}::uuid and state = 'waiting'`.execute(tx);
}

/** Delete the log of actions before a time (retention). @returns how many */
export async function deleteOldActions(tx: Tx, before: Date, most: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`delete from alert_actions where (organization_id, id) in (
    select organization_id, id from alert_actions where created_at < ${before}::timestamptz limit ${most})`.execute(tx);
  return Number(numAffectedRows);
}
