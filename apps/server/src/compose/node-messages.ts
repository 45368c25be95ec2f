import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { PresenceService } from '../domains/router-state/index.ts';
import { nodeSubject, subscribeAsNode, type NodeChannel } from '../platform/node-rpc/index.ts';
import type { ServerNode } from '../platform/nodes/index.ts';
import type { Clock } from '../platform/ports/clock.ts';
import type { DeviceLink } from '../platform/ports/device-link.ts';
import type { Log } from '../platform/ports/log.ts';

/** Routers per message. */
const MOST = 1_000;
const MOVED = 'moved';
const DISCONNECT = 'disconnect';
const DUE = 'due';

const moved = z.object({ routers: z.array(z.object({ routerId: z.uuid(), epoch: z.number().int() })).max(MOST) });
const disconnect = z.object({ routerIds: z.array(z.uuid()).max(MOST), reason: z.string().max(200) });
/** A process that received the message has closed the socket, and written it, by then. */
const CLOSED_MS = 3_000;

export interface DisconnectDeps {
  readonly channel: NodeChannel;
  readonly presence: Pick<PresenceService, 'outdate'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** A process closes its older sockets as soon as another one holds the routers. Without a message its comparison finds them. */
export function exchangeMoves(channel: NodeChannel, node: ServerNode, presence: PresenceService): void {
  presence.onTaken((connections) => {
    for (const [from, own] of Map.groupBy(connections, (connection) => connection.from))
      for (const routers of inParts(own.map(({ routerId, epoch }) => ({ routerId, epoch }))))
        channel.publish(nodeSubject(from, MOVED), { routers });
  });
  subscribeAsNode(channel, node, MOVED, moved, ({ routers }) => presence.left(routers));
}

/** The link to routers, of which a disconnection concerns every process: any of them may have the socket. */
export function disconnectEverywhere({ channel, presence, clock, log }: DisconnectDeps, link: DeviceLink): DeviceLink {
  channel.subscribe(DISCONNECT, disconnect, ({ routerIds, reason }) => link.disconnect(routerIds, reason));

  const disconnectElsewhere = async (routerIds: readonly string[], reason: string): Promise<void> => {
    const before = clock.now();
    for (const part of inParts(routerIds)) channel.publish(DISCONNECT, { routerIds: part, reason });
    if (channel.isConnected) await pause(CLOSED_MS, undefined, { ref: false });
    await presence.outdate(routerIds, before);
  };

  return {
    ...link,
    disconnect(routerIds, reason) {
      link.disconnect(routerIds, reason);
      if (!channel.isShared || routerIds.length === 0) return;
      disconnectElsewhere(routerIds, reason).catch((error: unknown) =>
        log.warn({ err: error, routers: routerIds.length }, 'Failed to disconnect routers of other processes.'),
      );
    },
  };
}

/** Something is due for routers of other processes, which look at once instead of at their next sweep. */
export function exchangeDue(channel: NodeChannel, engines: Readonly<Record<string, { wake(): void }>>): (engine: string) => void {
  channel.subscribe(DUE, z.object({ engine: z.string() }), ({ engine }) => {
    if (Object.hasOwn(engines, engine)) engines[engine]!.wake();
  });
  return (engine) => channel.publish(DUE, { engine });
}

function inParts<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / MOST) }, (_, index) => items.slice(index * MOST, (index + 1) * MOST));
}
