import { announce } from '../../platform/outbox/announce.ts';
import type { Clock, Database, Tx } from '../../platform/ports/index.ts';
import type { OrganizationScope } from '../../kernel/index.ts';
import { collectCalls } from '../../platform/retry/collect-calls.ts';
import { findDesired, storeStates, type NewState } from './desired.job.queries.ts';
import type { DesiredRow } from './settings.rows.ts';

/** Routers of one statement. */
const MOST_ROUTERS = 200;

/** A comparison to store, with the main account that is announced to. */
export interface ComparedState extends NewState {
  readonly mainAccountId: string;
}

/** What is set for routers and how they differ, in few statements however many routers are compared at the same time. */
export interface SettingsStates {
  /** The device of a router with its settings; undefined = nothing is set for it, or was. */
  find(routerId: string): Promise<DesiredRow | undefined>;
  /** Store a comparison, and announce it if it is another state than before. */
  store(state: ComparedState): Promise<void>;
}

/** Open them; nothing happens before the first call. */
export function createSettingsStates({
  database,
  clock,
}: {
  readonly database: Database;
  readonly clock: Clock;
}): SettingsStates {
  return {
    find: collectCalls({
      most: MOST_ROUTERS,
      async run(routerIds: readonly string[]) {
        const rows = new Map((await findDesired(database.read, routerIds)).map((row) => [row.routerId, row]));
        return routerIds.map((id) => rows.get(id));
      },
    }),
    store: collectCalls({
      most: MOST_ROUTERS,
      keyOf: ({ deviceId }: ComparedState) => deviceId,
      async run(states) {
        await database.write(async (tx) => {
          const changed = await storeStates(tx, states, clock.now());
          await announceStates(
            tx,
            states.filter(({ deviceId }) => changed.has(deviceId)),
          );
        });
        return states.map(() => undefined);
      },
    }),
  };
}

async function announceStates(tx: Tx, states: readonly ComparedState[]): Promise<void> {
  for (const own of Map.groupBy(states, ({ organizationId }) => organizationId).values()) {
    const { mainAccountId, organizationId } = own[0]!;
    const scope: OrganizationScope = { kind: 'organization', mainAccountId, organizationId };
    // oxlint-disable-next-line no-await-in-loop -- one connection
    await announce(
      tx,
      scope,
      'settings',
      own.map(({ deviceId }) => deviceId),
    );
  }
}
