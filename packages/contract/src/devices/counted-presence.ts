import type { Presence } from '../presence.ts';

/**
 * Why a device that is not connected is no fault (SAY-04): 'parked' = its router last reported that the ignition is off; 'planned' = a rollout
 * works on it.
 */
export const offlineReasons = ['parked', 'planned'] as const;
export type OfflineReason = (typeof offlineReasons)[number];

/**
 * How devices are counted and filtered: one that never connected, is parked, or that a rollout works on is not offline, and not among those of
 * which a share is online.
 */
export type CountedPresence = Presence | 'never' | OfflineReason;

/**
 * The same for a device of a response.
 * @param since null = its router never connected
 * @param expected why its being offline is no fault; null = it is none, or not offline
 */
export function countedPresence(
  presence: Presence,
  since: number | null,
  expected: OfflineReason | null = null,
): CountedPresence {
  if (presence !== 'offline') return presence;
  return since === null ? 'never' : (expected ?? presence);
}
