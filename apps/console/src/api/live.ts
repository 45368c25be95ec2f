import { live, type live as Live } from '@highline/contract';
import type { Query, QueryClient } from '@tanstack/react-query';
import { onRefreshChange, refreshPaused } from '../ui/refresh.ts';
import { createStore, useStore } from '../ui/store.ts';
import { addressOf } from './client.ts';

export type LiveTopic = Live.LiveTopic;

declare module '@tanstack/react-query' {
  interface Register {
    /** The topics a query depends on: it is refetched when the server reports a change of one of them. */
    queryMeta: { readonly topics?: readonly LiveTopic[] };
  }
}

/** Whether changes arrive by themselves now. */
export type LiveLink = 'live' | 'reconnecting';

// A fleet that reconnects reports thousands of changes. Four refetches in three seconds show them all, each within a second.
const THROTTLE_MS = 750;
const FIRST_RETRY = 1000;
const LONGEST_RETRY = 30_000;

const link = createStore<LiveLink>('reconnecting');

/** Follow whether changes arrive by themselves. */
export function useLiveLink(): LiveLink {
  return useStore(link);
}

/** Collects topics and delivers them at most once per `throttleMs` ms: immediately after a quiet time, never while paused. */
export function createBatcher(flush: (topics: ReadonlySet<LiveTopic>) => void, paused: () => boolean, throttleMs = THROTTLE_MS) {
  let waiting = new Set<LiveTopic>();
  let last = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const release = () => {
    timer = undefined;
    if (waiting.size === 0 || paused()) return;
    const topics = waiting;
    waiting = new Set();
    last = Date.now();
    flush(topics);
  };
  const poke = () => {
    if (waiting.size > 0 && timer === undefined) timer = setTimeout(release, Math.max(0, last + throttleMs - Date.now()));
  };
  return {
    add(topic: LiveTopic) {
      waiting.add(topic);
      poke();
    },
    /** The pause may be over. */
    poke,
    stop: () => clearTimeout(timer),
  };
}

/** True when a query shows something of these topics; `reset` means everything. */
export function concerns(meta: { readonly topics?: readonly LiveTopic[] } | undefined, topics: ReadonlySet<LiveTopic>): boolean {
  return topics.has('reset') || meta?.topics?.some((topic) => topics.has(topic)) === true;
}

interface LiveOptions {
  readonly client: QueryClient;
  /** The session or its role ended on the server. */
  readonly onEnded: () => void;
}

/**
 * Listen for changes on the server and refetch the affected queries. The browser resumes a broken stream by Last-Event-ID; the
 * server answers a gap with `reset`. Hidden tabs disconnect, because browsers allow few connections per server; a tab that is
 * shown again fetches what it missed.
 *
 * @returns stops listening.
 */
export function startLive({ client, onEnded }: LiveOptions): () => void {
  let source: EventSource | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let delay = FIRST_RETRY;
  let missed = false;
  const refetch = (topics: ReadonlySet<LiveTopic>) => {
    void client.invalidateQueries({ predicate: (query: Query) => concerns(query.meta, topics) });
  };
  const batcher = createBatcher(refetch, refreshPaused);

  const hangUp = () => {
    clearTimeout(retry);
    source?.close();
    source = undefined;
    missed = true;
    link.set('reconnecting');
  };
  const listen = () => {
    clearTimeout(retry);
    if (source !== undefined || document.visibilityState === 'hidden') return;
    source = new EventSource(addressOf(live.liveStream));
    source.addEventListener('open', () => {
      link.set('live');
      delay = FIRST_RETRY;
      // A new stream cannot resume, so everything is refetched.
      if (missed) batcher.add('reset');
      missed = false;
    });
    source.addEventListener('error', () => {
      link.set('reconnecting');
      // The browser retries by itself unless the server rejected the stream.
      if (source?.readyState !== EventSource.CLOSED) return;
      hangUp();
      retry = setTimeout(listen, delay);
      delay = Math.min(LONGEST_RETRY, delay * 2) * (0.75 + Math.random() / 2);
    });
    for (const topic of live.liveTopics) {
      source.addEventListener(topic, () => (topic === 'ended' ? onEnded() : batcher.add(topic)));
    }
  };
  const onVisibility = () => (document.visibilityState === 'hidden' ? hangUp() : listen());

  listen();
  const unsubscribe = onRefreshChange(batcher.poke);
  document.addEventListener('visibilitychange', onVisibility);
  return () => {
    unsubscribe();
    document.removeEventListener('visibilitychange', onVisibility);
    batcher.stop();
    hangUp();
  };
}
