import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { send } from '../testing/call.ts';
import { createTestAuthority } from '../testing/certificates.ts';
import { openEventStream } from '../testing/event-stream.ts';
import { freePort, until } from '../testing/process.ts';
import { openRemoteFixture, type RemoteFixture } from '../testing/remote-fixture.ts';

// The files of packaging/proxies with the real programs: only addresses and paths are replaced.

const samples = new URL('../../../../packaging/proxies/', import.meta.url);
const DATA = '/data_manager/v1/dm';
let folder: string;
let fixture: RemoteFixture;
let serverPort: string;
const trusted = getCACertificates('default');

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'highline-proxies-'));
  const authority = await createTestAuthority('Proxies');
  const { cert, key } = await authority.issue({ isServer: true });
  writeFileSync(join(folder, 'fleet.pem'), cert);
  writeFileSync(join(folder, 'authority.pem'), authority.cert);
  writeFileSync(join(folder, 'fleet.key'), key);
  writeFileSync(join(folder, 'both.pem'), `${cert}\n${key}`);
  setDefaultCACertificates([...trusted, authority.cert]);
  fixture = await openRemoteFixture({ trustedProxies: ['127.0.0.1'] });
  serverPort = new URL(fixture.server.url).port;
});
afterAll(async () => {
  await fixture.close();
  setDefaultCACertificates(trusted);
  rmSync(folder, { recursive: true, force: true });
});

/** A sample with each of these texts replaced; each must be in it. */
function sample(name: string, replaced: Readonly<Record<string, string>>): string {
  return Object.entries(replaced).reduce(
    (text, [from, to]) => {
      expect(text).toContain(from);
      return text.replaceAll(from, to);
    },
    readFileSync(new URL(name, samples), 'utf8'),
  );
}

/** The line of the first process, once for each. */
const eachNode = (nodes: readonly string[], line: string) => ({
  [line]: nodes.map((node, n) => line.replaceAll('node-1', `node-${n + 1}`).replace('8080', node)).join('\n'),
});

interface Proxy {
  readonly url: string;
  /** All that it has logged. */
  logged(): string;
  stop(): Promise<void>;
}

/** A check waits longer where there is no other process to take over: this one answers late on a slow machine. */
const checkSeconds = (nodes: readonly string[]) => (nodes.length > 1 ? 2 : 60);

interface Recipe {
  readonly program: string;
  /** Writes the files of a run for processes at these ports; returns arguments, and the files that it logs to. */
  prepare(
    at: (name: string) => string,
    port: number,
    nodes: readonly string[],
  ): Promise<{ readonly args: string[]; readonly logs: string[] }>;
}

const recipes: Readonly<Record<string, Recipe>> = {
  nginx: {
    program: '/usr/sbin/nginx',
    async prepare(at, port, nodes) {
      const site = sample('nginx.conf', {
        'listen 443 ssl': `listen 127.0.0.1:${port} ssl`,
        // Of the time that a frozen process takes from one reader; with one process, live updates stay open on a slow machine too.
        'proxy_read_timeout 35s': `proxy_read_timeout ${nodes.length > 1 ? 2 : 35}s`,
        ...eachNode(nodes, '  server 127.0.0.1:8080 max_fails=2 fail_timeout=30s;'),
        '/etc/highline/': `${folder}/`,
        '/var/log/nginx/': at(''),
      });
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${at(name)};`);
      const user = process.getuid?.() === 0 ? 'user root;' : '';
      writeFileSync(at('site.conf'), site);
      writeFileSync(
        at('nginx.conf'),
        `daemon off; worker_processes 1; pid ${at('pid')}; ${user} events {} http { ${temporary.join(' ')} include ${at('site.conf')}; }`,
      );
      return { args: ['-c', at('nginx.conf'), '-e', 'stderr'], logs: [at('highline.log'), at('highline.error.log')] };
    },
  },
  caddy: {
    program: '/usr/bin/caddy',
    async prepare(at, port, nodes) {
      const site = sample('Caddyfile', {
        'health_timeout 2s': `health_timeout ${checkSeconds(nodes)}s`,
        'unix//run/caddy/admin.sock': `unix/${at('admin.sock')}`,
        'http_port 80': `http_port ${await freePort()}`,
        'https://fleet.example.com': `https://127.0.0.1:${port}`,
        '/etc/highline/': `${folder}/`,
        '/var/log/caddy/': at(''),
        '127.0.0.1:8080': nodes.map((node) => `127.0.0.1:${node}`).join(' '),
      });
      writeFileSync(at('Caddyfile'), site);
      return { args: ['run', '--config', at('Caddyfile'), '--adapter', 'caddyfile'], logs: [at('highline.log')] };
    },
  },
  haproxy: {
    program: '/usr/sbin/haproxy',
    async prepare(at, port, nodes) {
      const site = sample('haproxy.cfg', {
        'timeout check 2s': `timeout check ${checkSeconds(nodes)}s`,
        'log /dev/log local0': 'log stdout format raw local0',
        'maxconn 50000': 'maxconn 200',
        'fleet.example.com': `127.0.0.1:${port}`,
        'bind :443': `bind 127.0.0.1:${port}`,
        '/etc/highline/fleet.pem': join(folder, 'both.pem'),
        ...eachNode(nodes, '  server node-1 127.0.0.1:8080 check'),
        ...eachNode(nodes, '  server node-1 127.0.0.1:8080 track nodes/node-1'),
      });
      writeFileSync(at('haproxy.cfg'), site);
      return { args: ['-db', '-f', at('haproxy.cfg')], logs: [] };
    },
  },
};

async function start(name: string, nodes: readonly string[]): Promise<Proxy> {
  const own = mkdtempSync(join(folder, `${name}-`));
  const at = (file: string) => join(own, '/', file);
  const port = await freePort();
  const { program, prepare } = recipes[name]!;
  const { args, logs } = await prepare(at, port, nodes);
  const home = { HOME: own, XDG_CONFIG_HOME: own, XDG_DATA_HOME: own };
  const child: ChildProcess = spawn(program, args, { env: { ...process.env, ...home }, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const url = `https://127.0.0.1:${port}`;
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`${name} ended: ${printed}`);
    return (await fetch(`${url}/healthz`)).ok;
  });
  return {
    url,
    logged: () => printed + logs.map((path) => (existsSync(path) ? readFileSync(path, 'utf8') : '')).join(''),
    async stop() {
      // Without waiting for its connections: Caddy does so for as long as they last.
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

/** A session through the proxy: the router's WebSocket, the tunnel that it opens, and an echo in it. */
async function tunnelThrough({ url }: Proxy): Promise<string> {
  const device = await fixture.scripted({
    url,
    onTunnel: (router, args) => {
      const address = new URL(args['Address']!);
      address.protocol = 'wss:';
      address.host = new URL(url).host;
      void router.openTunnel({ ...args, Address: address.href }, { name: args['Forward'] ?? 'ssh' });
    },
  });
  const opened = await send(`${url}${DATA}/cmds/connectDevice`, {
    bearer: fixture.bearer,
    body: { org: fixture.scope.organizationId, serial: device.serial, type: 'ssh' },
  });
  expect([opened.status, opened.text]).toEqual([200, expect.any(String)]);
  const socket = connect(opened.json<{ port: number }>().port, '127.0.0.1');
  socket.write('through the proxy');
  const [echo] = (await once(socket, 'data', { signal: AbortSignal.timeout(60_000) })) as [Buffer];
  socket.destroy();
  // The connection is logged when it has ended.
  await device.router.stop();
  return echo.toString();
}

describe.each(Object.keys(recipes))('behind %s', (name) => {
  const isMissing = !existsSync(recipes[name]!.program);

  test.skipIf(isMissing)(
    `NOD-07-partial the sample of ${name} passes routers, tunnels, live updates and large images, and logs no secret`,
    async () => {
      const proxy = await start(name, [serverPort]);
      try {
        const { scope, bearer, main } = fixture;
        const stream = await openEventStream(proxy.url, bearer, { org: scope.organizationId });
        expect(stream.status).toBe(200);
        const body = { org: scope.organizationId, name: `Behind ${name}` };
        const forged = { 'x-forwarded-for': '203.0.113.9' };
        expect((await send(`${proxy.url}${DATA}/group`, { bearer, body, headers: forged })).status).toBe(200);
        expect((await stream.next()).data.topic).toBe('groups');
        stream.close();
        const { rows } = await fixture.server.owner.query(
          'select address from audit_entries where chain_id = $1 order by seq desc limit 1',
          [scope.organizationId],
        );
        expect(rows).toEqual([{ address: '127.0.0.1' }]);

        expect(await tunnelThrough(proxy)).toBe('through the proxy');

        const person = await fixture.server.seeding.account(main, `${name}@proxies.invalid`, 'main');
        const uploaded = await uploadImage(`${proxy.url}${DATA}/firmware`, await fixture.server.seeding.bearer(person), name);
        expect(uploaded).toEqual([200, expect.any(String)]);

        const secret = `a-secret-of-${name}`;
        for (const path of [
          `/usp/${secret}?eid=${secret}`,
          `/transfers/${secret}`,
          `/account.html?reset=${secret}`,
          `/?id=1&vap=${secret}`,
        ])
          await send(`${proxy.url}${path}`, { headers: { connection: 'close', referer: `https://x/?reset=${secret}` } });
        const kept = ['/transfers/', '/account.html'];
        await until(() => proxy.logged().split('/usp/').length > 2 && kept.every((path) => proxy.logged().includes(path)));
        expect(proxy.logged()).toContain(`${DATA}/firmware`);
        expect(proxy.logged()).not.toContain(secret);
        // Those of the real router and its endpoint id.
        expect(proxy.logged()).not.toMatch(/\/usp\/[\w%]|eid=/u);
      } finally {
        await proxy.stop();
      }
    },
  );

  test.skipIf(isMissing)(
    `NOD-02-partial behind the sample of ${name}, WebSockets stay open and calls get the 503 of the processes while the database is away`,
    async () => {
      const nodes = await Promise.all([startStub('one'), startStub('two')]);
      const proxy = await start(
        name,
        nodes.map(({ port }) => port),
      );
      const socket = await openSocket(proxy);
      try {
        for (const { child, port } of nodes) {
          child.kill('SIGUSR2');
          await until(async () => (await fetch(`http://127.0.0.1:${port}${DATA}/group`)).status === 503);
        }
        // nginx checks nothing; the others leave a process out after two failed checks.
        if (name !== 'nginx') await Promise.all(nodes.map(({ checks }) => checks(3)));
        for (let count = 0; count < 4; count++) {
          const { status, headers } = await fetch(`${proxy.url}${DATA}/group`, { signal: AbortSignal.timeout(CALL_MS) });
          expect([status, headers.get('retry-after')]).toEqual([503, '5']);
        }
        socket.write('still open');
        const [echo] = (await once(socket, 'data', { signal: AbortSignal.timeout(CALL_MS) })) as [Buffer];
        expect(echo.toString()).toBe('still open');
        (await openSocket(proxy)).destroy();
      } finally {
        socket.destroy();
        await proxy.stop();
        for (const { child } of nodes) child.kill('SIGKILL');
      }
    },
  );

  // Caddy leaves a frozen process out after its next check too, but waits for what it has sent there before.
  if (name === 'caddy') return;
  test.skipIf(isMissing)(`NOD-07-partial the sample of ${name} answers calls while a process is frozen`, async () => {
    const nodes = await Promise.all([startStub('one'), startStub('two')]);
    const proxy = await start(
      name,
      nodes.map(({ port }) => port),
    );
    const sockets: AbortController[] = [];
    try {
      const call = async () => (await fetch(`${proxy.url}/healthz`, { signal: AbortSignal.timeout(CALL_MS) })).text();
      const responses = async (count: number) => new Set(await Promise.all(Array.from({ length: count }, call)));
      await until(async () => (await responses(4)).size === 2);
      // Connections that stay, as those of routers.
      for (let held = 0; held < 4; held++) {
        const socket = new AbortController();
        sockets.push(socket);
        await fetch(`${proxy.url}/data_manager/v1/events`, { signal: socket.signal });
      }
      process.kill(nodes[1].child.pid!, 'SIGSTOP');
      for (let round = 0; round < 3; round++) expect(await responses(6)).toEqual(new Set(['one']));
      process.kill(nodes[1].child.pid!, 'SIGCONT');
    } finally {
      for (const socket of sockets) socket.abort();
      await proxy.stop();
      for (const { child } of nodes) child.kill('SIGKILL');
    }
  });
});

/** Upload 150 MiB as firmware, from a process of its own: in this one the server would answer late meanwhile. @returns status and text */
async function uploadImage(url: string, bearer: string, version: string): Promise<unknown> {
  const program = `const [url, bearer, version] = process.argv.slice(1);
  const form = new FormData();
  for (const [field, value] of Object.entries({ profile: 'Other', version, unsigned: 'true' })) form.append(field, value);
  form.append('file', new Blob([new Uint8Array(150 * 1_048_576).fill(7)]), 'image.bin');
  fetch(url, { method: 'POST', headers: { authorization: 'Bearer ' + bearer }, body: form })
    .then(async (response) => console.log(JSON.stringify([response.status, await response.text()])));`;
  const child = spawn(process.execPath, ['-e', program, url, bearer, version], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse((await child.stdout.toArray()).join(''));
}

/** Longer than any of the proxies takes to notice. */
const CALL_MS = 15_000;

/** The example of RFC 6455, 1.3: HAProxy compares the two. */
const WEBSOCKET = { key: 'dGhlIHNhbXBsZSBub25jZQ==', accept: 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=' };

interface Stub {
  readonly child: ChildProcess;
  readonly port: string;
  /** Wait until it has answered so many checks since SIGUSR2. */
  checks(count: number): Promise<void>;
}

/**
 * A process that answers with its name, keeps live updates open and returns what it gets through WebSockets. From SIGUSR2 on it answers as one
 * whose database is away.
 */
async function startStub(name: string): Promise<Stub> {
  const program = `let isAway = false;
  process.on('SIGUSR2', () => (isAway = true));
  const server = require('node:http').createServer((request, reply) => {
    if (isAway && /z$/.test(request.url)) console.log('checked');
    if (request.url === '/livez') return reply.end('alive');
    if (isAway) return reply.writeHead(503, { 'retry-after': '5' }).end();
    if (request.url === '/healthz') return reply.end('${name}');
    reply.writeHead(200); reply.write('.');
  });
  server.on('upgrade', (request, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\\r\\nConnection: Upgrade\\r\\nUpgrade: websocket\\r\\nSec-WebSocket-Accept: ${WEBSOCKET.accept}\\r\\n\\r\\n');
    socket.on('error', () => {}).pipe(socket);
  });
  server.listen({ port: 0, host: '127.0.0.1', backlog: 2 }, () => console.log(server.address().port));`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const checks = (count: number) => until(async () => printed.split('checked').length > count);
  return { child, port: port.toString().trim(), checks };
}

/** A WebSocket through the proxy, as of a router. */
async function openSocket({ url }: Proxy): Promise<TLSSocket> {
  const upgrade = request(`${url}/usp/secret`, {
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-key': WEBSOCKET.key,
      'sec-websocket-version': '13',
    },
  });
  upgrade.end();
  const [, socket] = (await once(upgrade, 'upgrade', { signal: AbortSignal.timeout(CALL_MS) })) as [unknown, TLSSocket];
  return socket;
}
