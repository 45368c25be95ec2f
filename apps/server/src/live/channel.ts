import type { ServerResponse } from 'node:http';
import type { live } from '@highline/contract';
import { guard } from '../guard.ts';
import type { Log } from '../ports/log.ts';

/** Events are sent at most so often; what comes in between is gathered, so that a storm of changes is a few refetches. */
const CALM_MS = 250;
/** After a quiet time the first event waits only for those that were committed together with it. */
const TOGETHER_MS = 20;
/** A browser that does not read is cut off rather than buffered for; it resumes where it stood. */
const MAX_BUFFERED_BYTES = 256 * 1024;
/** More ids than this mean the whole topic. */
const MAX_IDS = 50;

export interface ChannelDeps {
  /** The organization that events name; null for a main account's channel. */
  readonly organizationId: string | null;
  /** Where the browser would resume from, once everything gathered is sent; undefined while that is not known. */
  readonly place: () => string | undefined;
  readonly log: Pick<Log, 'error'>;
}

/** The way to one browser: what is sent to it, how often and with which place to resume from. */
export interface Channel {
  /** Note a change, and send what has gathered shortly after. Without ids it means the whole topic. */
  gather(topic: live.LiveTopic, ids: readonly string[]): void;
  /** Say for how long to stay away after the end, and the place to resume from if it is known. */
  greet(retryMs: number): void;
  /** Keep proxies from closing a quiet stream, and the browser's place from growing old. */
  beat(): void;
  /** The session or its role ended: the console reloads. */
  finish(): void;
  /** End the stream; the browser comes back by itself, after `retryMs` if given. */
  close(retryMs?: number): void;
}

/** Speak server-sent events (HTML, 9.2) over an answer whose head has been sent. */
export function createChannel(response: ServerResponse, { organizationId, place, log }: ChannelDeps): Channel {
  const pending = new Map<live.LiveTopic, Set<string> | 'all'>();
  let timer: NodeJS.Timeout | undefined;
  let sentAt = -CALM_MS;

  const write = (text: string): void => {
    if (response.writableEnded || response.destroyed) return;
    response.write(text);
    if (response.writableLength > MAX_BUFFERED_BYTES) response.destroy();
  };

  const idLine = (): string => {
    const at = place();
    return at === undefined ? '' : `id: ${at}\n`;
  };

  const flush = (): void => {
    timer = undefined;
    sentAt = performance.now();
    const blocks = [...pending].map(([topic, ids]) => {
      const data: live.LiveEvent = { topic, ids: ids === 'all' ? [] : [...ids], org: organizationId };
      return `event: ${topic}\ndata: ${JSON.stringify(data)}\n`;
    });
    pending.clear();
    // The place goes with the last event alone: a stream cut off in between resumes before all of them.
    const last = blocks.length - 1;
    write(blocks.map((block, index) => `${index === last ? idLine() : ''}${block}\n`).join(''));
  };

  const guardedFlush = guard(log, () => response.destroy(), flush);

  const end = (text: string): void => {
    clearTimeout(timer);
    write(text);
    response.end();
  };

  return {
    gather(topic, ids) {
      const before = pending.get(topic);
      const merged = ids.length === 0 || before === 'all' ? 'all' : new Set([...(before ?? []), ...ids]);
      pending.set(topic, merged !== 'all' && merged.size > MAX_IDS ? 'all' : merged);
      timer ??= setTimeout(guardedFlush, Math.max(TOGETHER_MS, sentAt + CALM_MS - performance.now()));
    },
    // An id without data is kept by the browser all the same: who is cut off before the first event resumes from here.
    greet: (retryMs) => write(`retry: ${retryMs}\n${idLine()}\n`),
    beat: () => write(`: \n${pending.size === 0 ? idLine() : ''}\n`),
    finish() {
      const data: live.LiveEvent = { topic: 'ended', ids: [], org: null };
      end(`event: ended\ndata: ${JSON.stringify(data)}\n\n`);
    },
    close: (retryMs) => end(retryMs === undefined ? '' : `retry: ${retryMs}\n\n`),
  };
}
