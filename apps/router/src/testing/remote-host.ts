import { createManualScheduler } from '../platform/scheduler.ts';
import { createHostKey } from '../remote/host-key.ts';
import type { RemoteHost } from '../remote/host.ts';
import { ActivityLog } from '../remote/activity-log.ts';
import { createBareRouter } from './view.ts';

const hostKey = createHostKey(undefined, () => undefined);

/** Dependencies of remote access for tests, with a manual clock and no router. */
export type TestHost = Omit<RemoteHost, 'scheduler'> & {
  scheduler: ReturnType<typeof createManualScheduler>;
  /** Set parameters, as 'path=value'. */
  readonly sets: string[];
  /** Number of requested restarts. */
  restarts: number;
  /** Resolves when remote access has logged an event with this text. */
  noted(text: string): Promise<void>;
};

/** @param changes e.g. another answer of `set` */
export function createTestHost(changes: Partial<Pick<RemoteHost, 'router' | 'set' | 'home'>> = {}): TestHost {
  const { view, scheduler } = createBareRouter();
  const sets: string[] = [];
  let notes = '';
  let waiting: { text: string; resolve: () => void }[] = [];
  return {
    router: view,
    scheduler,
    sets,
    restarts: 0,
    log(_level, _event, fields) {
      notes += `${String(fields?.['text'])}\n`;
      for (const { text, resolve } of waiting) if (notes.includes(text)) resolve();
      waiting = waiting.filter(({ text }) => !notes.includes(text));
    },
    async noted(text) {
      if (!notes.includes(text)) await new Promise<void>((resolve) => waiting.push({ text, resolve }));
    },
    activityLog: new ActivityLog(() => scheduler.now()),
    hostKey,
    home: () => 'ws://localhost:8080/usp/secret?eid=x',
    set(objPath, param, value) {
      sets.push(`${objPath}${param}=${value}`);
      return undefined;
    },
    restart() {
      this.restarts += 1;
    },
    ...changes,
  };
}
