import { randomBytes } from 'node:crypto';
import type { Checkpoint, CheckpointStore, Clock } from '../../ports/index.ts';
import type { Bucket } from '../s3/bucket.ts';
import { linesOf, parseCheckpoint } from './checkpoints.ts';

const FOLDER = 'audit/';
/**
 * A start reads the checkpoints of this time, a little more than a month: as far back as backups usually go, so that a log that was set back is named.
 * A log without one in it is signed again.
 */
const READ_MS = 35 * 86_400_000;
/** There is an object for each quarter of an hour and process in which logs grew. */
const AT_ONCE = 16;

/**
 * One object for each time that logs are signed, `audit/checkpoints-2026-11-20T12-00-00-000Z-1f2e3d4c.ndjson`. No object is
 * written twice, so that the bucket may keep them locked.
 */
export function createBucketCheckpoints(bucket: Bucket, clock: Clock): CheckpointStore {
  return {
    async newest() {
      const newest = new Map<string, Checkpoint>();
      const since = timeInName(new Date(clock.now().getTime() - READ_MS).toISOString());
      const keys: string[] = [];
      for await (const { key } of bucket.list(FOLDER, `checkpoints-${since}`)) keys.push(key);
      for (let start = 0; start < keys.length; start += AT_ONCE) {
        const some = keys.slice(start, start + AT_ONCE);
        for (const checkpoints of await Promise.all(some.map((key) => readObject(bucket, key))))
          for (const checkpoint of checkpoints) newest.set(checkpoint.chain, checkpoint);
      }
      return newest;
    },
    async append(checkpoints) {
      const [first] = checkpoints;
      if (first === undefined) return;
      const name = `checkpoints-${timeInName(first.at)}-${randomBytes(4).toString('hex')}.ndjson`;
      await bucket.put(FOLDER + name, Buffer.from(linesOf(checkpoints)));
    },
  };
}

/** Sorts as the time does, and is a valid file name everywhere. */
function timeInName(iso: string): string {
  return iso.replaceAll(/[:.]/gu, '-');
}

async function readObject(bucket: Bucket, key: string): Promise<Checkpoint[]> {
  const content = (await bucket.read(key))?.toString('utf8') ?? '';
  return content.split('\n').flatMap((line) => parseCheckpoint(line) ?? []);
}
