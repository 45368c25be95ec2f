import { accounts, type live as Live } from '@highline/contract';
import type { Query, QueryClient } from '@tanstack/react-query';
import { onRefreshChange, refreshPaused } from '../ui/refresh.ts';
import { createStore, useStore } from '../ui/store.ts';
import { call, onChanged } from './client.ts';
import { noteContact, onConnectionChange, watchConnection } from './connection.ts';
import { eventIds } from './event-id.ts';
import { type LiveLink } from './one-stream.ts';
import { createSharedStream } from './shared-stream.ts';

export type LiveTopic = Live.LiveTopic;

declare module '@tanstack/react-query' {
  interface Register {
    /** The topics a query depends on: it is refetched when the server reports a change of one of them. */
    queryMeta: { readonly topics?: readonly LiveTopic[] };
  }
}

// A fleet that reconnects reports thousands of changes. Four refetches in three seconds show them all, each within a second.
const THROTTLE_MS = 750;

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
  /** The id of the account. */
  readonly account: string;
  /** The session or its role ended on the server, or the browser is signed in as someone else. */
  readonly onEnded: () => void;
  readonly isCurrent?: () => boolean;
  /** Of the responses that the page shows. */
  readonly ids?: Pick<typeof eventIds, 'follow'>;
}

/**
 * Listen for changes on the server and refetch the affected queries. The stream begins with what changed since the first responses, and
 * goes on after its last event; the server answers a gap with `reset`. The visible pages of a browser share one. Hidden ones do not
 * listen; one that is shown again fetches what it missed. While the server cannot be reached at all, the page says so and fetches
 * everything on its return (ATT-05).
 *
 * @returns stops listening.
 */
export function startLive({ client, account, onEnded, isCurrent = () => true, ids = eventIds }: LiveOptions): () => void {
  let lastEvent = Date.now();
  const refetch = (topics: ReadonlySet<LiveTopic>) => {
    const predicate = (query: Query) => concerns(query.meta, topics);
    const first = client
      .getQueryCache()
      .findAll({ predicate, fetchStatus: 'fetching' })
      .filter(({ state }) => state.data === undefined);
    void client.invalidateQueries({ predicate });
    // A first response that is on its way may be older than the change, and invalidating does not fetch it again.
    for (const { promise, queryKey } of first)
      void promise?.then(
        () => client.invalidateQueries({ queryKey, exact: true }),
        () => undefined,
      );
  };
  const batcher = createBatcher(refetch, refreshPaused);
  // What the user changed is fetched again by the next screen that shows it, also before the event of it has arrived.
  onChanged(() => {
    void client.invalidateQueries({ predicate: ({ meta }: Query) => (meta?.topics ?? []).length > 0, refetchType: 'none' });
  });
  const probe = (signal?: AbortSignal) => call(accounts.introspect, signal === undefined ? {} : { signal });
  const stream = createSharedStream({
    account,
    isCurrent,
    start: () => ids.follow(() => batcher.add('reset')),
    onTopic: (topic) => (topic === 'ended' ? onEnded() : batcher.add(topic)),
    onContact() {
      lastEvent = Date.now();
      noteContact();
    },
    onLink: link.set,
    // A session that has ended is noticed by the call.
    onRejected: () => void probe().catch(() => undefined),
  });
  const onVisibility = () => (document.visibilityState === 'hidden' ? stream.leave() : enter());
  const enter = () => {
    lastEvent = Date.now();
    stream.enter();
  };

  if (document.visibilityState !== 'hidden') enter();
  const unwatch = watchConnection(probe, () => stream.reopen(Date.now() - lastEvent));
  const unsubscribe = onRefreshChange(batcher.poke);
  const unfollow = onConnectionChange((isLost) => {
    if (isLost) link.set('reconnecting');
    else batcher.add('reset');
  });
  document.addEventListener('visibilitychange', onVisibility);
  return () => {
    onChanged(() => undefined);
    unwatch();
    unfollow();
    unsubscribe();
    document.removeEventListener('visibilitychange', onVisibility);
    batcher.stop();
    stream.leave();
  };
}
