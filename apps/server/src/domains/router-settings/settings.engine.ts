import { createEngine, type Engine, type EngineDeps } from '../../platform/engine/engine.ts';
import type { ServerNode } from '../../platform/nodes/index.ts';
import { isUnreachable, type DeviceLink } from '../../platform/ports/index.ts';
import { deleteStatesOf, findDesired, findUnread } from './desired.job.queries.ts';
import { checkRouter, type RouterCheckDeps } from './router-check.ts';
import type { DesiredRow } from './settings.rows.ts';

export interface SettingsEngineDeps extends EngineDeps, RouterCheckDeps {
  readonly deviceLink: DeviceLink;
  readonly node: Pick<ServerNode, 'id'>;
}

/** A router that is connected is read again after this time. */
const READ_AGAIN_MS = 3_600_000;
/** Routers that one pass reads again. */
const BATCH = 50;

interface RouterReady {
  readonly routerId: string;
}

/** Compares routers with what is set for them: at every connect and start, when it reports that one of them changed, and once an hour (TPL-05). */
export function createSettingsEngine(deps: SettingsEngineDeps): Engine<RouterReady> {
  const { database, clock, deviceLink, node, log, ownChanges } = deps;
  const engine = createEngine<RouterReady, DesiredRow, Awaited<ReturnType<typeof pass>>>(deps, {
    name: 'settings of routers',
    trouble: 'A pass over the settings of routers failed and will be retried.',
    pass,
    async execute(row) {
      try {
        await checkRouter(deps, row);
      } catch (error) {
        if (!isUnreachable(error))
          log.error({ err: error, routerId: row.routerId }, 'Failed to compare the settings of a router.');
      }
      return undefined;
    },
    async resumeUnfinished() {
      const before = new Date(clock.now().getTime() - READ_AGAIN_MS);
      for (const routerId of await findUnread(database.read, node.id, before, BATCH)) engine.add({ routerId });
    },
  });
  async function pass(events: readonly RouterReady[]) {
    const requests = await findDesired(database.read, [...new Set(events.map(({ routerId }) => routerId))]);
    return { requests, postponed: [], again: undefined };
  }
  deviceLink.listen({
    ready: (routerId) => engine.add({ routerId }),
    reset: (routerId) => database.write((tx) => deleteStatesOf(tx, routerId)),
    changed(routerId, change) {
      if (change === undefined || !ownChanges.isOwn(routerId, change)) engine.add({ routerId });
    },
    progressed: () => undefined,
    completed: async () => undefined,
  });
  return engine;
}
