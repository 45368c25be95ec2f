import { createInProcessBus } from '../platform/adapters/bus/in-process.ts';
import { subjectPrefixes } from '../platform/node-rpc/index.ts';
import type { MasterKey } from '../kernel/sealing.ts';
import type { Log } from '../platform/ports/log.ts';
import type { NodeBus } from '../platform/ports/node-bus.ts';
import type { Settings } from '../platform/settings/settings.ts';

/**
 * Open what carries messages between processes: NATS, or nothing for the only one.
 * @throws StartupError when NATS rejects this process
 */
export async function openBus({ nats }: Pick<Settings, 'nats'>, masterKey: MasterKey, log: Log): Promise<NodeBus> {
  if (nats === undefined) return createInProcessBus(log);
  // Loaded only by those who use it.
  const { openNatsBus } = await import('../platform/adapters/bus/nats.ts');
  return openNatsBus({ settings: nats, prefixes: subjectPrefixes(masterKey), log });
}
