import type { KeyObject } from 'node:crypto';
import type { BackoffOptions } from './link/backoff.ts';
import type { ClientCertificate } from './link/link.ts';
import type { Log } from './log.ts';
import type { RouterIdentity } from './model/definition.ts';
import type { Model } from './model/model.ts';
import type { Platform } from './platform/platform.ts';
import type { Scheduler } from './platform/scheduler.ts';
import type { StateStore } from './state/store.ts';

/** What an agent is made with, at each start anew. */
export type AgentOptions = {
  identity: RouterIdentity;
  endpointId: string;
  controllerId: string;
  /** WebSocket address with the secret in it, by the text of the config file in force; undefined: it is not to connect. */
  addressOf: (configText: string) => string | undefined;
  /** Reads the client certificate it shows to the cloud; undefined: none. */
  certificate: (() => ClientCertificate) | undefined;
  /** Whose signature on an image counts; none = only its SHA-256 is checked. */
  trustedKeys: readonly KeyObject[];
  /** How long what was installed may take to call home before the old comes back. */
  callHomeMs: number;
  /** Wait before a download is tried again. */
  retryMs: number;
  model: Model;
  platform: Platform;
  scheduler: Scheduler;
  random: () => number;
  store: StateStore;
  backoff: BackoffOptions;
  /** No ping from the server for this long: the socket is dead. */
  silenceMs: number;
  /** How often subscribed values are compared. */
  valueChangePollMs: number;
  /** Private SSH host key of this router, in OpenSSH's format. */
  hostKey: () => string;
  /** Between the answer to Reboot() and the restart, so that the answer gets out. */
  graceMs: number;
  log: Log;
  on: AgentEvents;
};

/** What the hardware around the agent must know. */
export type AgentEvents = {
  connected(): void;
  disconnected(): void;
  /** The agent asks to be started anew; its state is safe. */
  restart(): void;
};
