/** Larger files are read for each download. */
const MOST_BYTES = 64 * 1024;
const MOST_FILES = 32;
/** Contents are passwords and keys of vehicle networks: they stay in memory only while a rollout needs them. */
const KEPT_MS = 10_000;

/** A file to read: `key` names contents that never change. */
export interface SmallFile {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  read(): Promise<Buffer>;
}

export interface SmallFiles {
  /** The contents of a file: read once for downloads at the same time, and kept for ten seconds. Rejects as its `read`. */
  open(file: SmallFile): Promise<Buffer>;
}

/** Contents of files that many routers download at the same time. Callers must have checked the permission. */
export function createSmallFiles(): SmallFiles {
  const kept = new Map<string, Promise<Buffer>>();
  return {
    open({ key, size, read }) {
      const known = kept.get(key);
      if (known !== undefined) return known;
      const contents = read();
      if (size > MOST_BYTES || kept.size >= MOST_FILES) return contents;
      kept.set(key, contents);
      const release = () => kept.delete(key);
      contents.then(() => setTimeout(release, KEPT_MS).unref(), release);
      return contents;
    },
  };
}
