import { live } from '@highline/contract';
import { addressOf } from './client.ts';
import type { LiveTopic } from './kept-messages.ts';

/** Whether changes arrive by themselves now. */
export type LiveLink = 'live' | 'reconnecting';

const FIRST_RETRY = 1000;

const LONGEST_RETRY = 30_000;

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
export function createStream(on: StreamEvents) {
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
