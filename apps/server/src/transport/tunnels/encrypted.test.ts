import { once } from 'node:events';
import { duplexPair } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createSecureContext, TLSSocket } from 'node:tls';
import { expect, it } from 'vitest';
import { createTestAuthority } from '../../testing/certificates.ts';
import { silentLog } from '../../testing/log.ts';
import { encrypted } from './encrypted.ts';

async function openConnection() {
  const [channel, far] = duplexPair();
  const { cert, key } = await (await createTestAuthority('device')).issue({ isServer: true });
  const device = new TLSSocket(far, { isServer: true, secureContext: createSecureContext({ cert, key }) });
  const opening = encrypted({ open: async () => channel }, silentLog).open();
  return { channel, device, opening };
}

it('LIV-08-partial what a device sends before it closes an encrypted connection is read later, whole', async () => {
  const { channel, device, opening } = await openConnection();
  const page = Buffer.alloc(40_000, 'x');
  device.end(page);
  const socket = await opening;
  await once(channel, 'end');
  channel.destroy();
  await once(channel, 'close');
  expect((await buffer(socket)).equals(page)).toBe(true);
});

it('LIV-08-partial an encrypted connection that breaks off is closed', async () => {
  const { channel, device, opening } = await openConnection();
  device.write('half of a page');
  const socket = await opening;
  channel.destroy();
  await expect(buffer(socket)).rejects.toThrow('Premature close');
});
