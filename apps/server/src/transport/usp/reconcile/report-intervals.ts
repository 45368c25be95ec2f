import type { Log } from '../../../platform/ports/log.ts';
import { collectCalls } from '../../../platform/retry/collect-calls.ts';
import type { Session } from '../session.ts';

/** Seconds between two reports, of the routers that have a setting of their own. */
export type ReadReportSeconds = (routerIds: readonly string[]) => Promise<ReadonlyMap<string, number>>;

export interface ReportIntervalsDeps {
  readonly read: ReadReportSeconds;
  /** For all other routers. */
  readonly usual: number;
  readonly log: Log;
}

const AT_ONCE = 1_000;

/** How often each router is to report. Routers that connect together are looked up together. */
export class ReportIntervals {
  readonly #deps: ReportIntervalsDeps;
  /** @returns undefined if that could not be read */
  readonly #find: (routerId: string) => Promise<number | undefined>;

  constructor(deps: ReportIntervalsDeps) {
    this.#deps = deps;
    this.#find = collectCalls({ most: AT_ONCE, run: (routerIds: readonly string[]) => this.#read(routerIds) });
  }

  /** Read the interval of a router into its session; it stays as it was if that fails. */
  async load(session: Session): Promise<void> {
    session.reportSeconds = (await this.#find(session.router.routerId)) ?? session.reportSeconds ?? this.#deps.usual;
  }

  /** @returns the sessions whose routers are set to another interval than they should have by now */
  async outdated(sessions: readonly Session[]): Promise<Session[]> {
    const all: Session[] = [];
    for (let start = 0; start < sessions.length; start += AT_ONCE) {
      const part = sessions.slice(start, start + AT_ONCE);
      // oxlint-disable-next-line no-await-in-loop -- one short query after another, in the background
      const found = await this.#deps.read(part.map(({ router }) => router.routerId));
      all.push(
        ...part.filter(
          ({ router, reportSeconds }) =>
            reportSeconds !== undefined && reportSeconds !== (found.get(router.routerId) ?? this.#deps.usual),
        ),
      );
    }
    return all;
  }
  async #read(routerIds: readonly string[]): Promise<readonly (number | undefined)[]> {
    const { read, usual, log } = this.#deps;
    try {
      const found = await read(routerIds);
      return routerIds.map((id) => found.get(id) ?? usual);
    } catch (error) {
      log.warn({ err: error, routers: routerIds.length }, 'Failed to read how often routers report.');
      return routerIds.map(() => undefined);
    }
  }
}
