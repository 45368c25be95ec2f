/** Downloads that are kept; the least recently used is dropped first. */
const MOST = 20_000;
/** How long a router is not redirected again after a redirect that did not help. */
const KEPT_MS = 86_400_000;

/** Which downloads are worth a redirect to the store. */
export interface Redirects {
  /**
   * Whether to redirect this request. A router that returns with the request it was redirected with received nothing: its agent
   * follows no redirects, or its network does not reach the store. It is served directly for a day.
   * @param download names the router and the file
   * @param range of the request; empty = the whole file
   * @param now milliseconds
   */
  isUseful(download: string, range: string, now: number): boolean;
}

/** Stores recent redirects of this process. */
export function createRedirects(most = MOST): Redirects {
  const last = new Map<string, { range: string; at: number; isDirect: boolean }>();
  return {
    isUseful(download, range, now) {
      const before = last.get(download);
      const isRecent = before !== undefined && now - before.at < KEPT_MS;
      const isDirect = isRecent && (before.isDirect || before.range === range);
      // Re-inserted at the end: a Map keeps insertion order. A direct one keeps its time, so that it ends.
      last.delete(download);
      last.set(download, { range, at: isDirect && before.isDirect ? before.at : now, isDirect });
      const [oldest] = last.keys();
      if (last.size > most && oldest !== undefined) last.delete(oldest);
      return !isDirect;
    },
  };
}
