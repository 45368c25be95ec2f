import type { alerts } from '@highline/contract';
import { readings } from '../router-state/index.ts';

/** Reports of a batch, by their rows: the router, the time, and the values in the order of the facts catalogue. */
export interface ReportBatch {
  readonly routers: readonly string[];
  /** Epoch milliseconds. */
  readonly times: readonly number[];
  readonly values: readonly (readonly (number | undefined)[])[];
}

/** A rule of readings as it is stored. */
export interface RuleRow {
  readonly organization_id: string;
  readonly id: string;
  readonly revision: number;
  readonly condition: Extract<alerts.Condition, { kind: 'reading' }>;
  readonly scope_kind: alerts.RuleScope['kind'];
  readonly scope_key: string | null;
}

/** Which devices a rule may watch; null = in stock. */
export interface Place {
  readonly organizationId: string | null;
  readonly groupKey: string | null;
  readonly tags: readonly string[];
}

interface ReadingRule {
  readonly id: string;
  readonly revision: number;
  /** Of the reading in a report. */
  readonly place: number;
  /** Whether a value above the threshold meets the condition, or one below it. */
  readonly isAbove: boolean;
  readonly threshold: number;
  /** It ends on the other side of this. */
  readonly clear: number;
  readonly watches: (place: Place) => boolean;
}

/** The rules that watch a router. */
export type WatchingRules = readonly ReadingRule[];

/** A router as a process has it in memory. */
export interface WatchedRouter {
  readonly rules: WatchingRules;
  /** Rules whose condition holds. */
  readonly holding: ReadonlySet<string>;
  /** Time of the newest report that was compared. */
  readonly newest: number | undefined;
}

/** A condition that begins to hold on a router, or ends. */
export interface Change {
  readonly rule: ReadingRule;
  readonly router: string;
  /** Epoch milliseconds. */
  readonly since: number;
  readonly value: number;
}

/** What the reports of a batch change. */
export interface Changes {
  readonly begun: readonly Change[];
  readonly ended: readonly Change[];
  /** Time of the newest report of each router that was compared. */
  readonly newest: ReadonlyMap<string, number>;
}

/** The rules of one organization, prepared once: devices of one group with the same tags share a list. */
export function compileRules(rows: readonly RuleRow[]): (place: Place) => WatchingRules {
  const rules = rows.map(toRule);
  const lists = new Map<string, WatchingRules>();
  return (place) => {
    const key = JSON.stringify([place.groupKey, place.tags]);
    const list = lists.get(key) ?? rules.filter((rule) => rule.watches(place));
    lists.set(key, list);
    return list;
  };
}

/** Compare reports with the rules that watch their routers. Most meet no condition and end none: for these it looks up nothing. */
export function compareReports(
  { routers, times, values }: ReportBatch,
  watched: (router: string) => WatchedRouter | undefined,
  now: number,
): Changes {
  const newest = new Map<string, number>();
  const begun = new Map<string, Map<string, Change>>();
  const ended = new Map<string, Map<string, Change>>();
  for (let row = 0; row < routers.length; row++) {
    const router = routers[row]!;
    const known = watched(router);
    const at = Math.min(times[row]!, now);
    // A report from before the newest one says nothing about now.
    if (known === undefined || at < (newest.get(router) ?? known.newest ?? 0)) continue;
    newest.set(router, at);
    const report = values[row]!;
    for (const rule of known.rules) {
      const value = report[rule.place];
      if (value === undefined) continue;
      if (rule.isAbove ? value > rule.threshold : value < rule.threshold) {
        ended.get(router)?.delete(rule.id);
        if (!known.holding.has(rule.id) && begun.get(router)?.has(rule.id) !== true)
          put(begun, { rule, router, since: at, value });
      } else if ((known.holding.size > 0 || begun.size > 0) && (rule.isAbove ? value <= rule.clear : value >= rule.clear)) {
        begun.get(router)?.delete(rule.id);
        if (known.holding.has(rule.id)) put(ended, { rule, router, since: at, value });
      }
    }
  }
  return { begun: [...begun.values()].flatMap(listed), ended: [...ended.values()].flatMap(listed), newest };
}

const listed = (own: ReadonlyMap<string, Change>) => [...own.values()];

function put(all: Map<string, Map<string, Change>>, change: Change): void {
  const own = all.get(change.router) ?? new Map<string, Change>();
  all.set(change.router, own.set(change.rule.id, change));
}

function toRule({ id, revision, condition, scope_kind: kind, scope_key: key }: RuleRow): ReadingRule {
  const { reading, operator, threshold, clear = threshold } = condition;
  return {
    id,
    revision,
    place: readings.findIndex((each) => each.key === reading),
    isAbove: operator === 'above',
    threshold,
    clear,
    watches: ({ groupKey, tags }) => (kind === 'group' ? groupKey === key : kind !== 'tag' || tags.includes(key!)),
  };
}
