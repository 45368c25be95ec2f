// Reads tables of other domains: audit_entries, router_ownership.
import {
  alerts,
  esims,
  logs,
  networks,
  outages,
  rollouts,
  routerSettings,
  sentCommands,
  tools,
  usage,
  type Right,
} from '@highline/contract';
import { sql } from 'kysely';
import { mayReadPart } from '../../kernel/rights.ts';
import type { Actor, OrganizationScope } from '../../kernel/scope.ts';
import type { Fragment } from '../../platform/listing/index.ts';

/** One file of a support bundle. */
export interface BundlePart {
  readonly name: string;
  /** What it is read by elsewhere; a part without is of the device itself. */
  readonly right: Right | undefined;
  /** Rows with one column `line`, in order. */
  readonly statement: Fragment;
}

/** Rows of one file at most. */
const MOST_ROWS = 200_000;

/** What a part is read by elsewhere; the others are of the device itself. */
const partRights: Readonly<Partial<Record<string, Right>>> = {
  networks: networks.readNetworks,
  settings: routerSettings.readDeviceSettings,
  outages: outages.listOutages,
  'data-used': usage.listUsage,
  esims: esims.listProfiles,
  commands: sentCommands.listSentCommands,
  alerts: alerts.listAlerts,
  log: logs.listLogs,
  'remote-sessions': logs.listLogs,
  rollouts: rollouts.listRollouts,
  tests: tools.listRuns,
};

/** The same of the events of its router, by their kind. */
const eventRights: Readonly<Record<string, Right>> = {
  remote: logs.listLogs,
  rollout: rollouts.listRollouts,
  sim: esims.listProfiles,
};

/**
 * What is stored of a device since a time, without secrets: columns are named, so that a new one is not in it by itself. What routers
 * reported is read while the organization had the router.
 * @param actor the events that its own role or API key does not let it read elsewhere are left out
 */
export function bundlePartsOf(
  { organizationId }: OrganizationScope,
  actor: Actor,
  deviceId: string,
  since: Date,
): readonly BundlePart[] {
  const hidden = Object.keys(eventRights).filter((kind) => !mayReadPart(actor, eventRights[kind]!));
  const own = sql`organization_id = ${organizationId}::uuid and device_id = ${deviceId}::uuid`;
  const reported = (at: Fragment, router: Fragment): Fragment => sql`exists (select from router_ownership w
    where w.${own} and w.router_id = ${router} and ${at} >= w.owned_from and (w.owned_until is null or ${at} < w.owned_until))
    and ${router} in (select w.router_id from router_ownership w where w.${own}) and ${at} >= ${since}::timestamptz`;
  const part = (name: string, columns: Fragment, from: Fragment, order: Fragment): BundlePart => ({
    name: `${name}.jsonl`,
    right: partRights[name],
    statement: sql`select row_to_json(q)::text as line from (select ${columns} from ${from} order by ${order} limit ${MOST_ROWS}) q`,
  });
  const after = (column: Fragment) => sql`${column} >= ${since}::timestamptz`;
  return [
    part(
      'device',
      sql`d.serial, d.mac, d.vehicle_number, d.group_key, d.note, d.tags, d.model, d.hardware_version, d.firmware, d.config, d.config_version,
        d.presence, d.presence_since, d.presence_reason, d.booted_at, d.carrier, d.technology, d.imei, d.imsi, d.iccid, d.eid, d.cell_id,
        d.health, d.started_on, d.expires_on, d.created_at`,
      sql`devices d where d.organization_id = ${organizationId}::uuid and d.id = ${deviceId}::uuid`,
      sql`d.id`,
    ),
    part(
      'diagnoses',
      sql`g.kind, g.since, g.computed_at, g.evidence - 'place' as evidence`,
      sql`device_diagnoses g where g.${own}`,
      sql`g.number`,
    ),
    part(
      'connections',
      sql`c.at, c.kind, c.reason`,
      sql`connectivity c where ${reported(sql`c.at`, sql`c.router_id`)}`,
      sql`c.at`,
    ),
    part('facts', sql`f.at, f.fact, f.value`, sql`router_facts f where ${reported(sql`f.at`, sql`f.router_id`)}`, sql`f.at`),
    part(
      'readings',
      sql`t.at, t.rssi, t.rsrp, t.rsrq, t.sinr, t.temperature, t.voltage, t.battery, t.bytes_sent, t.bytes_received`,
      sql`telemetry_reports t where ${reported(sql`t.at`, sql`t.router_id`)}`,
      sql`t.at`,
    ),
    part(
      'events',
      sql`v.at, v.kind, v.subject, v.label, v.state, v.reason`,
      sql`router_events v where v.kind <> all(${hidden}::text[]) and ${reported(sql`v.at`, sql`v.router_id`)}`,
      sql`v.at, v.id`,
    ),
    // As last read; the clients of its networks are personal data, and not in it.
    part(
      'networks',
      sql`n.name, n.read_at, n.content`,
      sql`router_tables n where n.name in ('uplinks', 'wifi') and ${reported(sql`n.read_at`, sql`n.router_id`)}`,
      sql`n.name`,
    ),
    part('settings', sql`s.state, s.checked_at`, sql`router_settings_states s where s.${own}`, sql`s.checked_at`),
    part(
      'outages',
      sql`o.began_at, o.ended_at, o.kind, o.reason, o.carrier, o.technology, o.serving_cell, o.rsrp`,
      sql`outages o where o.${own} and (o.ended_at is null or ${after(sql`o.ended_at`)})`,
      sql`o.began_at`,
    ),
    part(
      'data-used',
      sql`u.day, u.iccid, u.sent, u.received`,
      sql`usage_days u where u.${own} and u.day >= ${since}::date`,
      sql`u.day, u.iccid`,
    ),
    part(
      'esims',
      sql`p.eid, p.iccid, p.name, p.carrier, p.status, p.apn, p.apn2`,
      sql`esim_profiles p where p.${own}`,
      sql`p.id`,
    ),
    part(
      'commands',
      sql`c.kind, c.name, c.state, c.reason, c.message, c.actor ->> 'email' as sent_by, c.created_at, c.expires_at`,
      sql`sent_commands c where c.${own} and ${after(sql`c.created_at`)}`,
      sql`c.created_at, c.id`,
    ),
    part(
      'alerts',
      sql`a.rule_name, a.severity, a.kind, a.reading, a.value, a.state, a.fired_at, a.resolved_at, a.acknowledged_by, a.note`,
      sql`alerts a where a.${own} and ${after(sql`a.fired_at`)}`,
      sql`a.fired_at`,
    ),
    part(
      'log',
      sql`e.at, e.actor_email, e.actor_role, e.action`,
      sql`audit_devices v join audit_entries e on e.chain_id = v.chain_id and e.seq = v.seq
        where v.chain_id = ${organizationId}::uuid and v.device_id = ${deviceId}::uuid and ${after(sql`v.at`)}`,
      sql`e.seq`,
    ),
    part(
      'remote-sessions',
      sql`s.type, s.account_email, s.opened_at, s.ended_at, s.end_reason`,
      sql`remote_sessions s where s.${own} and ${after(sql`s.opened_at`)}`,
      sql`s.opened_at`,
    ),
    part(
      'rollouts',
      sql`t.state, t.reason, t.detail, t.percent, t.attempt, t.phase, t.updated_at`,
      sql`rollout_targets t where t.${own}`,
      sql`t.updated_at`,
    ),
    part(
      'tests',
      sql`r.tool, r.input, r.state, r.result, r.cause, r.message, r.started_by, r.created_at, r.ended_at`,
      sql`tool_runs r where r.${own} and ${after(sql`r.created_at`)}`,
      sql`r.created_at`,
    ),
  ];
}
