import { once } from 'node:events';
import { Duplex } from 'node:stream';
import { expect, it } from 'vitest';
import { joinStreams } from './join-streams.ts';

/** A connection whose peer takes what is written when it is let. */
function openConnection() {
  const taken: string[] = [];
  const gate = new EventTarget();
  let isOpen = false;
  const connection = new Duplex({
    read: () => undefined,
    write(chunk: Buffer, _encoding, done) {
      const accept = () => {
        taken.push(chunk.toString());
        done();
      };
      if (isOpen) accept();
      else gate.addEventListener('open', accept, { once: true });
    },
  });
  return {
    connection,
    taken,
    closed: once(connection, 'close').catch(() => []),
    take() {
      isOpen = true;
      gate.dispatchEvent(new Event('open'));
    },
  };
}

it('LIV-08-partial what a device sends before it closes reaches a client that reads later, whole', async () => {
  const [client, device] = [openConnection(), openConnection()];
  device.take();
  joinStreams(client.connection, device.connection);
  client.connection.push('quit');
  client.connection.push(null);
  for (const part of ['one', 'two', 'three']) device.connection.push(part);
  device.connection.push(null);
  await device.closed;
  client.take();
  await client.closed;
  expect([device.taken, client.taken]).toEqual([['quit'], ['one', 'two', 'three']]);
});

it.each([0, 1])('LIV-08-partial an end that breaks off takes the other with it (%i)', async (end) => {
  const pair = [openConnection(), openConnection()] as const;
  joinStreams(pair[0].connection, pair[1].connection);
  pair[end]!.connection.destroy(new Error('reset'));
  await pair[1 - end]!.closed;
  expect(pair.map(({ connection }) => connection.destroyed)).toEqual([true, true]);
});
