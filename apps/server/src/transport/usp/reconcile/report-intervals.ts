import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../../../platform/ports/log.ts';
import type { Session } from '../session.ts';

/** Seconds between two reports, of the routers that have a setting of their own. */
export type ReadReportSeconds = (routerIds: readonly string[]) => Promise<ReadonlyMap<string, number>>;

export interface ReportIntervalsDeps {
  readonly read: ReadReportSeconds;
  /** For all other routers. */
  readonly usual: number;
  readonly log: Log;
}

interface Batch {
  readonly ids: string[];
  readonly seconds: Promise<ReadonlyMap<string, number> | undefined>;
}

const COLLECT_MS = 20;
const AT_ONCE = 1_000;

/** How often each router is to report. Routers that connect together are looked up together. */
export class ReportIntervals {
  readonly #deps: ReportIntervalsDeps;
  #open: Batch | undefined;

  constructor(deps: ReportIntervalsDeps) {
    this.#deps = deps;
  }

  /** Read the interval of a router into its session; it stays as it was if that fails. */
  async load(session: Session): Promise<void> {
    const batch = (this.#open ??= this.#collect());
    batch.ids.push(session.router.routerId);
    if (batch.ids.length >= AT_ONCE) this.#open = undefined;
    const found = await batch.seconds;
    session.reportSeconds = found === undefined ? (session.reportSeconds ?? this.#deps.usual) : this.#of(found, session);
  }

  /** @returns the sessions whose routers are set to another interval than they should have by now */
  async outdated(sessions: readonly Session[]): Promise<Session[]> {
    const all: Session[] = [];
    for (let start = 0; start < sessions.length; start += AT_ONCE) {
      const part = sessions.slice(start, start + AT_ONCE);
      // oxlint-disable-next-line no-await-in-loop -- one short query after another, in the background
      const found = await this.#deps.read(part.map(({ router }) => router.routerId));
      all.push(
        ...part.filter((session) => session.reportSeconds !== undefined && session.reportSeconds !== this.#of(found, session)),
      );
    }
    return all;
  }

  #of(found: ReadonlyMap<string, number>, { router }: Session): number {
    return found.get(router.routerId) ?? this.#deps.usual;
  }

  #collect(): Batch {
    const ids: string[] = [];
    return { ids, seconds: this.#read(ids) };
  }

  async #read(ids: readonly string[]): Promise<ReadonlyMap<string, number> | undefined> {
    await pause(COLLECT_MS);
    if (this.#open?.ids === ids) this.#open = undefined;
    try {
      return await this.#deps.read(ids);
    } catch (error) {
      this.#deps.log.warn({ err: error, routers: ids.length }, 'Failed to read how often routers report.');
      return undefined;
    }
  }
}
