import { performance } from 'node:perf_hooks';
import type { PoolClient } from 'pg';
import { noteChanges, readChanges, readNewest, readRouters, readRules, type ReadSnapshot } from './reading-alerts.job.queries.ts';
import { compareReports, compileRules, type Changes, type Place, type ReportBatch, type WatchingRules } from './reading-rules.ts';

/** Compares the reports of a batch with the rules, in the transaction that stores them. @returns to be called after its commit */
export type ReadingAlerts = (client: PoolClient, batch: ReportBatch) => Promise<() => void>;

type Compiled = ReturnType<typeof compileRules>;

interface KnownRouter {
  place: Place;
  /** Its organization's rules, which `rules` was selected from. */
  compiled: Compiled | undefined;
  rules: WatchingRules;
  readonly holding: Set<string>;
  /** Unknown until a rule watches it. */
  newest: number | undefined;
  /** Its place and what holds on it have to be read again. */
  isStale: boolean;
}

/** Most routers in memory: more than one process has connections for. */
const MOST_ROUTERS = 100_000;
/** `alert_changes` is kept for an hour: after a pause of this length, all is read again. */
const MOST_IDLE_MS = 600_000;
/** Reports that are older than this are not looked for when a router is new to this process. */
const NEWEST_WITHIN_MS = 86_400_000;
const noRules: WatchingRules = [];

/**
 * Rules of readings, and of each router its place and what holds on it, all in memory: a batch that changes nothing costs one statement,
 * which says what others have changed. One batch at a time.
 */
export function createReadingAlerts({ clock }: { readonly clock: { now(): Date } }): ReadingAlerts {
  const known = new Map<string, KnownRouter>();
  const rulesOf = new Map<string, Compiled>();
  let snapshot: ReadSnapshot | undefined;
  let readAt = 0;
  // What a batch has written is unknown until its commit has been confirmed.
  let isUncertain = false;

  const clear = (): void => {
    known.clear();
    rulesOf.clear();
  };

  const catchUp = async (client: PoolClient): Promise<void> => {
    if (isUncertain || performance.now() - readAt > MOST_IDLE_MS) {
      clear();
      snapshot = undefined;
    }
    const changes = await readChanges(client, snapshot);
    snapshot = changes.snapshot;
    readAt = performance.now();
    if (changes.isTooMuch) clear();
    for (const id of changes.organizations) rulesOf.delete(id);
    for (const id of changes.routers) {
      const router = known.get(id);
      if (router !== undefined) router.isStale = true;
    }
  };

  const loadRouters = async (client: PoolClient, routers: ReadonlySet<string>): Promise<void> => {
    const missing = [...routers].filter((id) => known.get(id)?.isStale !== false);
    if (missing.length === 0) return;
    for (const { id, holding, ...place } of await readRouters(client, missing)) {
      const newest = known.get(id)?.newest;
      known.set(id, { place, compiled: undefined, rules: noRules, holding: new Set(holding), newest, isStale: false });
    }
  };

  const loadRules = async (client: PoolClient, routers: ReadonlySet<string>): Promise<void> => {
    const missing = new Set<string>();
    for (const id of routers) {
      const organizationId = known.get(id)!.place.organizationId;
      if (organizationId !== null && !rulesOf.has(organizationId)) missing.add(organizationId);
    }
    if (missing.size === 0) return;
    const rows = Map.groupBy(await readRules(client, [...missing]), (row) => row.organization_id);
    for (const id of missing) rulesOf.set(id, compileRules(rows.get(id) ?? []));
  };

  /** Select the rules that watch each router, where these or its place have changed. @returns whether any rule watches any of them */
  const selectRules = async (client: PoolClient, routers: ReadonlySet<string>, now: number): Promise<boolean> => {
    let isWatched = false;
    const unknown: string[] = [];
    for (const id of routers) {
      const router = known.get(id)!;
      const compiled = rulesOf.get(router.place.organizationId ?? '');
      if (router.compiled !== compiled) {
        router.compiled = compiled;
        router.rules = compiled?.(router.place) ?? noRules;
      }
      if (router.rules.length === 0) router.newest = undefined;
      else {
        isWatched = true;
        if (router.newest === undefined) unknown.push(id);
      }
    }
    if (unknown.length > 0) {
      const newest = await readNewest(client, unknown, now - NEWEST_WITHIN_MS);
      for (const id of unknown) known.get(id)!.newest = newest.get(id) ?? 0;
    }
    return isWatched;
  };

  /** @returns to be called after the commit */
  const write = async (client: PoolClient, changes: Changes, now: number): Promise<() => void> => {
    const { begun, ended, newest } = changes;
    const noted = begun.length + ended.length > 0 ? await noteChanges(client, changes, new Date(now)) : [];
    return () => {
      for (const [id, at] of newest) known.get(id)!.newest = at;
      // What was not noted: its place or rule has changed, or it holds already. Read it again with its next report.
      if (noted.length < begun.length) for (const { router } of begun) known.get(router)!.isStale = true;
      for (const { router_id: router, rule_id: rule } of noted) known.get(router)!.holding.add(rule);
      for (const { rule, router } of ended) known.get(router)!.holding.delete(rule.id);
    };
  };

  const evict = (): void => {
    for (const id of known.keys()) {
      if (known.size <= MOST_ROUTERS) return;
      known.delete(id);
    }
  };

  return async (client, batch) => {
    const now = clock.now().getTime();
    const routers = new Set(batch.routers);
    await catchUp(client);
    isUncertain = true;
    await loadRouters(client, routers);
    await loadRules(client, routers);
    const watchedOf = (id: string) => {
      const router = known.get(id)!;
      return router.rules.length === 0 ? undefined : router;
    };
    const isWatched = await selectRules(client, routers, now);
    const confirm = isWatched ? await write(client, compareReports(batch, watchedOf, now), now) : undefined;
    return () => {
      isUncertain = false;
      confirm?.();
      evict();
    };
  };
}
