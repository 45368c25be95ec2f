import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** How long a client may take nothing of its response. */
const STALL_MS = 60_000;

/**
 * Cut off clients that request and do not read: what the kernel does not take of a response waits in the memory of the process. Node counts
 * a part that was taken as activity, and sets its own time when the response is out. Streams wait for their readers by themselves.
 */
export function cutOffStalledReaders(app: FastifyInstance, stallMs = STALL_MS): void {
  app.addHook('onSend', async (_request, reply, payload) => {
    const { socket } = reply.raw;
    if (socket instanceof Socket && (typeof payload === 'string' || Buffer.isBuffer(payload))) socket.setTimeout(stallMs);
    return payload;
  });
}
