import type { IncomingMessage, Server } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { guard } from '../../kernel/guard.ts';
import type { Log } from '../../platform/ports/log.ts';
import { Allowance, networkOf, readUspAddress, rejectSocket } from '../upgrades/index.ts';
import type { CellLookup } from './cell-lookup.ts';

export interface RouterRedirectDeps {
  readonly directory: Pick<CellLookup, 'cellOfSecret' | 'cellOfEndpoint'>;
  readonly log: Pick<Log, 'error' | 'warn'>;
  /** Client address as seen through trusted proxies. */
  addressOf(request: IncomingMessage): string;
}

/** Unknown secrets in a row, by network; the same limit as at a cell. */
const FAILED_TRIES = 20;
/** Lookups at the same time; more must come back later. */
const MOST_LOOKUPS = 200;

/**
 * Answer each upgrade of a router with a redirect to its cell, at the same path. An unknown secret gets the response of a cell: 401,
 * and 429 after too many.
 */
export function redirectRouters(server: Server | SecureServer, { directory, log, addressOf }: RouterRedirectDeps): void {
  const failures = new Allowance(FAILED_TRIES);
  let running = 0;

  const find = async (secret: string | undefined, eid: string | null): Promise<string | undefined> => {
    if (secret !== undefined) return directory.cellOfSecret(secret);
    return eid === null ? undefined : directory.cellOfEndpoint(eid);
  };
  const redirect = async (request: IncomingMessage, socket: Duplex): Promise<void> => {
    const { isOurs, secret, eid } = readUspAddress(request.url ?? '');
    if (!isOurs) return rejectSocket(socket, 404);
    if (request.method !== 'GET') return rejectSocket(socket, 400);
    const network = networkOf(addressOf(request));
    if (failures.isSpent(network, performance.now())) return rejectSocket(socket, 429, retryLater());
    if (running >= MOST_LOOKUPS) return rejectSocket(socket, 503, retryLater());
    running += 1;
    try {
      const origin = await find(secret, eid);
      if (origin !== undefined)
        return rejectSocket(socket, 307, { Location: `${origin.replace(/^http/u, 'ws')}${request.url ?? ''}` });
      failures.spend(network, performance.now());
      return rejectSocket(socket, 401);
    } catch (error) {
      log.warn({ err: error }, 'Failed to look up the cell of a router; it will retry.');
      return rejectSocket(socket, 503, retryLater());
    } finally {
      running -= 1;
    }
  };
  const upgrade = (request: IncomingMessage, socket: Duplex): Promise<void> => {
    // Lost while it waits: nothing to do, but an unhandled error would end the process.
    socket.on('error', () => {});
    return redirect(request, socket);
  };
  server.on(
    'upgrade',
    guard(log, (_request, socket) => socket.destroy(), upgrade),
  );
}

/** Random, so that routers rejected together do not return together. */
function retryLater(): Record<string, string> {
  return { 'Retry-After': String(5 + Math.floor(Math.random() * 25)) };
}
