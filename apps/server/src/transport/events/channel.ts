import type { ServerResponse } from 'node:http';
import type { live } from '@highline/contract';
import { guard } from '../../kernel/guard.ts';
import type { Log } from '../../platform/ports/log.ts';

/** Minimum interval between events; changes in between are merged, so that many changes cause few refetches. */
const CALM_MS = 250;
/** After a quiet time the first event waits only for changes committed together with it. */
const TOGETHER_MS = 20;
/** A browser that does not read is disconnected instead of buffered; it resumes from its cursor. */
const MAX_BUFFERED_BYTES = 256 * 1024;
/** More ids than this mean the whole topic. */
const MAX_IDS = 50;

export interface ChannelDeps {
  /** The organization named in events; null for a main account's channel. */
  readonly organizationId: string | null;
  /** Cursor to resume from once everything collected is sent; undefined while unknown. */
  readonly position: () => string | undefined;
  readonly log: Pick<Log, 'error'>;
}

/** Sends events to one browser, throttled and with the cursor to resume from. */
export interface Channel {
  /** Collect a change, and send all collected changes shortly after. Without ids it means the whole topic. */
  gather(topic: live.LiveTopic, ids: readonly string[]): void;
  /** Send the retry delay for the end of the stream, and the cursor if known. */
  greet(retryMs: number): void;
  /** Show that the server is alive, keep proxies from closing a quiet stream, and keep the browser's cursor current. */
  beat(): void;
  /** The session or its role ended: the console reloads. */
  finish(): void;
  /** End the stream; the browser reconnects by itself, after `retryMs` if given. */
  close(retryMs?: number): void;
}

/** Write server-sent events (HTML, 9.2) to a response whose head has been sent. */
export function createChannel(response: ServerResponse, { organizationId, position, log }: ChannelDeps): Channel {
  const pending = new Map<live.LiveTopic, Set<string> | 'all'>();
  let timer: NodeJS.Timeout | undefined;
  let sentAt = -CALM_MS;

  const write = (text: string): void => {
    if (response.writableEnded || response.destroyed) return;
    response.write(text);
    if (response.writableLength > MAX_BUFFERED_BYTES) response.destroy();
  };

  const idLine = (): string => {
    const at = position();
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
    // Only the last event carries the cursor: a stream cut off in between resumes before all of them.
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
    // A browser keeps an id without data: if cut off before the first event, it resumes from here.
    greet: (retryMs) => write(`retry: ${retryMs}\n${idLine()}\n`),
    beat() {
      const data: live.LiveEvent = { topic: 'beat', ids: [], org: null };
      write(`${pending.size === 0 ? idLine() : ''}event: beat\ndata: ${JSON.stringify(data)}\n\n`);
    },
    finish() {
      const data: live.LiveEvent = { topic: 'ended', ids: [], org: null };
      end(`event: ended\ndata: ${JSON.stringify(data)}\n\n`);
    },
    close: (retryMs) => end(retryMs === undefined ? '' : `retry: ${retryMs}\n\n`),
  };
}
