import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { tools } from '@highline/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError, required } from '../../kernel/failure.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { FileMemory } from './file-memory.ts';
import { hashOfSecret, TRANSFERS } from './tools.service.ts';
import { claimTransfer, findTransfer, storeFile } from './transfers.job.queries.ts';

type TransferDeps = Pick<Deps, 'database' | 'clock'>;

/** What a one-time address is for now. */
export interface OpenAddress {
  readonly organizationId: string;
  readonly routerId: string;
  /** What the router downloads; left out = it uploads. */
  readonly download?: { readonly bytes: number; open(): Readable };
  readonly upload?: {
    readonly most: number;
    /**
     * Keeps what arrived; left out = it is thrown away as it arrives.
     * @returns whether the address might still be used: one whose upload breaks off is as before
     */
    store?(contents: Buffer): Promise<boolean>;
  };
  /** Of what is not kept. @returns whether the address may be used */
  claim(): Promise<boolean>;
}

/** Finds what a one-time address is for. @param hash SHA-256 of its secret */
export type AddressSource = (hash: Buffer) => Promise<OpenAddress | undefined>;

interface TransferRoute {
  Params: { secret: string };
}
type TransferRequest = FastifyRequest<TransferRoute>;

/** The uploads that are kept, by the secrets of their addresses: one at a time has memory. */
type Receiving = Map<string, TransferRequest>;

/** 32 random bytes in base64url. */
const SECRET = /^[\w-]{43}$/u;
const MOST_BYTES = Math.max(...tools.speedTestBytes, tools.MAX_LOG_BYTES);
/** Content of test files: nothing on the way can compress it. */
const CHUNK = randomBytes(64 * 1024);

/** A new address for a router, and what is stored of it. @param origin address of this server, without a trailing slash */
export function createTransferAddress(origin: string): { readonly url: string; readonly hash: Buffer } {
  const secret = randomBytes(32).toString('base64url');
  return { url: `${origin}${TRANSFERS}${secret}`, hash: hashOfSecret(secret) };
}

/**
 * The one-time addresses of routers: `GET` sends a file, `PUT` and `POST` take what a router uploads, up to the limit of what it is for.
 * Everything else is a 404, so that no one learns which addresses exist.
 */
export function registerTransfers(app: FastifyInstance, sources: readonly AddressSource[]): void {
  const url = `${TRANSFERS}:secret`;
  const memory = new FileMemory();
  const receiving: Receiving = new Map();
  void app.register((routes, _, done) => {
    // Also what a router calls text or JSON is a file.
    routes.removeAllContentTypeParsers();
    routes.addContentTypeParser('*', (_request, payload, parsed) => parsed(null, payload));
    routes.get<TransferRoute>(url, { exposeHeadRoute: false }, async (request, reply) => sendFile(sources, request, reply));
    routes.route<TransferRoute>({
      method: ['PUT', 'POST'],
      url,
      bodyLimit: MOST_BYTES,
      // The line of a vehicle is slow, and what it measures is its own speed.
      config: { takesFiles: true },
      // Known before the body is read: a caller without an open address may send only little.
      onRequest: async (request) => {
        const { routerId, organizationId } = await getAddress(sources, request, 'upload');
        request.bodyOf = { account: routerId, tenant: organizationId };
      },
      handler: async (request, reply) => receive(sources, { memory, receiving }, request, reply),
    });
    done();
  });
}

/** @throws DomainError `not_found` */
async function getAddress(
  sources: readonly AddressSource[],
  { params }: TransferRequest,
  way: 'download' | 'upload',
): Promise<OpenAddress> {
  if (!SECRET.test(params.secret)) throw new DomainError('not_found');
  const hash = hashOfSecret(params.secret);
  for (const find of sources) {
    // oxlint-disable-next-line no-await-in-loop -- most addresses are of the first
    const found = await find(hash);
    if (found?.[way] !== undefined) return found;
  }
  throw new DomainError('not_found');
}

async function claim(address: OpenAddress): Promise<void> {
  if (!(await address.claim())) throw new DomainError('not_found');
}

async function sendFile(sources: readonly AddressSource[], request: TransferRequest, reply: FastifyReply): Promise<FastifyReply> {
  const address = await getAddress(sources, request, 'download');
  const { bytes, open } = required(address.download, 'not_found');
  await claim(address);
  reply.header('cache-control', 'no-store').header('content-length', bytes).type('application/octet-stream');
  return reply.send(open());
}

async function receive(
  sources: readonly AddressSource[],
  { memory, receiving }: { readonly memory: FileMemory; readonly receiving: Receiving },
  request: TransferRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const address = await getAddress(sources, request, 'upload');
  const { most, store } = required(address.upload, 'not_found');
  const announced = Number(request.headers['content-length'] ?? most);
  if (announced > most) throw tooLarge(most);
  if (store === undefined) {
    await claim(address);
    await collect(request, most, false);
    return reply.code(204).send();
  }
  const { secret } = request.params;
  const free = memory.reserve(announced);
  // A router that begins again has lost the connection of before.
  receiving.get(secret)?.raw.destroy();
  receiving.set(secret, request);
  try {
    if (!(await store(await collect(request, most, true)))) throw new DomainError('not_found');
  } finally {
    free();
    if (receiving.get(secret) === request) receiving.delete(secret);
  }
  return reply.code(204).send();
}

/** @throws DomainError `request.too_large` as soon as more arrives than may be sent */
async function collect(request: TransferRequest, most: number, isKept: boolean): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of (request.body as Readable | undefined) ?? []) {
    bytes += (part as Buffer).length;
    if (bytes > most) throw tooLarge(most);
    if (isKept) parts.push(part as Buffer);
  }
  return Buffer.concat(parts);
}

function tooLarge(most: number): DomainError {
  return new DomainError('request.too_large', { message: `At most ${most} bytes are accepted.` });
}

/** The addresses of tests: each is used once, while its test runs; where the file is kept, once it has arrived. */
export function createToolAddresses({ database, clock }: TransferDeps): AddressSource {
  return async (hash) => {
    const found = await findTransfer(database.read, hash, clock.now());
    if (found === undefined) return undefined;
    const { organization_id: organizationId, router_id: routerId, input } = found;
    const bytes = bytesOf(input);
    const way =
      input.tool === 'download'
        ? { download: { bytes, open: () => Readable.from(testFile(bytes)) } }
        : { upload: { most: bytes, ...(input.tool === 'upload' ? {} : { store: storeFor({ database, clock }, hash) }) } };
    return {
      organizationId,
      routerId,
      ...way,
      claim: () => database.write((tx) => claimTransfer(tx, hash, clock.now())),
    };
  };
}

function storeFor({ database, clock }: TransferDeps, hash: Buffer): (contents: Buffer) => Promise<boolean> {
  return (contents) => {
    const file = { contents, sha256: createHash('sha256').update(contents).digest('hex') };
    return database.write((tx) => storeFile(tx, hash, file, clock.now()));
  };
}

function* testFile(bytes: number): Generator<Uint8Array> {
  for (let left = bytes; left > 0; left -= CHUNK.length) yield CHUNK.subarray(0, Math.min(left, CHUNK.length));
}

/** Bytes of the transfer, or the most that it may have. */
function bytesOf(input: tools.ToolInput): number {
  return 'bytes' in input ? input.bytes : tools.MAX_LOG_BYTES;
}
