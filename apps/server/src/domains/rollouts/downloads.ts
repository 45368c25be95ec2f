import { createHash, timingSafeEqual } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '../../kernel/address.ts';
import { DomainError, required } from '../../kernel/failure.ts';
import { addressOfCaller } from '../../platform/calls/caller.ts';
import type { ByteRange } from '../../platform/ports/blobs.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { collectCalls } from '../../platform/retry/collect-calls.ts';
import { openConfig, type Seal } from '../configs/index.ts';
import type { DownloadPasswords } from './engine/address.ts';
import { findDownloads, type OpenDownload } from './downloads.store.ts';
import { createRedirects, type Redirects } from './redirects.ts';
import { readRange } from './range.ts';
import { createSmallFiles, type SmallFiles } from './small-files.ts';

export interface DownloadDeps extends Pick<Deps, 'database' | 'clock' | 'blobs'> {
  readonly seal: Seal;
  readonly passwords: Pick<DownloadPasswords, 'isOf'>;
  /** Failed attempts by key; `now` is milliseconds. */
  readonly tries: { isSpent(key: string, now: number): boolean; spend(key: string, now: number): void };
}

/** Steps of one statement. */
const MOST_STEPS = 500;
/** Letters of a step's key. */
const STEP_LENGTH = 36;
/** Seconds that a client must wait after too many wrong guesses. */
const AGAIN_SECONDS = 30;

/**
 * Where routers fetch files: `GET /dl/<step key>/<name>` with HTTP Basic credentials. Every failure is a 404, so that no one learns
 * which steps exist. Ranges are served, so that a download continues after lost coverage. Firmware is read from the store where
 * routers reach it; config files are encrypted there, so they always pass through us.
 */
export function registerDownloads(app: FastifyInstance, deps: DownloadDeps): void {
  const redirects = createRedirects();
  // A small file is requested by thousands of routers within seconds, and planning the statement costs more than running it.
  const findDownload = collectCalls({
    most: MOST_STEPS,
    async run(stepKeys: readonly string[]) {
      const found = await findDownloads(deps.database.read, stepKeys, deps.clock.now());
      return stepKeys.map((key) => found.get(key));
    },
  });
  const files = createSmallFiles();
  const route = {
    method: ['GET', 'HEAD'] as ('GET' | 'HEAD')[],
    exposeHeadRoute: false,
    handler: async (request: StepRequest, reply: FastifyReply) => {
      const download = await findDownload(request.params.step);
      const isPassword = (password: string) => deps.passwords.isOf(request.params.step, password);
      if (download === undefined || !isFor(download, request.headers.authorization, isPassword))
        return rejectDownload(deps, request, reply);
      const elsewhere = await publicUrlOf(deps, redirects, download, request);
      return elsewhere === undefined
        ? serve({ ...deps, files }, download, request, reply)
        : reply.header('cache-control', 'no-store').redirect(elsewhere, 302);
    },
  };
  // Routers that were sent an address by an older version continue their download at it.
  for (const url of ['/dl/:step/:name', '/dl/:step']) app.route<StepRoute>({ ...route, url });
}

interface StepRoute {
  /** The name is only for the agent, and not compared. */
  Params: { step: string; name?: string };
}
type StepRequest = FastifyRequest<StepRoute>;

/**
 * Failures are counted by address and step: a fleet behind one carrier address fails together when its steps have ended, and that
 * must not block the downloads of other routers.
 */
function rejectDownload({ clock, tries }: DownloadDeps, request: StepRequest, reply: FastifyReply): FastifyReply {
  const key = `${networkOf(addressOfCaller(request))} ${request.params.step.slice(0, STEP_LENGTH)}`;
  const now = clock.now().getTime();
  if (tries.isSpent(key, now)) return reply.code(429).header('retry-after', AGAIN_SECONDS).send();
  tries.spend(key, now);
  throw new DomainError('not_found');
}

function isFor(
  { endpointId, hash }: OpenDownload,
  authorization: string | undefined,
  isPassword: (password: string) => boolean,
): boolean {
  const encoded = /^basic +([\w+/=-]{1,500})$/iu.exec(authorization ?? '')?.[1] ?? '';
  const credentials = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = endpointId.length;
  const named = timingSafeEqual(digest(credentials.slice(0, colon + 1)), digest(`${endpointId}:`));
  const password = credentials.slice(colon + 1);
  const known = timingSafeEqual(digest(password), hash) || isPassword(password);
  return named && known;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Where the router reads the file instead; undefined = here. The store knows no `If-Range` of ours. */
async function publicUrlOf(
  { blobs, clock }: DownloadDeps,
  redirects: Redirects,
  { kind, endpointId, sha256 }: OpenDownload,
  { method, headers }: FastifyRequest,
): Promise<string | undefined> {
  if (kind !== 'firmware' || method !== 'GET' || headers['if-range'] !== undefined) return undefined;
  const url = await blobs.publicUrl(sha256);
  if (url === undefined) return undefined;
  return redirects.isUseful(`${endpointId} ${sha256}`, headers.range ?? '', clock.now().getTime()) ? url : undefined;
}

interface ServeDeps extends DownloadDeps {
  readonly files: SmallFiles;
}

async function serve(
  deps: ServeDeps,
  download: OpenDownload,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { sha256, size } = download;
  const tag = `"${sha256}"`;
  const condition = request.headers['if-range'];
  const range = condition === undefined || condition === tag ? readRange(request.headers.range, size) : undefined;
  reply.header('etag', tag).header('accept-ranges', 'bytes').header('cache-control', 'no-store').type('application/octet-stream');
  if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${size}`).send();
  const { start, end } = range ?? { start: 0, end: size - 1 };
  if (range !== undefined) reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`);
  reply.header('content-length', end - start + 1);
  return reply.send(request.method === 'HEAD' ? undefined : await open(deps, download, { start, end }));
}

async function open(
  { database, blobs, seal, files }: ServeDeps,
  download: OpenDownload,
  range: Required<ByteRange>,
): Promise<Readable> {
  const { kind, sha256, size, organizationId, configId, configNumber } = download;
  if (kind === 'firmware') {
    const blob = required(await blobs.open(sha256, range), 'not_found');
    return blob.stream;
  }
  const contents = await files.open({
    key: `${organizationId} ${configId} ${configNumber} ${sha256}`,
    size,
    read: () => openConfig(database.read, seal, { organizationId }, configId ?? '', configNumber ?? 0),
  });
  return Readable.from([contents.subarray(range.start, range.end + 1)]);
}
