/** Paths that are kept; when there are more, as where a router makes them up, it begins again. */
const MOST_PATHS = 2_000;
const LONGEST_PATH = 128;

/** What a path means, looked up once: routers send the same few paths in each report. */
export function byPath<Meaning>(read: (path: string) => Meaning): (path: string) => Meaning {
  const known = new Map<string, Meaning>();
  return (path) => {
    const kept = known.get(path);
    if (kept !== undefined || known.has(path)) return kept as Meaning;
    const meaning = read(path);
    if (known.size >= MOST_PATHS) known.clear();
    if (path.length <= LONGEST_PATH) known.set(path, meaning);
    return meaning;
  };
}
