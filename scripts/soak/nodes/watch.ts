import type { Sql } from './database.ts';
import { repeat } from './consoles.ts';

/** How long routers that were connected did not read as online. */
export interface Watch {
  /** Seconds of the longest time since the last call. */
  worst(): number;
  /** Serial numbers of the routers that read wrong now. */
  wrong(): readonly string[];
  stop(): Promise<void>;
}

const EVERY_MS = 1_000;

/** Compare once a second. @param connected serial numbers of the routers that are connected, as they say */
export function watchRouters(sql: Sql, connected: () => Promise<readonly string[]>): Watch {
  const since = new Map<string, number>();
  let worst = 0;
  const stopping = new AbortController();
  const look = async () => {
    const { rows } = await sql.query<{ serial: string }>("select serial from routers where presence = 'online'");
    const online = new Set(rows.map(({ serial }) => serial));
    const now = performance.now();
    const wrong = new Set((await connected()).filter((serial) => !online.has(serial)));
    for (const serial of since.keys()) if (!wrong.has(serial)) since.delete(serial);
    for (const serial of wrong) {
      if (!since.has(serial)) since.set(serial, now);
      worst = Math.max(worst, now - since.get(serial)!);
    }
  };
  // Without a database nothing is shown, and what is wrong stays so.
  const running = repeat(EVERY_MS, () => look().catch(() => {}), stopping.signal);
  return {
    worst() {
      const seconds = worst / 1_000;
      worst = 0;
      return seconds;
    },
    wrong: () => [...since.keys()],
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
