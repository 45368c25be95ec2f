import { createKept, type LiveTopic } from './kept-messages.ts';
import { createStream, type SharedStreamOptions, type LiveLink } from './one-stream.ts';

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

export interface SharedStream {
  /** Begin to listen, or go on with what came since. */
  enter(): void;
  /** Listen no more; another page takes the stream over. */
  leave(): void;
  /** Nothing was received for so long although the server answers: open the stream again, if need be in place of another page. */
  reopen(silentMs: number): void;
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
