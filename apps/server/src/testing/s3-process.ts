// `s3-process.ts <module of s3rver> <folder>`: a store with the S3 protocol; prints its port.
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

type Store = new (options: object) => { callback(): RequestListener };

const [, , script = '', folder = ''] = process.argv;
const S3rver = createRequire(import.meta.url)(script) as Store;
const storeWith = (more: object) => new S3rver({ directory: folder, silent: true, vhostBuckets: false, ...more }).callback();
const strict = storeWith({});
// s3rver computes another path for calls on a bucket (`/bucket/?list-type=2`) than the SDK signs, so these are not compared.
const lenient = storeWith({ allowMismatchedSignatures: true });

/** Where s3rver keeps the parts of unfinished uploads. */
const uploadsOf = (bucket: string) => join(folder, bucket, '._S3rver_uploads');

/** Two calls that s3rver lacks: list and abort unfinished uploads. */
function respondToUploads({ method, url = '' }: IncomingMessage, response: ServerResponse): boolean {
  const { pathname, searchParams } = new URL(url, 'http://store');
  const [, bucket = ''] = pathname.split('/');
  const id = searchParams.get('uploadId');
  if (method === 'DELETE' && id !== null) {
    rmSync(join(uploadsOf(bucket), id), { recursive: true });
    response.writeHead(204).end();
    return true;
  }
  if (method !== 'GET' || !searchParams.has('uploads')) return false;
  const ids = existsSync(uploadsOf(bucket)) ? readdirSync(uploadsOf(bucket)) : [];
  const listed = ids.map((one) => {
    const key = readFileSync(join(uploadsOf(bucket), one, 'key'), 'utf8');
    if (!key.startsWith(searchParams.get('prefix') ?? '')) return '';
    const begun = statSync(join(uploadsOf(bucket), one, 'key')).mtime.toISOString();
    return `<Upload><Key>${key}</Key><UploadId>${one}</UploadId><Initiated>${begun}</Initiated></Upload>`;
  });
  const body = `<ListMultipartUploadsResult>${listed.join('')}</ListMultipartUploadsResult>`;
  response.writeHead(200, { 'content-type': 'application/xml' }).end(body);
  return true;
}

const server = createServer((request, response) => {
  if (respondToUploads(request, response)) return;
  (/^\/[^/?]+\/?(?:\?|$)/u.test(request.url ?? '') ? lenient : strict)(request, response);
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
