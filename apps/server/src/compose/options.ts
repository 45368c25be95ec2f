import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Sealing } from '../kernel/sealing.ts';
import type { OpenedDatabase } from '../platform/adapters/postgres/connect.ts';
import type { LeaseTimeouts } from '../platform/nodes/index.ts';
import type { Clock } from '../platform/ports/clock.ts';
import type { Database } from '../platform/ports/database.ts';
import type { DeviceLink } from '../platform/ports/device-link.ts';
import type { Deps } from '../platform/ports/deps.ts';
import type { NodeBus } from '../platform/ports/node-bus.ts';
import type { SlowLog } from '../platform/process/slow-log.ts';
import type { Settings } from '../platform/settings/settings.ts';
import type { SessionReader } from '../transport/http/bearer.ts';
import type { GatewaySettings } from '../transport/usp/index.ts';
import type { RouterBalanceSettings } from './balance.ts';
import type { Installation } from './installation.ts';
import type { ModuleTimeouts } from './modules.ts';

export interface ComposeOptions extends ModuleTimeouts {
  readonly settings: Settings;
  /** Keys and files that this process shares with others; stays open after `close`. */
  readonly installation: Installation;
  /** The opened database; it stays open after `close`. */
  readonly opened: Pick<OpenedDatabase, 'pool' | 'ready' | 'replica'>;
  /** Reaches the other processes; stays open after `close`. */
  readonly bus: NodeBus;
  readonly log: Logger;
  readonly clock: Clock;
  /** What takes long is logged; none = nothing. */
  readonly slow?: SlowLog | undefined;
  /** Check every response against its schema: in tests and in the demo, where a mismatch is a bug. */
  readonly checkResponses?: boolean;
  /** Pages besides the console; none in production. */
  readonly registerPages?: ((app: FastifyInstance, database: Database, mailSealing: Sealing) => void) | undefined;
  /** Other parts than our own, for tests. */
  readonly parts?: Partial<Pick<Deps, 'contacts'>> & {
    /** @param own the gateway's */
    readonly linkOf?: (own: DeviceLink) => DeviceLink;
    readonly sessions?: SessionReader;
  };
  /** Other gateway timings, for tests. */
  readonly gateway?: Partial<Omit<GatewaySettings, 'controllerId'>>;
  /** Other timings of the lease of this node, for tests. */
  readonly lease?: Partial<LeaseTimeouts>;
  /** When routers are sent to other processes, for tests. */
  readonly balance?: Partial<RouterBalanceSettings>;
  /** Other processes may have other files than this one: in tests without uploads. */
  readonly sharesFiles?: boolean;
  /** Time limit for running calls at a stop, milliseconds. */
  readonly timeoutMs?: number;
  /** Free disk of the data folder below which the server is not ready; default 64 MiB. */
  readonly leastFreeBytes?: number;
  /** Serve only calls, without the built console. */
  readonly withoutConsole?: boolean;
  /** Folder of the console, instead of the build output. */
  readonly consoleFolder?: string;
}
