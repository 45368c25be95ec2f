import { setTimeout as pause } from 'node:timers/promises';
import { openEventStream } from '@highline/testkit/services';

/** An open console: what its event stream has shown. */
export interface Console {
  readonly groups: ReadonlySet<string>;
  /** Epoch milliseconds when it last had to fetch all groups. */
  readonly refetchedAt: number;
  /** Its connections, for the explanation of a fault. */
  readonly log: readonly string[];
  /** Resolves when its first stream is open: what is committed later must be shown. */
  readonly opened: Promise<void>;
}

/** Do it again, some time after it ended, until the signal. */
export async function repeat(everyMs: number, job: () => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await job();
    await pause(everyMs, undefined, { signal }).catch(() => {});
  }
}

/** Reads live events like a browser: reconnects, and resumes from the last id. */
export function openConsole(url: string, bearer: string, signal: AbortSignal): Console {
  const groups = new Set<string>();
  const log: string[] = [];
  const first = Promise.withResolvers<void>();
  const shown = { groups, refetchedAt: 0, log, opened: first.promise };
  let lastEventId: string | undefined;
  void repeat(
    500,
    async () => {
      try {
        const stream = await openEventStream(url, bearer, lastEventId === undefined ? {} : { lastEventId });
        const close = () => stream.close();
        signal.addEventListener('abort', close);
        const end = new AbortController();
        void stream.ended.catch(() => {}).finally(() => end.abort());
        log.push(`${Date.now()} ${stream.status} from ${lastEventId} to ${stream.lastId()}`);
        if (stream.status === 200) first.resolve();
        else end.abort();
        let read = 0;
        while (!end.signal.aborted || read < stream.received.length) {
          for (; read < stream.received.length; read++) {
            const { data } = stream.received[read]!;
            if (data.topic === 'reset' || (data.topic === 'groups' && data.ids.length === 0)) shown.refetchedAt = Date.now();
            if (data.topic === 'groups') for (const id of data.ids) groups.add(id);
          }
          await pause(100);
        }
        if (stream.lastId() !== '') lastEventId = stream.lastId();
        log.push(`${Date.now()} ended at ${lastEventId}`);
        signal.removeEventListener('abort', close);
      } catch (error) {
        // No server answered: the browser tries again.
        log.push(`${Date.now()} ${String(error)}`);
      }
    },
    signal,
  );
  return shown;
}
