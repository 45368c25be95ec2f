import { LEAVE_METRES, STAY_SECONDS } from '@highline/contract';

/** Where a router is in relation to a geofence. */
export interface FenceState {
  readonly isInside: boolean;
  /** Since when it is inside, epoch milliseconds; null outside. */
  readonly since: number | null;
  /** The time of the first position on the other side; null = it is where it was. */
  readonly pendingSince: number | null;
}

export const OUTSIDE: FenceState = { isInside: false, since: null, pendingSince: null };

/** A change of sides: when it began. */
export interface Crossing {
  readonly kind: 'entered' | 'left';
  /** Epoch milliseconds. */
  readonly at: number;
}

/**
 * The state after one more position (POS-05): a router enters when it is inside, and leaves when it is `LEAVE_METRES` outside, once it has
 * been there for `STAY_SECONDS`. What happened is of the time of the first position there.
 * @param at epoch milliseconds, later than all positions before
 * @param isWithin whether the router is inside, or outside and at most so many metres from the boundary
 */
export function nextState(
  state: FenceState,
  at: number,
  isWithin: (metres: number) => boolean,
): { readonly state: FenceState; readonly crossing?: Crossing } {
  const isBeyond = state.isInside ? !isWithin(LEAVE_METRES) : isWithin(0);
  if (!isBeyond) return state.pendingSince === null ? { state } : { state: { ...state, pendingSince: null } };
  const began = state.pendingSince ?? at;
  if (at - began < STAY_SECONDS * 1_000) return { state: { ...state, pendingSince: began } };
  return state.isInside
    ? { state: OUTSIDE, crossing: { kind: 'left', at: began } }
    : { state: { isInside: true, since: began, pendingSince: null }, crossing: { kind: 'entered', at: began } };
}
