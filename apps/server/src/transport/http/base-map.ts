import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError, required } from '../../kernel/failure.ts';
import { addressOfCaller } from '../../platform/calls/caller.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import { bearerOf, hashBearer, type SessionReader } from './bearer.ts';

export interface BaseMapOptions {
  readonly baseMap: Settings['baseMap'];
  readonly sessions: SessionReader;
  /** Pages of links that show vehicles have no session, and the map too (RPM-06). */
  readonly links: { isLive(token: string): Promise<boolean> };
}

/** The most bytes of one response: directories and tiles of PMTiles are much smaller. */
const MOST_BYTES = 8 * 1_048_576;

/** The token of a link, instead of a bearer. */
const LINK = /^Link ([\w-]{1,100})$/u;

/** A part of a file, both ends included. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * The operator's base map, for the console (POS-03): `/console/map` names the style and the PMTiles files, and
 * `/console/map/<file>` answers ranges of one of them. Both need a session, or the token of a live link.
 */
export function serveBaseMap(app: FastifyInstance, { baseMap, sessions, links }: BaseMapOptions): void {
  const checkReader = async (request: FastifyRequest): Promise<void> => {
    const [, token] = LINK.exec(request.headers.authorization ?? '') ?? [];
    if (token === undefined) return checkSession(request, sessions);
    if (!(await links.isLive(token))) throw new DomainError('session.invalid');
  };
  const files = new Map(baseMap.tiles.map(({ name, path }) => [name, path]));

  app.get('/console/map', async (request, reply) => {
    await checkReader(request);
    // The version is part of the address: browsers keep ranges of a file, and must not mix those of two.
    const tiles = await Promise.all(
      baseMap.tiles.map(async ({ name, path }) => `/console/map/${encodeURIComponent(name)}?v=${(await fileOf(path))?.version}`),
    );
    return reply.header('cache-control', 'no-store').send({ result: { style: baseMap.style?.url ?? null, tiles } });
  });

  app.get<{ Params: { name: string } }>('/console/map/:name', async (request, reply) => {
    await checkReader(request);
    const path = required(files.get(request.params.name), 'not_found');
    const { size, version } = required(await fileOf(path), 'not_found');
    reply.header('accept-ranges', 'bytes').header('etag', `"${version}"`).type('application/octet-stream');
    const range = rangeOf(request.headers.range, size);
    if (range === undefined) return reply.code(416).header('content-range', `bytes */${size}`).send();
    return reply
      .code(206)
      .header('cache-control', 'private, max-age=86400')
      .header('content-range', `bytes ${range.start}-${range.end}/${size}`)
      .header('content-length', range.end - range.start + 1)
      .send(createReadStream(path, range));
  });
}

async function checkSession(request: FastifyRequest, sessions: SessionReader): Promise<void> {
  const { text } = required(bearerOf(request), 'session.missing');
  required(await sessions.readSession(hashBearer(text), addressOfCaller(request)), 'session.invalid');
}

/** Undefined when the file was removed since the start. */
async function fileOf(path: string): Promise<{ size: number; version: string } | undefined> {
  try {
    const { size, mtimeMs } = await stat(path);
    return { size, version: `${size.toString(36)}-${Math.round(mtimeMs).toString(36)}` };
  } catch {
    return undefined;
  }
}

/** The one range that a request names, at most 8 MiB; undefined for anything else, also for the whole file. */
function rangeOf(header: string | undefined, size: number): Range | undefined {
  const [, from, to] = /^bytes=(\d{1,15})-(\d{1,15})$/u.exec(header ?? '') ?? [];
  if (from === undefined || to === undefined) return undefined;
  const start = Number(from);
  const end = Math.min(Number(to), size - 1);
  return start <= end && end - start < MOST_BYTES ? { start, end } : undefined;
}
