import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterEach, expect, test } from 'vitest';
import { PermanentMailError, type Mail, type MailTransport } from '../../ports/mail.ts';
import { createSmtpTransport, smtpOptions } from './smtp.ts';

const opened: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

const mail: Mail = {
  messageId: '<0190aaaa-0000-7000-8000-000000000001@highline>',
  to: 'person@highline.invalid',
  subject: 'A subject',
  plain: 'Plain text.\n',
  html: '<p>HTML text.</p>\n',
};

function transportTo(port: number, login = ''): MailTransport {
  const transport = createSmtpTransport(`smtp://${login}127.0.0.1:${port}`, 'Highline <no-reply@highline.invalid>');
  opened.push(() => transport.close());
  return transport;
}

function portOf(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

test('a password may contain any character', async () => {
  const password = 'p@ss:w/rd%20&?# ü';
  const signedIn: (string | undefined)[] = [];
  const smtp = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth(given, _session, done) {
      if (given.password !== password) return done(new Error('no'));
      signedIn.push(given.username);
      return done(null, { user: given.username });
    },
    onData(stream, _session, done) {
      stream.on('end', () => done());
      stream.resume();
    },
  });
  opened.push(
    () =>
      new Promise<void>((resolve) => {
        smtp.close(() => resolve());
      }),
  );
  await transportTo(await portOf(smtp.server), `mailer:${encodeURIComponent(password)}@`).send(mail);
  expect(signedIn).toEqual(['mailer']);
});

test('a mail is sent once when the connection is lost before the answer: only the queue may retry', async () => {
  let taken = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let isBody = false;
    socket.write('220 test\r\n');
    socket.on('data', (chunk) => {
      const text = chunk.toString();
      if (isBody && text.includes('\r\n.\r\n')) {
        taken += 1;
        socket.destroy();
      } else if (text.startsWith('DATA')) {
        isBody = true;
        socket.write('354 go on\r\n');
      } else if (!isBody) socket.write('250 yes\r\n');
    });
  });
  opened.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await expect(transportTo(await portOf(server)).send(mail)).rejects.toThrow(/closed|ECONNRESET/u);
  expect(taken).toBe(1);
});

test('a mail fails when the server is unreachable', async () => {
  const server = createServer();
  const port = await portOf(server);
  await new Promise<void>((resolve) => void server.close(() => resolve()));
  await expect(transportTo(port).send(mail)).rejects.toThrow(/ECONNREFUSED/u);
});

test('RPM-03-partial a recipient that its server rejects for good differs from a text that it rejects, and from one to try later', async () => {
  const fault = (responseCode: number, message = 'no') => Object.assign(new Error(message), { responseCode });
  const smtp = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo({ address }, _session, done) {
      if (address.startsWith('gone')) return done(fault(550));
      if (address.startsWith('unknown')) return done(fault(550, '5.1.1 No such user'));
      // As Postfix says to a sender outside of its permitted networks.
      if (address.startsWith('relayed')) return done(fault(554, '5.7.1 <relayed@highline.invalid>: Relay access denied'));
      if (address.startsWith('small')) return done(fault(552, '5.2.3 Message length exceeds the limit of this recipient'));
      return address.startsWith('full') ? done(fault(452)) : done();
    },
    onData(stream, _session, done) {
      stream.on('end', () => done(fault(552)));
      stream.resume();
    },
  });
  opened.push(
    () =>
      new Promise<void>((resolve) => {
        smtp.close(() => resolve());
      }),
  );
  const transport = transportTo(await portOf(smtp.server));
  const faultOf = (to: string) => transport.send({ ...mail, to }).catch((error: unknown) => error);
  expect(await faultOf('gone@highline.invalid')).toMatchObject({ name: 'PermanentMailError', isOfRecipient: true });
  expect(await faultOf('unknown@highline.invalid')).toMatchObject({ name: 'PermanentMailError', isOfRecipient: true });
  // It rejects us, not this recipient: all mails wait until its settings, or ours, are corrected.
  expect(await faultOf('relayed@highline.invalid')).not.toBeInstanceOf(PermanentMailError);
  expect(await faultOf('small@highline.invalid')).toMatchObject({ name: 'PermanentMailError', isOfRecipient: false });
  expect(await faultOf('large@highline.invalid')).toMatchObject({ name: 'PermanentMailError', isOfRecipient: false });
  expect(await faultOf('full@highline.invalid')).not.toBeInstanceOf(PermanentMailError);
});

test.each([
  ['550 relay not permitted', false],
  ["553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)", false],
  ['530 Authentication required', false],
  ['530 5.5.1 Sign in first', false],
  ['550-Please turn on SMTP Authentication in your mail client.\r\n550 Not permitted', false],
  ['550 sorry, no mailbox here by that name. (#5.1.1)', true],
  ['550 5.1.1 <person@highline.invalid>: Recipient address rejected: User unknown in relay recipient table', true],
  ['550 <person@relay.invalid>: no such user', true],
])(
  'RPM-03-partial a server that rejects us, also without an enhanced status, is not taken for a recipient that is gone: %s',
  async (line, isFinal) => {
    const server = createServer((socket) => {
      socket.write('220 test\r\n');
      socket.on('data', (chunk) => {
        socket.write(chunk.toString().startsWith('RCPT') ? `${line}\r\n` : '250 yes\r\n');
      });
    });
    opened.push(() => void server.close());
    const fault = await transportTo(await portOf(server))
      .send(mail)
      .catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(Error);
    expect((fault as Error).name).toBe(isFinal ? 'PermanentMailError' : 'Error');
  },
);

test('mail to another machine is encrypted, unless the address says otherwise', () => {
  const requires = (host: string) => smtpOptions(`smtp://user:password@${host}`).requireTLS;
  expect(['localhost:25', '127.0.0.1', '127.1.2.3:2525', '[::1]:25'].map(requires)).toEqual([false, false, false, false]);
  expect(['mail.example.com', '10.0.0.1:25', '127.example.com'].map(requires)).toEqual([true, true, true]);
});
