import type { KeyObject } from 'node:crypto';
import type { BackoffOptions } from './link/backoff.ts';
import type { ClientCertificate } from './link/link.ts';
import type { Log } from './log.ts';
import type { RouterIdentity } from './model/definition.ts';
import type { Model } from './model/model.ts';
import type { Platform } from './platform/platform.ts';
import type { Scheduler } from './platform/scheduler.ts';
import type { StateStore } from './state/store.ts';

/** All in milliseconds. */
export type AgentTiming = {
  backoff: BackoffOptions;
  /** Without a ping from the server for this long, the connection counts as dead. */
  silenceMs: number;
  /** Poll interval of subscribed values. */
  valueChangePollMs: number;
  /** From the answer to Reboot() to the restart, so that the response is sent. */
  graceMs: number;
  /** Time limit for new firmware, config or APN to call home before the previous one is restored. */
  callHomeMs: number;
  /** Delay before an interrupted download is retried; it grows each time. */
  retryMs: number;
};

/** Options of an agent, at each start. */
export type AgentOptions = AgentTiming & {
  identity: RouterIdentity;
  endpointId: string;
  controllerId: string;
  /** WebSocket address with the secret in it, from the text of the active config file; undefined: do not connect. */
  addressOf: (configText: string) => string | undefined;
  /** Reads the client certificate for the cloud; undefined: none. */
  certificate: (() => ClientCertificate) | undefined;
  /** Keys whose image signatures are trusted; none = only the SHA-256 of images is checked. */
  trustedKeys: readonly KeyObject[];
  model: Model;
  platform: Platform;
  scheduler: Scheduler;
  random: () => number;
  store: StateStore;
  /** Private SSH host key of this router, in OpenSSH's format. */
  hostKey: () => string;
  log: Log;
  on: AgentEvents;
};

/** Events for the hardware around the agent. */
export type AgentEvents = {
  connected(): void;
  disconnected(): void;
  /** The agent requests a restart; its state is safe. */
  restart(): void;
};
