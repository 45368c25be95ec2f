import { hkdfSync, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { createSealing, derivedFrom, newId, timeOfId, type MasterKey } from '../../kernel/index.ts';
import type { Log } from '../ports/log.ts';
import { BusFault, type NodeBus } from '../ports/node-bus.ts';
import type { ServerNode } from '../nodes/index.ts';

/** Bytes of a sealed message; NATS itself admits 1 MiB. */
const MAX_BYTES = 512 * 1_024;
/** Unreadable messages are logged once in this time. */
const QUIET_MS = 60_000;

/**
 * How far the clocks of two processes and the delay of the bus may add up to. An older message is ignored, and for twice this time a receiver
 * knows which ones it had.
 */
const FRESH_MS = 60_000;

/**
 * Messages between the processes of an installation, encrypted and authenticated: only who has the master key can write or read one. Each is
 * received at most once, and soon or not at all: recorded on the bus and sent again it does nothing.
 */
export interface NodeChannel {
  /** Whether there may be other processes. */
  readonly isShared: boolean;
  readonly isConnected: boolean;
  publish(subject: string, value: object): void;
  /** A response that cannot be read counts as none. @throws BusFault */
  request<T>(subject: string, value: object, shape: z.ZodType<T>, timeoutMs: number): Promise<T>;
  /**
   * Messages of another form, as another version may send them, are ignored; so are those sent before this call, and repeated ones.
   * @param listener returns the response, if any
   * @returns the end of it
   */
  subscribe<T>(subject: string, shape: z.ZodType<T>, listener: (value: T) => unknown): () => void;
  onConnected(listener: () => void): void;
}

export interface ChannelDeps {
  readonly bus: NodeBus;
  readonly masterKey: MasterKey;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** Its id says when it was sent. Versions before sent some messages without one: they are ignored. */
const envelope = z.object({ id: z.string(), value: z.unknown() });

/** Begins the subjects of an installation: the same for all its processes, and another one for each master key. */
export function subjectPrefix(masterKey: KeyObject): string {
  const bytes = hkdfSync('sha256', masterKey, Buffer.alloc(0), 'highline bus subjects 1', 8);
  return `highline.${Buffer.from(bytes).toString('hex')}`;
}

/** The subjects of all known master keys: messages are sent under those of the active one, and received under each. */
export function subjectPrefixes(masterKey: MasterKey): { active(): string; all(): readonly string[] } {
  return derivedFrom(masterKey, subjectPrefix);
}

/** Seals what a bus carries. A message is bound to its subject, an answer to its question: moved elsewhere they cannot be opened. */
export function createNodeChannel({ bus, masterKey, log, now = Date.now }: ChannelDeps): NodeChannel {
  const sealing = createSealing(masterKey, 'highline bus messages 1');
  let loggedAt = Number.NEGATIVE_INFINITY;

  const warn = (sentence: string): void => {
    if (performance.now() - loggedAt <= QUIET_MS) return;
    loggedAt = performance.now();
    log.warn({}, sentence);
  };

  const seal = (context: string, content: object): Uint8Array => {
    const sealed = sealing.seal(context, Buffer.from(JSON.stringify(content)));
    if (sealed.length > MAX_BYTES) throw new Error(`A message to another process is too large: ${sealed.length} bytes.`);
    return sealed;
  };

  const open = (context: string, message: Uint8Array): z.output<typeof envelope> | undefined => {
    try {
      if (message.length <= MAX_BYTES) return envelope.parse(JSON.parse(sealing.open(context, message).toString()));
    } catch {
      // As below: from elsewhere, changed, or sealed with another key.
    }
    warn('A message of another process cannot be opened. Do all processes have the same HIGHLINE_MASTER_KEY?');
    return undefined;
  };

  return {
    isShared: bus.isShared,
    get isConnected() {
      return bus.isConnected;
    },
    publish: (subject, value) => bus.publish(subject, seal(subject, { id: newId(now()), value })),
    async request(subject, value, shape, timeoutMs) {
      const id = newId(now());
      const response = await bus.request(subject, seal(subject, { id, value }), timeoutMs);
      const parsed = shape.safeParse(open(responseTo(id), response)?.value);
      if (!parsed.success) throw new BusFault('timeout');
      return parsed.data;
    },
    subscribe(subject, shape, listener) {
      const inbox = createInbox(now);
      return bus.subscribe(subject, async (message) => {
        const opened = open(subject, message);
        if (opened === undefined) return undefined;
        if (!inbox.admits(opened.id)) {
          warn(
            'A message of another process is too old, or was sent twice, and is ignored. Do the clocks of all processes agree?',
          );
          return undefined;
        }
        const parsed = shape.safeParse(opened.value);
        if (!parsed.success) return undefined;
        const response = await listener(parsed.data);
        return response === undefined ? undefined : seal(responseTo(opened.id), { id: opened.id, value: response });
      });
    },
    onConnected: (listener) => bus.onConnected(listener),
  };
}

/** Tells fresh messages of one subscription from those that were recorded and sent again. */
function createInbox(now: () => number) {
  const since = now();
  /** Ids of received messages, the first received first, each with the time when it is too old anyway. */
  const received = new Map<string, number>();
  return {
    admits(id: string): boolean {
      const at = timeOfId(id) ?? Number.NaN;
      const current = now();
      for (const [former, until] of received) {
        if (until > current) break;
        received.delete(former);
      }
      const isFresh = at >= Math.max(since, current - FRESH_MS) && at <= current + FRESH_MS;
      if (!isFresh || received.has(id)) return false;
      received.set(id, current + 2 * FRESH_MS);
      return true;
    },
  };
}

const responseTo = (id: string): string => `answer to ${id}`;

/** Subject of messages to one node. */
export const nodeSubject = (nodeId: string, topic: string): string => `node.${nodeId}.${topic}`;

/** Receive messages to this node, under its present id. */
export function subscribeAsNode<T>(
  channel: Pick<NodeChannel, 'subscribe'>,
  node: Pick<ServerNode, 'id' | 'onChange'>,
  topic: string,
  shape: z.ZodType<T>,
  listener: (value: T) => unknown,
): void {
  let { id } = node;
  const subscribe = () => channel.subscribe(nodeSubject(id, topic), shape, listener);
  let end = subscribe();
  node.onChange(() => {
    if (node.id === id) return;
    end();
    ({ id } = node);
    end = subscribe();
  });
}
