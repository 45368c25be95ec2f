import { guard } from '../../../kernel/guard.ts';
import type { Log } from '../../ports/log.ts';
import { BusFault, type BusListener, type NodeBus } from '../../ports/node-bus.ts';

interface Subscription {
  readonly owner: NodeBus;
  readonly subject: string;
  readonly listener: BusListener;
}

/** What connects buses of one process: in production there is one bus, in tests several servers share a hub. */
export class BusHub {
  readonly subscriptions = new Set<Subscription>();
}

/** The bus of an installation with one process: without a hub it reaches no other one. */
export function createInProcessBus(log: Log, shared?: BusHub): NodeBus {
  const hub = shared ?? new BusHub();
  const othersOf = (subject: string) =>
    [...hub.subscriptions].filter((each) => each.subject === subject && each.owner !== bus).map(({ listener }) => listener);

  const bus: NodeBus = {
    isShared: shared !== undefined,
    isConnected: true,
    publish(subject, message) {
      const copy = Uint8Array.from(message);
      const deliver = guard(
        log,
        () => {},
        async (listener: BusListener) => listener(copy),
      );
      for (const listener of othersOf(subject)) setImmediate(deliver, listener);
    },
    async request(subject, message, timeoutMs) {
      const listeners = othersOf(subject);
      if (listeners.length === 0) throw new BusFault('no-listener');
      return new Promise<Uint8Array>((resolve, reject) => {
        const timer = setTimeout(reject, timeoutMs, new BusFault('timeout'));
        const deliver = guard(
          log,
          () => {},
          async (listener: BusListener) => {
            const response = await listener(Uint8Array.from(message));
            if (response === undefined) return;
            clearTimeout(timer);
            resolve(Uint8Array.from(response));
          },
        );
        for (const listener of listeners) setImmediate(deliver, listener);
      });
    },
    subscribe(subject, listener) {
      const subscription = { owner: bus, subject, listener };
      hub.subscriptions.add(subscription);
      return () => void hub.subscriptions.delete(subscription);
    },
    onConnected: () => {},
    async close() {
      for (const subscription of hub.subscriptions) if (subscription.owner === bus) hub.subscriptions.delete(subscription);
    },
  };
  return bus;
}
