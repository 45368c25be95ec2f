import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { decodeMail, type DecodedMail } from './mail.ts';

/** A mail as the server took it. */
export interface TakenMail extends DecodedMail {
  readonly to: readonly string[];
  readonly raw: string;
}

/** A mail server on a free port of loopback. */
export interface TestSmtp {
  readonly url: string;
  /** What was taken, in that order. */
  readonly taken: TakenMail[];
  /** Recipients that are refused, with what it answers. */
  readonly refused: Map<string, number>;
  /** Recipients whose mails are answered only once the promise resolves. */
  readonly slow: Map<string, Promise<void>>;
  /** Told of each mail once its content is here, before it is answered. */
  onContent: (to: readonly string[]) => void;
  /** Stop listening, and begin again on the same port. */
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
    refused: new Map(),
    slow: new Map(),
    onContent: () => {},
    async down() {
      const closing = server;
      server = undefined;
      if (closing !== undefined) await new Promise<void>((resolve) => void closing.close(() => resolve()));
    },
    async up() {
      const opening = createServer(smtp);
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
      const code = smtp.refused.get(address);
      done(code === undefined ? undefined : Object.assign(new Error('no such mailbox here'), { responseCode: code }));
    },
    onData(stream, session, done) {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        smtp.onContent(to);
        const message = Buffer.concat(pieces);
        void (smtp.slow.get(to[0] ?? '') ?? Promise.resolve()).then(() => {
          smtp.taken.push({ to, raw: message.toString(), ...decodeMail(message) });
          done();
        });
      });
    },
  });
}
