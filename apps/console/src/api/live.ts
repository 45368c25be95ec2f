import { accounts, live, type live as Live } from '@highline/contract';
import type { Query, QueryClient } from '@tanstack/react-query';
import { onRefreshChange, refreshPaused } from '../ui/refresh.ts';
import { createStore, useStore } from '../ui/store.ts';
import { addressOf, call } from './client.ts';
import { noteContact, onConnectionChange, watchConnection } from './connection.ts';
import { eventIds } from './event-id.ts';

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
/** A stream that is silent for longer, while the server answers calls, is opened again: its connection was cut without a word. */
const DEAD_STREAM_MS = 15_000;

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
  /** Of the answers that the page shows. */
  readonly ids?: Pick<typeof eventIds, 'follow'>;
}

/**
 * Listen for changes on the server and refetch the affected queries. The first stream begins with what changed since the answers
 * before it. The browser resumes a broken stream by Last-Event-ID; the server answers a gap with `reset`. Hidden tabs disconnect,
 * because browsers allow few connections per server; a tab that is shown again fetches what it missed. While the server cannot be
 * reached at all, the page says so and fetches everything on its return (ATT-05).
 *
 * @returns stops listening.
 */
export function startLive({ client, onEnded, ids = eventIds }: LiveOptions): () => void {
  let source: EventSource | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let delay = FIRST_RETRY;
  let isFirst = true;
  let lastEvent = Date.now();
  const refetch = (topics: ReadonlySet<LiveTopic>) => {
    void client.invalidateQueries({ predicate: (query: Query) => concerns(query.meta, topics) });
  };
  const batcher = createBatcher(refetch, refreshPaused);

  const hangUp = () => {
    clearTimeout(retry);
    source?.close();
    source = undefined;
    isFirst = false;
    link.set('reconnecting');
  };
  const listen = () => {
    clearTimeout(retry);
    if (source !== undefined || document.visibilityState === 'hidden') return;
    const after = isFirst ? ids.follow(() => batcher.add('reset')) : undefined;
    source = new EventSource(addressOf(live.liveStream, { query: { after } }));
    let hasGap = after === undefined;
    lastEvent = Date.now();
    const onReceived = () => {
      lastEvent = Date.now();
      noteContact();
      link.set('live');
    };
    source.addEventListener('open', () => {
      onReceived();
      delay = FIRST_RETRY;
      // One that begins now does not report what changed before; one that the browser opens again resumes.
      if (hasGap) batcher.add('reset');
      hasGap = false;
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
      source.addEventListener(topic, () => {
        onReceived();
        if (topic === 'ended') onEnded();
        else if (topic !== 'beat') batcher.add(topic);
      });
    }
  };
  const onVisibility = () => (document.visibilityState === 'hidden' ? hangUp() : listen());

  const reopenDeadStream = () => {
    if (Date.now() - lastEvent < DEAD_STREAM_MS) return;
    hangUp();
    listen();
  };

  listen();
  const unwatch = watchConnection((signal) => call(accounts.introspect, { signal }), reopenDeadStream);
  const unsubscribe = onRefreshChange(batcher.poke);
  const unfollow = onConnectionChange((isLost) => {
    if (isLost) link.set('reconnecting');
    else batcher.add('reset');
  });
  document.addEventListener('visibilitychange', onVisibility);
  return () => {
    unwatch();
    unfollow();
    unsubscribe();
    document.removeEventListener('visibilitychange', onVisibility);
    batcher.stop();
    hangUp();
  };
}
