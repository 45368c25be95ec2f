// Reads tables of other domains: alerts, organizations.
import type { alerts, CountedPresence } from '@highline/contract';
import { sql } from 'kysely';
import type { Scope } from '../../kernel/index.ts';
import { allOf, type Fragment, type Reader } from '../../platform/listing/index.ts';
import { subscriptionDay, subscriptionMatches } from '../subscriptions/index.ts';
import { readMonthTotals } from '../usage/index.ts';
import { attentionConditions } from './attention-conditions.queries.ts';
import { devicesCounted, devicesOf } from './device.filters.ts';
import type { EvaluationContext } from './device.dto.ts';

/** Figures of one organization. */
export interface FleetFigures {
  readonly id: string;
  readonly name: string;
  readonly states: ReadonlyMap<CountedPresence, number>;
  readonly carriers: readonly { readonly carrier: string; readonly state: CountedPresence; readonly devices: number }[];
  readonly counts: Readonly<Record<FleetCount, number>>;
  /** Open alerts; without those of severity and state that there are none of. */
  readonly alerts: readonly AlertCount[];
  /** Bytes of the calendar month so far. */
  readonly used: { readonly sent: number; readonly received: number };
}

/** Devices of which a condition holds. */
export type FleetCount = 'hour' | 'day' | 'weak' | 'sims' | 'expiring' | 'unsubscribed';

export interface AlertCount {
  readonly severity: alerts.Severity;
  readonly state: 'firing' | 'acknowledged';
  readonly alerts: number;
}

interface CountRow {
  readonly id: string;
  readonly devices: number;
}

/** The figures of every organization that a scope covers, also of those without devices (HKS-05). */
export async function readFleetFigures(reader: Reader, scope: Scope, context: EvaluationContext): Promise<FleetFigures[]> {
  const { now, expiringDays } = context;
  const day = subscriptionDay(now, expiringDays);
  const only = (filter: Parameters<typeof attentionConditions>[1]) => allOf(attentionConditions(scope, filter, now));
  const conditions: Readonly<Record<FleetCount, Fragment>> = {
    hour: only({ offline: '1h' }),
    day: only({ offline: '1d' }),
    weak: only({ signal: 'weak' }),
    sims: only({ sim: 'failed' }),
    expiring: subscriptionMatches('expiring', day),
    unsubscribed: subscriptionMatches('not-subscribed', day),
  };
  const organizations = await listOrganizations(reader, scope);
  const presences = await countStates(reader, scope);
  const counts = new Map<FleetCount, ReadonlyMap<string, number>>();
  // One after another: a scrape can wait, and must not take the connections of people.
  for (const [name, condition] of Object.entries(conditions) as [FleetCount, Fragment][])
    counts.set(name, await countBy(reader, scope, condition));
  // Figures that other domains keep: each is one more line here, and one in `writeFleetMetrics`.
  const used = await readMonthTotals(reader, scope, now);
  const openAlerts = await countAlerts(reader, scope);
  return organizations.map(({ id, name }) => {
    const own = presences.get(id) ?? [];
    const of = (count: FleetCount) => counts.get(count)?.get(id) ?? 0;
    return {
      id,
      name,
      states: new Map(
        (['online', 'offline', 'unknown', 'never', 'parked', 'planned'] as const).map((state) => [
          state,
          sum(own.filter((row) => row.state === state)),
        ]),
      ),
      carriers: own.flatMap(({ carrier, ...rest }) => (carrier === null ? [] : [{ carrier, ...rest }])),
      counts: {
        hour: of('hour'),
        day: of('day'),
        weak: of('weak'),
        sims: of('sims'),
        expiring: of('expiring'),
        unsubscribed: of('unsubscribed'),
      },
      alerts: openAlerts.get(id) ?? [],
      used: used.get(id) ?? { sent: 0, received: 0 },
    };
  });
}

function listOrganizations(reader: Reader, scope: Scope): Promise<{ id: string; name: string }[]> {
  const own = scope.kind === 'organization' ? sql`and o.id = ${scope.organizationId}::uuid` : sql``;
  return reader.rows(sql`select o.id, o.name from organizations o
    where o.main_account_id = ${scope.mainAccountId}::uuid ${own} and o.deleted_at is null order by o.id`);
}

interface StateRow {
  readonly carrier: string | null;
  readonly state: CountedPresence;
  readonly devices: number;
}

async function countStates(reader: Reader, scope: Scope): Promise<ReadonlyMap<string, readonly StateRow[]>> {
  const rows = await reader.rows<StateRow & { readonly id: string }>(
    sql`select c.organization_id as id, c.carrier, c.presence as state, sum(c.devices)::int as devices
      from device_counts c where ${devicesCounted(scope)} group by 1, 2, 3 having sum(c.devices) <> 0`,
  );
  return Map.groupBy(rows, ({ id }) => id);
}

async function countAlerts(reader: Reader, scope: Scope): Promise<ReadonlyMap<string, readonly AlertCount[]>> {
  const own =
    scope.kind === 'organization'
      ? sql`a.organization_id = ${scope.organizationId}::uuid`
      : sql`a.main_account_id = ${scope.mainAccountId}::uuid`;
  const rows = await reader.rows<AlertCount & { readonly id: string }>(
    sql`select a.organization_id as id, a.severity, a.state, count(*)::int as alerts from alerts a
      where ${own} and a.state <> 'resolved' group by 1, 2, 3`,
  );
  return Map.groupBy(rows, ({ id }) => id);
}

async function countBy(reader: Reader, scope: Scope, condition: Fragment): Promise<ReadonlyMap<string, number>> {
  const rows = await reader.rows<CountRow>(
    sql`select d.organization_id as id, count(*)::int as devices from devices d where ${devicesOf(scope)} and ${condition} group by 1`,
  );
  return new Map(rows.map(({ id, devices }) => [id, devices]));
}

function sum(rows: readonly StateRow[]): number {
  return rows.reduce((total, { devices }) => total + devices, 0);
}
