import { connect, errors, headers, type ConnectionOptions, type NatsConnection } from '@nats-io/transport-node';
import type { ReadingSink, SinkMessage } from '../../ports/reading-sink.ts';
import type { SinkSettings } from '../../settings/sink-settings.ts';

type NatsSink = Extract<SinkSettings, { kind: 'nats' }>;

const CONNECT_MS = 3_000;
const CONFIRM_MS = 10_000;
/** Messages on their way at a time. */
const AT_ONCE = 8;

/** The response of a stream to a message (JetStream, PubAck). */
interface Acknowledgement {
  readonly stream?: string;
  readonly error?: { readonly description?: string };
}

/**
 * Publishes to a subject that a stream of JetStream takes, and waits until the stream has stored each message. A message has its id as
 * `Nats-Msg-Id`: one that is sent again within the duplicate window of the stream is stored once.
 */
export function createJetStreamSink(settings: NatsSink): ReadingSink {
  let connection: NatsConnection | undefined;

  const open = async () => {
    if (connection === undefined || connection.isClosed()) connection = await connect(connectionOf(settings));
    return connection;
  };

  const publish = async (to: NatsConnection, { id, lines }: SinkMessage) => {
    const named = headers();
    named.set('Nats-Msg-Id', id);
    const response = await to.request(settings.subject, lines, { timeout: CONFIRM_MS, headers: named });
    const { stream, error } = response.json<Acknowledgement>();
    if (stream === undefined) throw new Error(`JetStream did not store a message: ${error?.description ?? response.string()}`);
  };

  return {
    async send(messages, signal) {
      const to = await open();
      for (let start = 0; start < messages.length; start += AT_ONCE) {
        signal.throwIfAborted();
        try {
          await Promise.all(messages.slice(start, start + AT_ONCE).map((message) => publish(to, message)));
        } catch (error) {
          throw isWithoutStream(error) ? new Error(`No stream of JetStream takes the subject ${settings.subject}.`) : error;
        }
      }
    },
    async close() {
      await connection?.close();
    },
  };
}

function isWithoutStream(error: unknown): boolean {
  return error instanceof errors.NoRespondersError || (error instanceof errors.RequestError && error.isNoResponders());
}

function connectionOf({ address: { servers, tls, user, password, token }, ca }: NatsSink): ConnectionOptions {
  return {
    name: 'highline telemetry sink',
    servers: [...servers],
    timeout: CONNECT_MS,
    // The next attempt to send connects again.
    reconnect: false,
    ...(user === undefined ? {} : { user, pass: password ?? '' }),
    ...(token === undefined ? {} : { token }),
    ...(tls ? { tls: ca === undefined ? {} : { ca } } : {}),
  };
}
