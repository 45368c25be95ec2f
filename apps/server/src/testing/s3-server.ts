import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

// s3rver checks signatures, but computes another path for calls on a bucket (`/bucket/?list-type=2`) than the SDK signs, so these
// go to a second instance that does not compare. It has no uploads that can be listed or aborted.
const program = `
  const http = require('node:http');
  const S3rver = require(process.argv[1]);
  const [strict, lenient] = [false, true].map((allowMismatchedSignatures) =>
    new S3rver({ directory: process.argv[2], silent: true, vhostBuckets: false, allowMismatchedSignatures }).callback());
  const server = http.createServer((request, response) =>
    (/^\\/[^/?]+\\/?(?:[?]|$)/.test(request.url) ? lenient : strict)(request, response));
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));`;

/** A store with the S3 protocol in a separate process. */
export interface S3Server {
  /** Value of BLOBS_URL for a new bucket, or for a path in it. */
  bucketUrl(bucket: string, path?: string): Promise<string>;
  /** Keys of a bucket, sorted. */
  keys(bucket: string): Promise<string[]>;
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
  const child = spawn(process.execPath, ['-e', program, script, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
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
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    kill,
    async close() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
