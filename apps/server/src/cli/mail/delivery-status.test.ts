import { createServer, type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { fromExchange, fromExim, fromPostfix } from '../../testing/returned-mails.ts';
import { TemporaryFault } from '../command.ts';
import { createBounceCommand } from './bounce.ts';
import { readDeliveryStatus } from './delivery-status.ts';

const address = `bounces+${'0k'.repeat(20)}9@example.com`;
const recipient = 'left@else.test';
const returned = { address, recipient };

test.each([
  [
    'Postfix',
    fromPostfix,
    '5.1.1',
    `550 5.1.1 <${recipient}>: Recipient address rejected: User unknown in virtual mailbox table`,
  ],
  ['Exim', fromExim, '5.0.0', '550 No such user here'],
  ['Exchange', fromExchange, '5.1.10', '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup'],
])('RPM-03-partial a notification of %s says which mail was returned, and why', (_name, write, status, reason) => {
  expect(readDeliveryStatus(write(returned))).toEqual({ address, status, reason });
  for (const action of ['delayed', 'delivered', 'relayed', 'expanded', ''])
    expect(readDeliveryStatus(write({ ...returned, action })), action).toBeUndefined();
  for (const other of ['2.0.0', '5.1', '5.1000.1', 'failed', ''])
    expect(readDeliveryStatus(write({ ...returned, status: other })), other).toBeUndefined();
});

test('RPM-03-partial nothing else that arrives at the address is a returned mail', () => {
  const message = fromPostfix(returned);
  for (const other of [
    '',
    '\n\n',
    'To: \n\n',
    `To: ${address}\nSubject: Automatic reply: away until Monday\nAuto-Submitted: auto-replied\n\nI am away.\n`,
    message.replace('multipart/report', 'multipart/mixed'),
    message.replace('boundary=', 'border='),
    message.replace('Content-Type: message/delivery-status', 'Content-Type: message/rfc822'),
    message.replaceAll(address, 'bounces@example.com'),
    message.slice(0, message.indexOf('Action: failed')),
    // The address of the mail stands in what is returned alone.
    message
      .replace(`X-Original-To: ${address}`, 'X-Original-To: x@example.com')
      .replace(`\nTo: ${address}`, '\nTo: x@example.com'),
    `${'--'.repeat(100_000)}\n`.repeat(2),
    `To: ${address}\nContent-Type: multipart/report;${'; '.repeat(50_000)}boundary=${'"'.repeat(50_000)}\n\n${'--\n'.repeat(50_000)}`,
  ])
    expect(readDeliveryStatus(other)).toBeUndefined();
});

test('RPM-03-partial while the server cannot be reached the mail server has to try again, and its message is read to the end', async () => {
  const listening = createServer();
  const port = await new Promise<number>((resolve) => {
    listening.listen(0, '127.0.0.1', () => resolve((listening.address() as AddressInfo).port));
  });
  await new Promise<void>((resolve) => {
    listening.close(() => resolve());
  });
  let isReadToItsEnd = false;
  const input = Readable.from(
    (async function* pieces() {
      yield Buffer.from(fromPostfix(returned));
      for (let piece = 0; piece < 40; piece++) yield Buffer.alloc(262_144, 'A');
      isReadToItsEnd = true;
    })(),
  );
  const run = createBounceCommand(() => input).run(['--server', `http://127.0.0.1:${port}`], {}, () => {});
  await expect(run).rejects.toThrow(TemporaryFault);
  expect(isReadToItsEnd).toBe(true);
});
