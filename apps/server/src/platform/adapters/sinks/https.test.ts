import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createTestAuthority } from '../../../testing/certificates.ts';
import { sinkContract, type SinkFault } from '../../../testing/sink-contract.ts';
import { readSinkUrl, type SinkSettings } from '../../settings/sink-settings.ts';
import { createHttpSink } from './https.ts';

type HttpSink = Extract<SinkSettings, { kind: 'http' }>;

/** A receiver with TLS that asks for a user and a password. */
async function startReceiver() {
  const authority = await createTestAuthority('Sink');
  const { key, cert } = await authority.issue({ isServer: true });
  const lines: string[] = [];
  const seen: {
    readonly url: string | undefined;
    readonly authorization: string | undefined;
    readonly type: string | undefined;
  }[] = [];
  let fault: SinkFault | undefined;
  let respond: (response: ServerResponse) => unknown = (response) => response.writeHead(204).end();
  const receive = async (request: AsyncIterable<Buffer>, response: ServerResponse) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    if (fault === 'silent') return;
    if (fault === 'rejects') return void response.writeHead(500).end('disk full');
    lines.push(
      ...Buffer.concat(parts)
        .toString()
        .split('\n')
        .filter((line) => line !== ''),
    );
    respond(response);
  };
  const listen = async (port: number): Promise<Server> => {
    const server = createServer({ key, cert }, (request, response) => {
      seen.push({ url: request.url, authorization: request.headers.authorization, type: request.headers['content-type'] });
      receive(request, response).catch(() => response.destroy());
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return server;
  };
  const stop = async (server: Server) => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  let server = await listen(0);
  const { port } = server.address() as AddressInfo;
  const settings = (path = '/insert?table=readings') =>
    ({ ...readSinkUrl(`https://writer:p%40ss@127.0.0.1:${port}${path}`)!, ca: authority.cert }) as HttpSink;
  return {
    seen,
    settings,
    respondWith: (next: typeof respond) => (respond = next),
    open: () => createHttpSink(settings()),
    received: async () => lines,
    async break(how: SinkFault) {
      if (how === 'down') await stop(server);
      else fault = how;
    },
    async repair() {
      if (!server.listening) server = await listen(port);
      fault = undefined;
    },
    close: () => stop(server),
  };
}

sinkContract('HTTPS', startReceiver, ['down', 'rejects', 'silent']);

test('NOD-05-partial an answer of a redirect is a failure, which is quoted; the request names path, type and user', async () => {
  const receiver = await startReceiver();
  const sink = receiver.open();
  receiver.respondWith((response) => response.writeHead(302, { location: 'https://elsewhere.test/' }).end('moved'));
  const sent = sink.send([{ id: '1', lines: '{}\n' }], AbortSignal.timeout(20_000));
  await expect(sent).rejects.toThrow('The sink answered 302: moved');
  expect(receiver.seen).toEqual([
    {
      url: '/insert?table=readings',
      authorization: `Basic ${Buffer.from('writer:p@ss').toString('base64')}`,
      type: 'application/x-ndjson',
    },
  ]);
  await sink.close();
  const { ca: _, ...withoutAuthority } = receiver.settings();
  const untrusting = createHttpSink(withoutAuthority);
  await expect(untrusting.send([{ id: '1', lines: '{}\n' }], AbortSignal.timeout(20_000))).rejects.toThrow(/certificate/u);
  expect(receiver.seen).toHaveLength(1);
  await untrusting.close();
  await receiver.close();
});

test.each([
  ['https://metrics.example.com/x', true],
  ['http://127.0.0.1:8123/?query=x', true],
  ['http://metrics.example.com/x', false],
  ['nats://user:secret@metrics.example.com/fleet.readings', true],
  ['tls://metrics.example.com:4223/readings', true],
  ['nats://metrics.example.com', false],
  ['nats://metrics.example.com/', false],
  ['nats://metrics.example.com/a.*', false],
  ['ftp://metrics.example.com/x', false],
  ['metrics.example.com', false],
])('NOD-05-partial the address %s of a sink is valid: %s', (text, isValid) => {
  expect(readSinkUrl(text) !== undefined).toBe(isValid);
});
