import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { tools } from '@highline/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError, required } from '../../kernel/failure.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { hashOfSecret, TRANSFERS } from './tools.service.ts';
import { claimTransfer, findTransfer, storeFile, type OpenTransfer } from './transfers.job.queries.ts';

type TransferDeps = Pick<Deps, 'database' | 'clock'>;

interface TransferRoute {
  Params: { secret: string };
}
type TransferRequest = FastifyRequest<TransferRoute>;

/** 32 random bytes in base64url. */
const SECRET = /^[\w-]{43}$/u;
const MOST_BYTES = Math.max(...tools.speedTestBytes, tools.MAX_LOG_BYTES);
/** Content of test files: nothing on the way can compress it. */
const CHUNK = randomBytes(64 * 1024);

/**
 * The one-time addresses of tests: `GET` sends a test file, `PUT` and `POST` take what a router uploads, up to the limit of its test. Each
 * address is used once, while its test runs; everything else is a 404, so that no one learns which tests exist.
 */
export function registerTransfers(app: FastifyInstance, deps: TransferDeps): void {
  const url = `${TRANSFERS}:secret`;
  void app.register((routes, _, done) => {
    routes.addContentTypeParser('*', (_request, payload, parsed) => parsed(null, payload));
    routes.get<TransferRoute>(url, { exposeHeadRoute: false }, async (request, reply) => sendTestFile(deps, request, reply));
    routes.route<TransferRoute>({
      method: ['PUT', 'POST'],
      url,
      bodyLimit: MOST_BYTES,
      // Known before the body is read: a caller without an open test may send only little.
      onRequest: async (request) => {
        const transfer = await getTransfer(deps, request, ['upload', 'capture', 'log']);
        request.bodyOf = { account: transfer.router_id, tenant: transfer.organization_id };
      },
      handler: async (request, reply) => receive(deps, request, reply),
    });
    done();
  });
}

/** @throws DomainError `not_found` */
async function getTransfer(
  { database, clock }: TransferDeps,
  { params }: TransferRequest,
  of: readonly tools.ToolKind[],
): Promise<OpenTransfer> {
  if (!SECRET.test(params.secret)) throw new DomainError('not_found');
  const found = required(await findTransfer(database.read, hashOfSecret(params.secret), clock.now()), 'not_found');
  if (!of.includes(found.tool)) throw new DomainError('not_found');
  return found;
}

async function claim({ database, clock }: TransferDeps, { params }: TransferRequest): Promise<void> {
  const isFirst = await database.write((tx) => claimTransfer(tx, hashOfSecret(params.secret), clock.now()));
  if (!isFirst) throw new DomainError('not_found');
}

async function sendTestFile(deps: TransferDeps, request: TransferRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { input } = await getTransfer(deps, request, ['download']);
  await claim(deps, request);
  const bytes = bytesOf(input);
  reply.header('cache-control', 'no-store').header('content-length', bytes).type('application/octet-stream');
  return reply.send(Readable.from(testFile(bytes)));
}

function* testFile(bytes: number): Generator<Uint8Array> {
  for (let left = bytes; left > 0; left -= CHUNK.length) yield CHUNK.subarray(0, Math.min(left, CHUNK.length));
}

async function receive(deps: TransferDeps, request: TransferRequest, reply: FastifyReply): Promise<FastifyReply> {
  const transfer = await getTransfer(deps, request, ['upload', 'capture', 'log']);
  await claim(deps, request);
  const isKept = transfer.tool !== 'upload';
  const contents = await collect(request, bytesOf(transfer.input), isKept);
  if (isKept) {
    const file = { contents, sha256: createHash('sha256').update(contents).digest('hex') };
    await deps.database.write((tx) => storeFile(tx, transfer, file, deps.clock.now()));
  }
  return reply.code(204).send();
}

/** Bytes of the transfer, or the most that it may have. */
function bytesOf(input: tools.ToolInput): number {
  return 'bytes' in input ? input.bytes : tools.MAX_LOG_BYTES;
}

/** @throws DomainError `request.too_large` as soon as more arrives than the test may send */
async function collect(request: TransferRequest, most: number, isKept: boolean): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > most) throw tooLarge(most);
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
