import { live } from '@highline/contract';
import { addressOf } from './client.ts';
import { isOlder } from './event-id.ts';

type LiveTopic = live.LiveTopic;

/** Whether changes arrive by themselves now. */
export type LiveLink = 'live' | 'reconnecting';

const FIRST_RETRY = 1000;
const LONGEST_RETRY = 30_000;
/** Events that the page with the stream keeps for pages that join; for older ones they fetch everything. */
const MOST_KEPT = 500;
/** A stream that is silent for longer, while the server answers calls, is opened again: its connection was cut without a word. */
const DEAD_STREAM_MS = 15_000;
/** The page that has the stream opens it again before another page takes it over. */
const TAKEOVER_MS = 20_000;

/** What the visible pages of a browser send to each other. */
type Message =
  | { readonly kind: 'event'; readonly topic: LiveTopic; readonly id: string }
  | { readonly kind: 'link'; readonly link: LiveLink }
  /** A page joins, or another one has the stream now: what came after this id? */
  | { readonly kind: 'join'; readonly page: string; readonly after: string | undefined }
  | { readonly kind: 'opened' }
  | { readonly kind: 'missed'; readonly page: string; readonly topics: readonly LiveTopic[]; readonly link: LiveLink };

export interface SharedStreamOptions {
  /** Pages of the same account share a stream. */
  readonly account: string;
  /** The event id that the page has seen so far, read when it begins to listen; undefined = none. */
  readonly start: () => string | undefined;
  readonly onTopic: (topic: LiveTopic) => void;
  /** Something was received. */
  readonly onContact: () => void;
  readonly onLink: (link: LiveLink) => void;
  /** The server rejected the stream. */
  readonly onRejected: () => void;
  /** Whether the browser is still signed in as this account. */
  readonly isCurrent: () => boolean;
}

export interface SharedStream {
  /** Begin to listen, or go on with what came since. */
  enter(): void;
  /** Listen no more; another page takes the stream over. */
  leave(): void;
  /** Nothing was received for so long although the server answers: open the stream again, if need be in place of another page. */
  reopen(silentMs: number): void;
}

/** The latest events of the stream, with the id up to which each of them was sent. */
function createKept(begin: string | undefined) {
  let from = begin;
  const events: { readonly topic: LiveTopic; until?: string }[] = [];
  return {
    /** @param id new: the events so far were sent up to it. Several events that are sent together share the id of the last one. */
    add(topic: LiveTopic, id: string, isNew: boolean): void {
      from ??= id;
      if (topic !== 'beat') events.push({ topic });
      if (!isNew) return;
      for (const event of events) event.until ??= id;
      const dropped = events.splice(0, events.length - MOST_KEPT).at(-1);
      if (dropped?.until !== undefined) from = dropped.until;
    },
    since(after: string | undefined): readonly LiveTopic[] {
      if (after === undefined || from === undefined || isOlder(after, from)) return ['reset'];
      return [...new Set(events.filter(({ until }) => until === undefined || isOlder(after, until)).map(({ topic }) => topic))];
    },
  };
}

interface StreamEvents extends Pick<SharedStreamOptions, 'isCurrent'> {
  /** The id after which it goes on; undefined = from now on. */
  readonly position: () => string | undefined;
  readonly opened: () => void;
  readonly failed: (isRejected: boolean) => void;
  readonly received: (topic: LiveTopic, id: string) => void;
  /** The browser is signed in as another account, or no longer. */
  readonly ended: () => void;
}

/** The stream of this page; one that the server rejected is tried again, with longer and longer pauses. */
function createStream(on: StreamEvents) {
  let source: EventSource | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let delay = FIRST_RETRY;
  const close = () => {
    clearTimeout(retry);
    source?.close();
    source = undefined;
  };
  const open = () => {
    clearTimeout(retry);
    if (!on.isCurrent()) return on.ended();
    const opened = new EventSource(addressOf(live.liveStream, { query: { after: on.position() } }));
    source = opened;
    opened.addEventListener('open', () => {
      delay = FIRST_RETRY;
      on.opened();
    });
    opened.addEventListener('error', () => {
      // The browser retries by itself unless the server rejected the stream.
      const isRejected = opened.readyState === EventSource.CLOSED;
      if (isRejected) {
        close();
        retry = setTimeout(open, delay);
        delay = Math.min(LONGEST_RETRY, delay * 2) * (0.75 + Math.random() / 2);
      }
      on.failed(isRejected);
    });
    for (const topic of live.liveTopics) opened.addEventListener(topic, ({ lastEventId }) => on.received(topic, lastEventId));
  };
  return { open, close, isOpen: () => source !== undefined };
}

/** Leads from when the page gets the lock until it is aborted. */
function leadInTurn(
  locks: LockManager,
  name: string,
  { isStealing, signal, lead }: { isStealing: boolean; signal: AbortSignal; lead: () => void },
): Promise<void> {
  return locks.request(name, isStealing ? { steal: true } : { signal }, async () => {
    if (signal.aborted) return;
    lead();
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  });
}

/**
 * One stream of changes for all visible pages of a browser, because it allows only six connections to a server with HTTP/1.1. The page
 * that holds a lock has the stream and passes its events on; when it closes, or is hidden, the next page takes over after the last
 * event. Without locks, which need HTTPS or localhost, each page has a stream of its own.
 */
export function createSharedStream(options: SharedStreamOptions): SharedStream {
  const name = `highline.live.${options.account}`;
  const page = `${Date.now()}.${Math.random()}`;
  const locks = globalThis.navigator?.locks;
  let channel: BroadcastChannel | undefined;
  let turn: AbortController | undefined;
  let position: string | undefined;
  let hasStarted = false;
  let hasGap = true;
  let kept = createKept(undefined);
  let link: LiveLink = 'reconnecting';

  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is of windows; a channel has one origin
  const post = (message: Message) => channel?.postMessage(message);
  const setLink = (next: LiveLink) => {
    link = next;
    options.onLink(next);
    post({ kind: 'link', link: next });
  };
  const receive = (topic: LiveTopic, id: string) => {
    if (id !== '') position = id;
    options.onContact();
    options.onLink('live');
    if (topic !== 'beat') options.onTopic(topic);
  };

  const stream = createStream({
    isCurrent: options.isCurrent,
    position: () => position,
    ended: () => options.onTopic('ended'),
    opened() {
      options.onContact();
      setLink('live');
      // One that begins now does not report what changed before; one that the browser opens again resumes.
      if (hasGap) options.onTopic('reset');
      hasGap = false;
      post({ kind: 'opened' });
    },
    failed(isRejected) {
      setLink('reconnecting');
      if (isRejected) options.onRejected();
    },
    received(topic, id) {
      kept.add(topic, id, id !== position);
      post({ kind: 'event', topic, id });
      receive(topic, id);
      link = 'live';
    },
  });

  const join = () => post({ kind: 'join', page, after: hasGap ? undefined : position });
  const onMessage = ({ data }: MessageEvent<Message>) => {
    switch (data.kind) {
      case 'event':
        return receive(data.topic, data.id);
      case 'link':
        return options.onLink(data.link);
      case 'opened':
        return join();
      case 'join':
        if (stream.isOpen()) post({ kind: 'missed', page: data.page, topics: kept.since(data.after), link });
        return undefined;
      case 'missed':
        if (data.page !== page) return undefined;
        hasGap = false;
        options.onLink(data.link);
        for (const topic of data.topics) options.onTopic(topic);
        return undefined;
    }
  };

  const lead = () => {
    kept = createKept(position);
    stream.open();
  };
  const enter = (isStealing = false) => {
    if (turn !== undefined) return;
    if (!options.isCurrent()) return options.onTopic('ended');
    if (!hasStarted) {
      position = options.start();
      hasGap = position === undefined;
      hasStarted = true;
    }
    const own = (turn = new AbortController());
    const { signal } = own;
    if (locks === undefined) return lead();
    channel = new BroadcastChannel(name);
    channel.addEventListener('message', onMessage);
    join();
    leadInTurn(locks, name, { isStealing, signal, lead }).catch((error: unknown) => {
      // The page has left meanwhile.
      if (turn !== own) return;
      // A browser that stores nothing has no locks either.
      if (!(error instanceof DOMException && error.name === 'AbortError')) return lead();
      // Another page took the stream, which had been silent here.
      leave();
      enter();
    });
  };
  const leave = () => {
    const own = turn;
    turn = undefined;
    hasGap = position === undefined;
    stream.close();
    channel?.close();
    channel = undefined;
    own?.abort();
    options.onLink('reconnecting');
  };
  return {
    enter: () => enter(),
    leave,
    reopen(silentMs) {
      if (!stream.isOpen() ? silentMs < TAKEOVER_MS : silentMs < DEAD_STREAM_MS) return;
      leave();
      enter(true);
    },
  };
}
