import type { Presence } from '../presence.ts';

/** How devices are counted and filtered: one that never connected is not offline, and not among those of which a share is online. */
export type CountedPresence = Presence | 'never';

/** The same for a device of a response. @param since null = its router never connected */
export function countedPresence(presence: Presence, since: number | null): CountedPresence {
  return presence === 'offline' && since === null ? 'never' : presence;
}
