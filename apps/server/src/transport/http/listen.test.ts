import { fastify } from 'fastify';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { listenAt } from './listen.ts';
import { StartupError } from '../../platform/settings/settings-file.ts';

test('a port in use, and an address that this machine does not have, are reported as settings', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const rejected = (host: string, at: number) => listenAt(fastify(), { host, port: at }).catch((error: unknown) => error);
  const taken = await rejected('127.0.0.1', port);
  expect(taken).toBeInstanceOf(StartupError);
  expect((taken as Error).message).toMatch(new RegExp(`^PORT: another program .*\\(127\\.0\\.0\\.1, port ${port}\\)\\.$`, 'u'));
  // An address of the documentation network: no machine has it.
  const foreign = await rejected('192.0.2.1', 0);
  expect(foreign).toBeInstanceOf(StartupError);
  expect((foreign as Error).message).toMatch(/^HOST: this machine does not have that address\./u);
  other.close();
});
