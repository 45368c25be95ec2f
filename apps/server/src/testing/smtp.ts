import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { decodeMail, type DecodedMail } from './mail.ts';

/** An accepted mail. */
export interface TakenMail extends DecodedMail {
  readonly to: readonly string[];
  /** Envelope sender. */
  readonly from: string;
  readonly raw: string;
}

/** A mail server on a free port of loopback. */
export interface TestSmtp {
  readonly url: string;
  /** Accepted mails, in order. */
  readonly taken: TakenMail[];
  /** Rejected recipients, with the reply code. */
  readonly rejected: Map<string, number>;
  /** Recipients whose mails are answered only once the promise resolves. */
  readonly slow: Map<string, Promise<void>>;
  /** Stop listening; it can be restarted on the same port. */
  down(): Promise<void>;
  up(): Promise<void>;
}

export async function startTestSmtp(): Promise<TestSmtp> {
  let server: SMTPServer | undefined;
  let port = 0;
  const smtp: TestSmtp = {
    get url() {
      return `smtp://127.0.0.1:${port}`;
    },
    taken: [],
    rejected: new Map(),
    slow: new Map(),
    async down() {
      const closing = server;
      server = undefined;
      if (closing === undefined) return;
      await new Promise<void>((resolve) => {
        closing.close(() => resolve());
      });
    },
    async up() {
      const opening = createServer(smtp);
      // Of one connection: the next is served.
      opening.on('error', () => undefined);
      server = opening;
      await new Promise<void>((resolve) => {
        opening.listen(port, '127.0.0.1', () => resolve());
      });
      port = (opening.server.address() as AddressInfo).port;
    },
  };
  await smtp.up();
  return smtp;
}

function createServer(smtp: TestSmtp): SMTPServer {
  return new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onRcptTo({ address }, _session, done) {
      const code = smtp.rejected.get(address);
      done(code === undefined ? undefined : Object.assign(new Error('no such mailbox here'), { responseCode: code }));
    },
    onData(stream, session, done) {
      const { mailFrom, rcptTo } = session.envelope;
      const envelope = { from: mailFrom === false ? '' : mailFrom.address, to: rcptTo.map(({ address }) => address) };
      void take(smtp, envelope, stream, done);
    },
  });
}

async function take(
  smtp: TestSmtp,
  envelope: Pick<TakenMail, 'from' | 'to'>,
  stream: AsyncIterable<Buffer>,
  done: (fault?: Error) => void,
): Promise<void> {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of stream) pieces.push(piece);
  } catch (error) {
    // A sender that was killed in the middle of its mail has not sent it.
    return done(error as Error);
  }
  await smtp.slow.get(envelope.to[0] ?? '');
  const message = Buffer.concat(pieces);
  smtp.taken.push({ ...envelope, raw: message.toString(), ...decodeMail(message) });
  done();
}
