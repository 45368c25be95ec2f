import { OUTSIDE } from './crossing.ts';
import type { Database } from '../../platform/ports/database.ts';
import { recordCrossings, type OnCrossed } from './geofence.evaluation.ts';
import { takeSilent } from './geofences.job.queries.ts';

/** Routers of one transaction. */
const BATCH = 500;

/**
 * A job: routers that changed sides of a geofence with their last position, and stay silent, have entered or left it (POS-05): a vehicle
 * whose ignition is switched off on arrival reports no second position. What waits is a row, so a restart loses nothing.
 * @param reportSeconds how often routers report whose group says nothing else
 */
export async function completeCrossings(
  database: Database,
  now: Date,
  { reportSeconds, onCrossed }: { readonly reportSeconds: number; readonly onCrossed?: OnCrossed },
): Promise<void> {
  for (let taken = BATCH; taken >= BATCH;)
    taken = await database.write(async (tx) => {
      const silent = await takeSilent(tx, now, reportSeconds, BATCH);
      const events = silent.map(({ router, fence, isInside, pendingSince }) => ({
        router,
        fence,
        kind: isInside ? ('left' as const) : ('entered' as const),
        at: pendingSince,
      }));
      const changes = silent.map(({ router, fence, isInside, pendingSince }) => ({
        routerId: router.routerId,
        geofenceId: fence.id,
        state: isInside ? OUTSIDE : { isInside: true, since: pendingSince, pendingSince: null },
      }));
      await recordCrossings(tx, { changes, events }, onCrossed);
      return silent.length;
    });
}
