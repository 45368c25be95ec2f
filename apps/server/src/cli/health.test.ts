import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createTestAuthority, writePems } from '../testing/certificates.ts';

const program = fileURLToPath(new URL('../../../../bin/highline', import.meta.url));
const settings = {
  PUBLIC_URL: 'https://fleet.example.com',
  HIGHLINE_MASTER_KEY: randomBytes(32).toString('hex'),
  SMTP_URL: 'none',
};

/** As the image runs it. */
async function check(more: Record<string, string>) {
  const env = { PATH: process.env['PATH'], ...settings, ...more };
  const child = spawn(program, ['health'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: code as number, out, err };
}

async function listen(server: ReturnType<typeof createHttpServer>, host: string): Promise<string> {
  server.listen(0, host);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return String((server.address() as AddressInfo).port);
}

const alive: RequestListener = ({ url }, response) => response.writeHead(url === '/livez' ? 200 : 404).end();

test('NOD-07-partial the check of the image reaches a server with TLS of its own, for another name and at one address only', async () => {
  const { cert, key } = await (await createTestAuthority('Fleet')).issue({ isServer: true });
  const PORT = await listen(createHttpsServer({ cert, key }, alive), '127.0.0.2');
  const files = writePems({ cert, key });
  const tls = { TLS_CERT_FILE: files.cert, TLS_KEY_FILE: files.key };
  expect(await check({ ...tls, PORT, HOST: '127.0.0.2' })).toEqual({ code: 0, out: 'The server runs.\n', err: '' });
  expect(await check({ ...tls, PORT, HOST: '127.0.0.3' })).toMatchObject({ code: 1, err: expect.stringContaining('127.0.0.3') });
});

test('NOD-07-partial the check of the image reaches a server behind a proxy at every address, and fails for one that is unwell', async () => {
  const behind = { TRUSTED_PROXIES: 'loopback' };
  expect(await check({ ...behind, PORT: await listen(createHttpServer(alive), '0.0.0.0') })).toMatchObject({ code: 0, err: '' });
  const broken = await listen(
    createHttpServer((_request, response) => response.writeHead(503).end()),
    '127.0.0.1',
  );
  expect(await check({ ...behind, PORT: broken })).toEqual({
    code: 1,
    out: '',
    err: `highline: The server at 127.0.0.1, port ${broken}, answers 503.\n`,
  });
});
