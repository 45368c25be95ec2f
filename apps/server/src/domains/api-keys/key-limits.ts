import type { Actor } from '../../kernel/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { addHits } from '../accounts/index.ts';

/** How many calls there may be in a window of a minute. */
export interface KeyLimits {
  readonly key: number;
  /** Of all keys of an organization, or of a main account itself. */
  readonly organization: number;
}

export const usualKeyLimits: KeyLimits = { key: 600, organization: 3_000 };

/** A limit as a response shows it. */
export interface LimitState {
  readonly name: keyof KeyLimits;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly reset: number;
  readonly isExceeded: boolean;
}

const WINDOW_SECONDS = 60;
/** This part of a limit is taken from the shared window at once, so that most calls write nothing. */
const SHARE = 20;
/** Above this number, windows that have ended are dropped. */
const MOST_WINDOWS = 10_000;

interface Window {
  /** Calls that all processes have taken. */
  taken: number;
  /** Of these, calls that this process has not made yet. */
  left: number;
  endsAt: number;
}

/** Counts calls by API keys in windows that all processes share (HKS-04). */
export function createKeyLimiter({ database, clock }: Pick<Deps, 'database' | 'clock'>, limits = usualKeyLimits) {
  const windows = new Map<string, Window>();
  const refills = new Map<string, Promise<Window>>();

  const refill = async (subject: string, limit: number, now: Date): Promise<Window> => {
    const share = Math.max(1, Math.floor(limit / SHARE));
    const { hits, endsAt } = await addHits(
      database,
      { name: 'api-key', hits: limit, seconds: WINDOW_SECONDS },
      subject,
      share,
      now,
    );
    const left = Math.max(0, Math.min(share, limit - (hits - share)));
    const window = { taken: Math.min(hits, limit), left, endsAt: endsAt.getTime() };
    if (windows.size > MOST_WINDOWS) for (const [name, each] of windows) if (each.endsAt <= now.getTime()) windows.delete(name);
    windows.set(subject, window);
    return window;
  };

  const take = async (name: keyof KeyLimits, owner: string): Promise<LimitState> => {
    const [limit, now, subject] = [limits[name], clock.now(), `${name} ${owner}`];
    for (;;) {
      const window = windows.get(subject);
      if (window !== undefined && window.endsAt > now.getTime() && (window.left > 0 || window.taken >= limit)) {
        // Looked at and taken without a pause in between: other calls wait for the same refill.
        const isExceeded = window.left === 0;
        if (!isExceeded) window.left -= 1;
        const remaining = isExceeded ? 0 : limit - window.taken + window.left;
        return { name, limit, remaining, reset: Math.max(1, Math.ceil((window.endsAt - now.getTime()) / 1_000)), isExceeded };
      }
      const running = refills.get(subject) ?? refill(subject, limit, now).finally(() => refills.delete(subject));
      refills.set(subject, running);
      await running;
    }
  };

  return {
    windowSeconds: WINDOW_SECONDS,
    /** Count a call of a key. */
    async count({ key, mainAccountId }: Actor): Promise<readonly LimitState[]> {
      if (key === undefined) return [];
      const own = await take('key', key.id);
      // One that is over its own limit does not use up the organization's.
      return own.isExceeded ? [own] : [own, await take('organization', key.organizationId ?? mainAccountId)];
    },
  };
}

export type KeyLimiter = ReturnType<typeof createKeyLimiter>;
