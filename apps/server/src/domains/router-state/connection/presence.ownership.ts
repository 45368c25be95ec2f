import type { Presence } from '@highline/contract';
import type { ConnectivityEvent, PresenceState, RouterChange } from './presence.changes.ts';

/** The connection of a router as its locked row states it. */
export interface StoredConnection {
  readonly presence: Presence;
  /** The number of the socket that this is about. */
  readonly epoch: number;
}

/** What is written of a change. */
export interface AdmittedChange {
  readonly admitted: RouterChange;
  /** The router has a newer socket, so the one of this change must close. */
  readonly isReplaced: boolean;
}

/**
 * Which part of a change may be written over the stored state: sockets are ordered by their epochs, over all processes, and an
 * older socket says nothing about its router. Pure.
 */
export function admitChange(stored: StoredConnection, change: RouterChange): AdmittedChange {
  const { state } = change;
  if (state === undefined) return { admitted: change, isReplaced: false };
  if (isOutdated(stored, state)) {
    const events = change.events.filter(({ kind }) => kind === 'boot');
    return { admitted: { ...change, state: undefined, events }, isReplaced: state.presence === 'online' };
  }
  const denied = stored.presence === 'offline' ? change.events.find(({ isRestated }) => isRestated === true) : undefined;
  const events = denied === undefined ? change.events.filter(({ isRestated }) => isRestated !== true) : change.events;
  // It is online again since the line that says so, not since the socket was opened.
  return { admitted: { ...change, events, state: { ...state, since: sinceOf(state, denied) } }, isReplaced: false };
}

/** The end of a socket counts once, even if others have already written it. */
function isOutdated(stored: StoredConnection, { presence, epoch }: PresenceState): boolean {
  return epoch < stored.epoch || (epoch === stored.epoch && presence === 'offline' && stored.presence === 'offline');
}

function sinceOf({ since }: PresenceState, denied: ConnectivityEvent | undefined): Date {
  return denied !== undefined && denied.at > since ? denied.at : since;
}
