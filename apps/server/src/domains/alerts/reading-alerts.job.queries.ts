// Reads tables of other domains: devices, routers.
import type { PoolClient } from 'pg';
import type { alerts } from '@highline/contract';
import { readings } from '../router-state/index.ts';

/** Reports of a batch, by their rows: the router, the time, and the values in the order of the facts catalogue. */
export interface ReportBatch {
  readonly routers: readonly string[];
  /** Epoch milliseconds. */
  readonly times: readonly number[];
  readonly values: readonly (readonly (number | undefined)[])[];
}

/** Compares the reports of a batch with the rules, in the transaction that stores them. @returns to be called after its commit */
export type ReadingAlerts = (client: PoolClient, batch: ReportBatch) => Promise<() => void>;

interface ReadingRule {
  readonly id: string;
  readonly revision: number;
  /** Of the reading in a report. */
  readonly place: number;
  readonly meets: (value: number) => boolean;
  readonly clears: (value: number) => boolean;
  readonly watches: (place: Place) => boolean;
}

interface Rules {
  readonly version: string;
  readonly rules: readonly ReadingRule[];
}

/** Where a router is; null = in stock. */
interface Place {
  readonly organizationId: string | null;
  readonly groupKey: string | null;
  readonly tags: readonly string[];
  readonly readAt: number;
  /** Time of the newest report that was compared. */
  newest: number;
}

interface RuleRow {
  readonly organization_id: string;
  readonly id: string;
  readonly revision: number;
  readonly condition: Extract<alerts.Condition, { kind: 'reading' }>;
  readonly scope_kind: alerts.RuleScope['kind'];
  readonly scope_key: string | null;
}

interface Candidate {
  readonly rule: ReadingRule;
  readonly router: string;
  readonly since: number;
  readonly value: number;
}

/** A router that moves to another group, or gets a tag, is evaluated as such within this time; the rules are checked again by SQL. */
const PLACE_MS = 30_000;
const MOST_PLACES = 100_000;
/** Up to this many states are read as a whole, which is cheaper than naming the routers of a batch. */
const FEW_STATES = 2_000;

const PLACES = `select r.id, d.organization_id, d.group_key, d.tags from routers r
  left join devices d on d.organization_id = r.organization_id and d.id = r.device_id and d.archived_at is null where r.id = any ($1::uuid[])`;
const VERSIONS = 'select organization_id, version from alert_rule_versions where organization_id = any ($1::uuid[])';
const RULES = `select organization_id, id, revision, condition, scope_kind, scope_key from alert_rules
  where organization_id = any ($1::uuid[]) and kind = 'reading' and is_enabled order by id`;
const ALL_STATES = `select router_id, rule_id, cleared_at is not null as ended from alert_states where kind = 'reading' limit ${FEW_STATES + 1}`;
const STATES = `select router_id, rule_id, cleared_at is not null as ended from alert_states
  where kind = 'reading' and router_id = any ($1::uuid[])`;
const BEGIN_STATES = `insert into alert_states as s (organization_id, rule_id, device_id, router_id, kind, revision, since, due_at, value)
  select r.organization_id, r.id, d.id, d.router_id, r.kind, r.revision, c.since, c.since + make_interval(secs => r.for_seconds), c.value
  from unnest($1::uuid[], $2::integer[], $3::uuid[], $4::timestamptz[], $5::float8[]) as c (rule_id, revision, router_id, since, value)
    join devices d on d.router_id = c.router_id and d.archived_at is null
    join alert_rules r on r.organization_id = d.organization_id and r.id = c.rule_id and r.revision = c.revision and r.is_enabled
  where (r.scope_kind in ('all', 'view') or r.scope_kind = 'group' and d.group_key = r.scope_key
    or r.scope_kind = 'tag' and d.tags @> array[r.scope_key])
  order by 1, 2, 3
  on conflict (organization_id, rule_id, device_id) do update set cleared_at = null,
    since = case when s.alert_id is null then excluded.since else s.since end,
    due_at = case when s.alert_id is null then excluded.due_at else s.due_at end, value = excluded.value
  where s.cleared_at is not null and s.resolution = 'cleared' and s.revision = excluded.revision`;
const END_STATES = `update alert_states s set cleared_at = $3::timestamptz
  from (select s.organization_id, s.rule_id, s.device_id
    from unnest($1::uuid[], $2::uuid[]) as c (rule_id, router_id) join alert_states s on s.router_id = c.router_id and s.rule_id = c.rule_id
    where s.cleared_at is null order by 1, 2, 3 for update of s) k
  where s.organization_id = k.organization_id and s.rule_id = k.rule_id and s.device_id = k.device_id`;

/** Rules of readings, kept in memory by version, and where routers are. */
export function createReadingAlerts({ clock }: { readonly clock: { now(): Date } }): ReadingAlerts {
  const places = new Map<string, Place>();
  const rulesOf = new Map<string, Rules>();

  const readPlaces = async (client: PoolClient, routers: ReadonlySet<string>, now: number): Promise<void> => {
    const unknown = [...routers].filter((router) => now - (places.get(router)?.readAt ?? Number.NEGATIVE_INFINITY) >= PLACE_MS);
    if (unknown.length === 0) return;
    if (places.size + unknown.length > MOST_PLACES) places.clear();
    const { rows } = await client.query<{ id: string; organization_id: string | null; group_key: string; tags: string[] | null }>(
      {
        name: 'alert-places',
        text: PLACES,
        values: [unknown],
      },
    );
    for (const { id, organization_id: organizationId, group_key: groupKey, tags } of rows)
      places.set(id, { organizationId, groupKey, tags: tags ?? [], readAt: now, newest: places.get(id)?.newest ?? 0 });
  };

  /** @returns whether any of these organizations has a rule of readings */
  const readRules = async (client: PoolClient, organizations: readonly string[]): Promise<boolean> => {
    const { rows: versions } = await client.query<{ organization_id: string; version: string }>({
      name: 'alert-versions',
      text: VERSIONS,
      values: [organizations],
    });
    const current = new Map(versions.map(({ organization_id: id, version }) => [id, version]));
    for (const id of organizations) if (!current.has(id)) rulesOf.delete(id);
    const changed = versions.filter(({ organization_id: id, version }) => rulesOf.get(id)?.version !== version);
    if (changed.length > 0) {
      const { rows } = await client.query<RuleRow>(RULES, [changed.map(({ organization_id: id }) => id)]);
      const byOrganization = Map.groupBy(rows, (row) => row.organization_id);
      for (const { organization_id: id, version } of changed)
        rulesOf.set(id, { version, rules: (byOrganization.get(id) ?? []).map(toRule) });
    }
    return organizations.some((id) => (rulesOf.get(id)?.rules.length ?? 0) > 0);
  };

  return async (client, batch) => {
    const now = clock.now().getTime();
    const routers = new Set(batch.routers);
    await readPlaces(client, routers, now);
    const organizations = new Set<string>();
    for (const router of routers) {
      const id = places.get(router)?.organizationId;
      if (id !== null && id !== undefined) organizations.add(id);
    }
    if (organizations.size === 0 || !(await readRules(client, [...organizations]))) return () => {};
    const active = await readStates(client, [...routers]);
    const { begun, ended, newest } = compare(batch, active, places, rulesOf, now);
    if (begun.length > 0) await beginStates(client, begun);
    if (ended.length > 0)
      await client.query(END_STATES, [ended.map(({ rule }) => rule.id), ended.map(({ router }) => router), new Date(now)]);
    return () => {
      for (const [place, at] of newest) place.newest = Math.max(place.newest, at);
    };
  };
}

/** The states of these routers, and maybe of others: by router and rule, whether they have ended. */
async function readStates(
  client: PoolClient,
  routers: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, boolean>>> {
  type StateRow = { readonly router_id: string; readonly rule_id: string; readonly ended: boolean };
  let { rows } = await client.query<StateRow>(ALL_STATES);
  if (rows.length > FEW_STATES) ({ rows } = await client.query<StateRow>(STATES, [routers]));
  const states = new Map<string, Map<string, boolean>>();
  for (const { router_id: router, rule_id: rule, ended } of rows) {
    const own = states.get(router) ?? new Map<string, boolean>();
    states.set(router, own.set(rule, ended));
  }
  return states;
}

function compare(
  { routers, times, values }: ReportBatch,
  active: ReadonlyMap<string, ReadonlyMap<string, boolean>>,
  places: ReadonlyMap<string, Place>,
  rulesOf: ReadonlyMap<string, Rules>,
  now: number,
): { readonly begun: readonly Candidate[]; readonly ended: readonly Candidate[]; readonly newest: ReadonlyMap<Place, number> } {
  const newest = new Map<Place, number>();
  const begun = new Map<string, Map<string, Candidate>>();
  const ended = new Map<string, Map<string, Candidate>>();
  for (let row = 0; row < routers.length; row++) {
    const router = routers[row]!;
    const place = places.get(router);
    const rules = rulesOf.get(place?.organizationId ?? '')?.rules;
    const at = Math.min(times[row]!, now);
    // A report from before the newest one says nothing about now.
    if (place === undefined || rules === undefined || rules.length === 0 || at < (newest.get(place) ?? place.newest)) continue;
    newest.set(place, at);
    const report = values[row]!;
    const states = active.get(router);
    for (const rule of rules) {
      const value = report[rule.place];
      if (value === undefined || !rule.watches(place)) continue;
      const isEnded = states?.get(rule.id);
      if (rule.meets(value)) {
        ended.get(router)?.delete(rule.id);
        if (isEnded !== false && begun.get(router)?.has(rule.id) !== true) put(begun, { rule, router, since: at, value });
      } else if (rule.clears(value)) {
        begun.get(router)?.delete(rule.id);
        if (isEnded === false) put(ended, { rule, router, since: at, value });
      }
    }
  }
  return { begun: [...begun.values()].flatMap(listed), ended: [...ended.values()].flatMap(listed), newest };
}

const listed = (own: ReadonlyMap<string, Candidate>) => [...own.values()];

function put(all: Map<string, Map<string, Candidate>>, candidate: Candidate): void {
  const own = all.get(candidate.router) ?? new Map<string, Candidate>();
  all.set(candidate.router, own.set(candidate.rule.id, candidate));
}

async function beginStates(client: PoolClient, begun: readonly Candidate[]): Promise<void> {
  await client.query(BEGIN_STATES, [
    begun.map(({ rule }) => rule.id),
    begun.map(({ rule }) => rule.revision),
    begun.map(({ router }) => router),
    begun.map(({ since }) => new Date(since)),
    begun.map(({ value }) => value),
  ]);
}

function toRule({ id, revision, condition, scope_kind: kind, scope_key: key }: RuleRow): ReadingRule {
  const { reading, operator, threshold, clear = threshold } = condition;
  const isAbove = operator === 'above';
  return {
    id,
    revision,
    place: readings.findIndex((each) => each.key === reading),
    meets: isAbove ? (value) => value > threshold : (value) => value < threshold,
    clears: isAbove ? (value) => value <= clear : (value) => value >= clear,
    watches: ({ groupKey, tags }) => (kind === 'group' ? groupKey === key : kind !== 'tag' || tags.includes(key!)),
  };
}
