import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('./s3-process.ts', import.meta.url));

/** A store with the S3 protocol in a separate process. */
export interface S3Server {
  /** Value of BLOBS_URL for a new bucket, or for a path in it. */
  bucketUrl(bucket: string, path?: string): Promise<string>;
  /** Keys of a bucket, sorted. */
  keys(bucket: string): Promise<string[]>;
  /** Keys of uploads in parts that were neither completed nor aborted. */
  unfinished(bucket: string): Promise<string[]>;
  /** Continue after `freeze`. */
  thaw(): void;
  /** Stop answering, with open connections. */
  freeze(): void;
  /** End the process, and wait until it is gone. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

/** Start a store on a free port of loopback, with its files in a folder of its own. */
export async function startS3Server(): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), 'highline-s3-'));
  const script = fileURLToPath(import.meta.resolve('@20minutes/s3rver'));
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, script, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const kill = async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  return {
    async bucketUrl(bucket, path = '') {
      await mkdir(join(folder, bucket), { recursive: true });
      return `http://S3RVER:S3RVER@127.0.0.1:${port}/${bucket}${path === '' ? '' : `/${path}`}`;
    },
    async keys(bucket) {
      const names = await readdir(join(folder, bucket), { recursive: true });
      return names.flatMap((name) => /^(.+)\._S3rver_object$/u.exec(name)?.[1] ?? []).toSorted();
    },
    async unfinished(bucket) {
      const uploads = join(folder, bucket, '._S3rver_uploads');
      const ids = await readdir(uploads).catch(() => []);
      return Promise.all(ids.map((id) => readFile(join(uploads, id, 'key'), 'utf8')));
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    kill,
    async close() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
