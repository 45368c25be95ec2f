/** When a process has too many routers, and how fast it sends some of them to the others. Times are milliseconds. */
export interface BalanceSettings {
  /** It has too many above so many times the mean … */
  readonly ratio: number;
  /** … if they are also so many more than the mean. */
  readonly least: number;
  /** For so long: after a start or a loss of a process routers are still coming back. */
  readonly steadyMs: number;
  /** Routers that are sent away in a second. */
  readonly perSecond: number;
  /** Afterwards their return is awaited before the processes are compared again. */
  readonly returnMs: number;
  /** If most of them came back here, nothing is tried for so long: the proxy does not lead them elsewhere. */
  readonly pauseMs: number;
}

export const defaultBalance: BalanceSettings = {
  ratio: 1.25,
  least: 100,
  steadyMs: 60_000,
  perSecond: 25,
  returnMs: 120_000,
  pauseMs: 3_600_000,
};

/** A proxy that sends one connection to each process in turn leads at least every second of them elsewhere. */
const LEAST_EFFECT = 0.25;

/** What happened with a decision, for the log. */
export type BalanceEvent = 'begun' | 'ended' | 'without effect';

export interface BalanceDecision {
  /** Routers to send away now. */
  readonly count: number;
  readonly event?: BalanceEvent;
}

type State =
  | { readonly kind: 'even' }
  | { readonly kind: 'uneven'; readonly since: number }
  | { readonly kind: 'sending'; readonly before: number; readonly planned: number; left: number }
  | { readonly kind: 'returning'; readonly until: number; readonly before: number; readonly sent: number }
  | { readonly kind: 'paused'; readonly until: number };

const NOTHING: BalanceDecision = { count: 0 };

/**
 * Decides, once a second, how many routers of this process reconnect, so that the proxy leads them to one with fewer. Routers that are
 * on their way are connected nowhere, so the number is fixed at the beginning and not compared with what others report meanwhile. Pure.
 */
export class Balance {
  readonly #settings: BalanceSettings;
  #state: State = { kind: 'even' };

  constructor(settings: BalanceSettings) {
    this.#settings = settings;
  }

  /**
   * @param own routers that are connected here
   * @param others the same of each other process; null = it does not say it
   */
  next(own: number, others: readonly (number | null)[], now: number): BalanceDecision {
    const { ratio, least, steadyMs, perSecond, returnMs, pauseMs } = this.#settings;
    const mean = meanOf(own, others);
    const state = this.#state;
    switch (state.kind) {
      case 'paused':
        if (now >= state.until) this.#state = { kind: 'even' };
        return NOTHING;
      case 'returning': {
        if (now < state.until) return NOTHING;
        const hasEffect = state.before - own >= state.sent * LEAST_EFFECT;
        this.#state = hasEffect ? { kind: 'even' } : { kind: 'paused', until: now + pauseMs };
        return { count: 0, event: hasEffect ? 'ended' : 'without effect' };
      }
      case 'sending':
        // The others are gone, or have as many by now.
        if (state.left > 0 && mean !== undefined && own > mean) return { count: Math.min(perSecond, state.left) };
        this.#state = { kind: 'returning', until: now + returnMs, before: state.before, sent: state.planned - state.left };
        return NOTHING;
      default: {
        const surplus = mean === undefined || own <= mean * ratio ? 0 : Math.floor(own - mean);
        if (surplus < least) this.#state = { kind: 'even' };
        else if (state.kind === 'even') this.#state = { kind: 'uneven', since: now };
        else if (now - state.since >= steadyMs) {
          this.#state = { kind: 'sending', before: own, planned: surplus, left: surplus };
          return { count: 0, event: 'begun' };
        }
        return NOTHING;
      }
    }
  }

  /** So many were sent away: those that are busy stay. */
  sent(count: number): void {
    if (this.#state.kind === 'sending') this.#state.left -= count;
  }
}

/** Routers that each process would have; undefined when this is the only one, or one of another version does not say how many it has. */
function meanOf(own: number, others: readonly (number | null)[]): number | undefined {
  if (others.length === 0) return undefined;
  let sum = own;
  for (const routers of others) {
    if (routers === null) return undefined;
    sum += routers;
  }
  return sum / (others.length + 1);
}
