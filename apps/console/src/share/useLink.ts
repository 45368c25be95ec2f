import { links } from '@highline/contract';
import { useEffect, useState } from 'react';
import { call } from '../api/client.ts';
import { ApiError } from '../api/errors.ts';

/** What is known of a link. */
export interface LinkState {
  /** The last answer; it stays while a later one could not be had. */
  readonly shown: links.OpenedLink | undefined;
  /** Epoch milliseconds of that answer. */
  readonly at: number;
  /** `over` and `unknown` are final; the others are tried again. */
  readonly fault: 'over' | 'unknown' | 'wait' | 'network' | undefined;
}

const FINAL: Readonly<Record<string, 'over' | 'unknown'>> = { 'link.over': 'over', 'link.not_found': 'unknown' };

function faultOf(error: unknown): NonNullable<LinkState['fault']> {
  if (!(error instanceof ApiError)) return 'network';
  if (error.status === 429) return 'wait';
  return FINAL[error.key ?? ''] ?? 'network';
}

/** Follows a link: asks now, and again every some seconds while the page is seen. */
export function useLink(token: string): LinkState {
  const [state, setState] = useState<LinkState>({ shown: undefined, at: 0, fault: undefined });
  useEffect(() => {
    let isFirst = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = new AbortController();
    const ask = async () => {
      clearTimeout(timer);
      try {
        const { result } = await call(links.openLink, { body: { token, first: isFirst }, signal: stop.signal });
        isFirst = false;
        setState({ shown: result, at: Date.now(), fault: undefined });
      } catch (error) {
        if (stop.signal.aborted) return;
        const fault = faultOf(error);
        setState(({ shown, at }) => ({ shown, at, fault }));
        if (fault === 'over' || fault === 'unknown') return stop.abort();
      }
      if (!document.hidden) timer = setTimeout(() => void ask(), links.LINK_SECONDS * 1_000);
    };
    // A page that is not seen does not ask.
    const onVisible = () => {
      clearTimeout(timer);
      if (!document.hidden && !stop.signal.aborted) void ask();
    };
    document.addEventListener('visibilitychange', onVisible);
    void ask();
    return () => {
      stop.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [token]);
  return state;
}
