import { setTimeout as pause } from 'node:timers/promises';
import {
  connect,
  errors,
  jwtAuthenticator,
  nkeyAuthenticator,
  nkeys,
  type Authenticator,
  type ConnectionOptions,
  type Msg,
  type NatsConnection,
  type Subscription,
} from '@nats-io/transport-node';
import { guard } from '../../../kernel/guard.ts';
import type { Log } from '../../ports/log.ts';
import { BusFault, type BusListener, type NodeBus } from '../../ports/node-bus.ts';
import type { NatsCredentials, NatsSettings } from '../../settings/nats-settings.ts';
import { StartupError } from '../../settings/settings-file.ts';
import { readTlsRejection, tlsOf } from './nats-tls.ts';

export interface NatsBusOptions {
  readonly settings: NatsSettings;
  /** Begins every subject: several installations may share a NATS. Messages are sent with the active one, and received with all. */
  readonly prefixes: { active(): string; all(): readonly string[] };
  readonly log: Log;
}

const CONNECT_MS = 3_000;
/** Pause between two attempts, plus jitter. */
const RETRY_MS = 500;
/** A server that stands still is noticed after two of these. */
const PING_MS = 5_000;
const TLS_FAULT = /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)|certificate|\btls\b/iu;

/**
 * Connect to NATS. Without a server the process starts and keeps trying: messages only make things faster.
 * @throws StartupError when a server rejects the sign-in or its certificate is not trusted
 */
export async function openNatsBus(options: NatsBusOptions): Promise<NodeBus> {
  const bus = new NatsBus(options);
  await bus.start();
  return bus;
}

interface OwnSubscription {
  readonly subject: string;
  readonly listener: BusListener;
  current: readonly Subscription[];
}

class NatsBus implements NodeBus {
  readonly isShared = true;
  readonly #options: NatsBusOptions;
  readonly #subscriptions = new Set<OwnSubscription>();
  readonly #listeners: (() => void)[] = [];
  readonly #stopping = new AbortController();
  #connection: NatsConnection | undefined;
  #isConnected = false;
  #running: Promise<void> | undefined;

  constructor(options: NatsBusOptions) {
    this.#options = options;
  }

  get isConnected(): boolean {
    return this.#isConnected;
  }

  /** One attempt, which shows wrong settings; the others follow in the background. */
  async start(): Promise<void> {
    const { settings, log } = this.#options;
    const first = await connect(connectionOf(this.#options)).catch(async (error: Error) => {
      rejectSettings(settings, error);
      if (settings.tls && error instanceof errors.TimeoutError)
        rejectSettings(settings, (await readTlsRejection(settings, CONNECT_MS)) ?? error);
      log.warn({ err: error, servers: settings.servers }, 'NATS cannot be reached; this process starts without it and retries.');
    });
    this.#running = this.#run(first ?? undefined);
  }

  publish(subject: string, message: Uint8Array): void {
    if (this.#isConnected) this.#connection?.publish(this.#named(subject), message);
  }

  async request(subject: string, message: Uint8Array, timeoutMs: number): Promise<Uint8Array> {
    if (!this.#isConnected || this.#connection === undefined) throw new BusFault('disconnected');
    try {
      return (await this.#connection.request(this.#named(subject), message, { timeout: timeoutMs })).data;
    } catch (error) {
      throw new BusFault(isWithoutListener(error) ? 'no-listener' : 'timeout');
    }
  }

  subscribe(subject: string, listener: BusListener): () => void {
    const own: OwnSubscription = { subject, listener, current: [] };
    this.#subscriptions.add(own);
    if (this.#connection !== undefined) this.#attach(this.#connection, own);
    return () => {
      this.#subscriptions.delete(own);
      for (const one of own.current) if (!one.isClosed()) one.unsubscribe();
    };
  }

  onConnected(listener: () => void): void {
    this.#listeners.push(listener);
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#connection?.close();
    await this.#running;
  }

  #named(subject: string): string {
    return `${this.#options.prefixes.active()}.${subject}`;
  }

  /** Holds one connection after the other, until this process stops. */
  async #run(first: NatsConnection | undefined): Promise<void> {
    const { signal } = this.#stopping;
    for (let connection = first; !signal.aborted; connection = undefined) {
      connection ??= await connect(connectionOf(this.#options)).catch(() => undefined);
      if (connection !== undefined) await this.#hold(connection);
      if (!signal.aborted) await pause(RETRY_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  /** The client itself reconnects; it ends only when it is closed. */
  async #hold(connection: NatsConnection): Promise<void> {
    if (this.#stopping.signal.aborted) return connection.close();
    this.#connection = connection;
    for (const own of this.#subscriptions) this.#attach(connection, own);
    this.#setConnected(true);
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') this.#setConnected(false);
      if (status.type === 'reconnect') this.#setConnected(true);
      if (status.type === 'error') this.#options.log.error({ err: status.error }, 'NATS rejects something of this process.');
    }
    this.#connection = undefined;
    this.#setConnected(false);
  }

  #setConnected(isConnected: boolean): void {
    const { log } = this.#options;
    if (isConnected === this.#isConnected) return;
    this.#isConnected = isConnected;
    if (!isConnected) {
      if (!this.#stopping.signal.aborted)
        log.warn({}, 'The connection to NATS is lost: other processes are reached later or not at all. Retrying.');
      return;
    }
    log.info({ server: this.#connection?.getServer() }, 'Connected to NATS.');
    for (const listener of this.#listeners) listener();
  }

  #attach(connection: NatsConnection, own: OwnSubscription): void {
    if (connection.isClosed()) return;
    const receive = guard(
      this.#options.log,
      () => {},
      async (message: Msg) => {
        const response = await own.listener(message.data);
        if (response !== undefined) message.respond(response);
      },
    );
    // An error here is a missing permission, which `status` reports too.
    const callback = (error: Error | null, message: Msg) => (error === null ? receive(message) : undefined);
    own.current = this.#options.prefixes.all().map((prefix) => connection.subscribe(`${prefix}.${own.subject}`, { callback }));
  }
}

function connectionOf({ settings, prefixes }: NatsBusOptions): ConnectionOptions {
  const { servers, tls, user, password, token, credentials } = settings;
  return {
    name: 'highline',
    servers: [...servers],
    inboxPrefix: `${prefixes.active()}.inbox`,
    noEcho: true,
    timeout: CONNECT_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RETRY_MS,
    ignoreAuthErrorAbort: true,
    pingInterval: PING_MS,
    ...(user === undefined ? {} : { user, pass: password ?? '' }),
    ...(token === undefined ? {} : { token }),
    ...(credentials === undefined ? {} : { authenticator: authenticatorOf(credentials) }),
    ...(tls ? { tls: tlsOf(settings) } : {}),
  };
}

function authenticatorOf({ seed, jwt }: NatsCredentials): Authenticator {
  const bytes = Buffer.from(seed);
  try {
    nkeys.fromSeed(bytes);
  } catch (error) {
    throw new StartupError(`NATS_CREDENTIALS_FILE: its seed is invalid (${(error as Error).message}). Copy it again.`);
  }
  return jwt === undefined ? nkeyAuthenticator(bytes) : jwtAuthenticator(jwt, bytes);
}

function isWithoutListener(error: unknown): boolean {
  return error instanceof errors.NoRespondersError || (error instanceof errors.RequestError && error.isNoResponders());
}

/** @throws StartupError for what no retry would mend */
function rejectSettings({ servers }: NatsSettings, error: Error): void {
  const at = servers.join(', ');
  if (error instanceof errors.AuthorizationError || error instanceof errors.UserAuthenticationExpiredError)
    throw new StartupError(
      `NATS_URL: ${at} rejects the sign-in (${error.message}). Check the user and the password or the token in it, or NATS_CREDENTIALS_FILE.`,
    );
  // Errors of OpenSSL have a short reason; their message contains numbers and line breaks.
  const { code = '', reason = error.message } = error as NodeJS.ErrnoException & { reason?: string };
  if (TLS_FAULT.test(code) || TLS_FAULT.test(error.message))
    throw new StartupError(
      `NATS_URL: TLS with ${at} fails (${reason}). Use tls:// only for servers with TLS, and set NATS_CA_FILE to the authority of their certificate; for servers that verify clients, NATS_CERT_FILE and NATS_KEY_FILE.`,
    );
}
