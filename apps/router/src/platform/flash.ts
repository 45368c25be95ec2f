import { createReadStream, rmSync } from 'node:fs';
import { mkdir, open, readFile, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ImageDigest } from '../updates/image-digest.ts';

/** Target of a download: one of the two firmware slots, or the config file area. */
export type FlashArea = 'slot-1' | 'slot-2' | 'config';

/** The storage of downloads. Appended data survives a power cut, except possibly its end. */
export type Flash = {
  size(area: FlashArea): Promise<number>;
  /** Bytes that can still be appended; the state of the router needs some of them, where it is on the same disk. */
  free(): Promise<number>;
  /** What the area held is free when this returns, so that a state can be written next. @throws Error when that failed */
  erase(area: FlashArea): void;
  append(area: FlashArea, bytes: Uint8Array): Promise<void>;
  /** What was appended survives a power cut from now on. */
  sync(area: FlashArea): Promise<void>;
  /** Make everything durable and read it back: what is flashed is what is stored. */
  seal(area: FlashArea): Promise<ImageDigest>;
  /** Small files only. */
  read(area: FlashArea): Promise<Buffer>;
};

/** Config files are kept whole; of images in memory only the digest is kept, so that thousands of routers fit. */
const MAX_KEPT_BYTES = 1024 * 1024;

/** Flash in memory. */
export function createMemoryFlash(): Flash {
  const areas = new Map<FlashArea, { digest: ImageDigest; kept: Buffer }>();
  const at = (area: FlashArea) => {
    const found = areas.get(area) ?? { digest: new ImageDigest(), kept: Buffer.alloc(0) };
    areas.set(area, found);
    return found;
  };
  return {
    size: async (area) => at(area).digest.size,
    free: async () => Number.POSITIVE_INFINITY,
    erase: (area) => void areas.delete(area),
    async append(area, bytes) {
      const found = at(area);
      found.digest.update(bytes);
      if (area === 'config' && found.kept.length + bytes.length <= MAX_KEPT_BYTES)
        found.kept = Buffer.concat([found.kept, bytes]);
    },
    sync: async () => undefined,
    seal: async (area) => at(area).digest,
    read: async (area) => at(area).kept,
  };
}

/** Flash whose writes fail while it is worn out. */
export function withWriteFaults(flash: Flash, isWorn: () => boolean): Flash {
  return {
    ...flash,
    async append(area, bytes) {
      if (isWorn()) throw new Error('input/output error');
      await flash.append(area, bytes);
    },
  };
}

/** Flash as files `<base>.slot-1` and so on. */
export function createFileFlash(base: string): Flash {
  const fileOf = (area: FlashArea) => `${base}.${area}`;
  const makeFolder = () => mkdir(dirname(base), { recursive: true, mode: 0o700 });
  const sync = async (area: FlashArea) => {
    await makeFolder();
    // Opened like this an erased area is an empty one.
    const file = await open(fileOf(area), 'a', 0o600);
    try {
      await file.sync();
    } finally {
      await file.close();
    }
    await syncFolder(dirname(base));
  };
  return {
    async size(area) {
      const found = await stat(fileOf(area)).catch(() => undefined);
      return found?.size ?? 0;
    },
    async free() {
      await makeFolder();
      const { bavail, bsize } = await statfs(dirname(base));
      return bavail * bsize;
    },
    erase: (area) => rmSync(fileOf(area), { force: true }),
    async append(area, bytes) {
      await makeFolder();
      const file = await open(fileOf(area), 'a', 0o600);
      try {
        // Unlike write, which may write a part only, it writes everything or throws.
        await file.writeFile(bytes);
      } finally {
        await file.close();
      }
    },
    sync,
    async seal(area) {
      await sync(area);
      const digest = new ImageDigest();
      for await (const chunk of createReadStream(fileOf(area))) digest.update(chunk as Buffer);
      return digest;
    },
    read: (area) => readFile(fileOf(area)),
  };
}

/** A new file is durable once its folder is synced. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
