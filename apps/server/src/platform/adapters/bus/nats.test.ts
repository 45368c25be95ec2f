import { nkeys } from '@nats-io/transport-node';
import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { busContract } from '../../../testing/bus-contract.ts';
import { createTestAuthority, type TestAuthority } from '../../../testing/certificates.ts';
import { createLogBook, silentLog } from '../../../testing/log.ts';
import { startNatsServer, type NatsServer } from '../../../testing/nats-server.ts';
import { until } from '../../../testing/process.ts';
import type { NodeBus } from '../../ports/node-bus.ts';
import { readNatsCredentials, readNatsUrl, type NatsSettings } from '../../settings/nats-settings.ts';
import { openNatsBus } from './nats.ts';

const opened: NodeBus[] = [];
afterEach(async () => {
  for (const bus of opened.splice(0)) await bus.close();
});

async function open(
  url: string,
  more: Partial<NatsSettings> = {},
  prefix = 'highline.test',
  log = silentLog,
  former: readonly string[] = [],
): Promise<NodeBus> {
  const bus = await openNatsBus({
    settings: { ...readNatsUrl(url)!, ...more },
    prefixes: { active: () => prefix, all: () => [prefix, ...former] },
    log,
  });
  opened.push(bus);
  return bus;
}

const responds = (from: NodeBus, subject: string) =>
  from.request(subject, Buffer.from('?'), 2_000).then(
    () => true,
    () => false,
  );

async function expectToTalk(a: NodeBus, b: NodeBus): Promise<void> {
  b.subscribe('hello', async () => Buffer.from('hello'));
  await until(() => responds(a, 'hello'));
  expect([a.isConnected, b.isConnected]).toEqual([true, true]);
}

describe('NATS', () => {
  let server: NatsServer;
  beforeAll(async () => {
    server = await startNatsServer();
  });
  afterAll(() => server.close());

  busContract('NATS', () => open(server.url()));

  test('NOD-01-partial two installations at one NATS do not receive messages of each other', async () => {
    const [a, b, other] = [await open(server.url()), await open(server.url()), await open(server.url(), {}, 'highline.other')];
    const received: string[] = [];
    other.subscribe('hello', async () => Buffer.from(String(received.push('other'))));
    await expectToTalk(a, b);
    expect(await responds(other, 'hello')).toBe(false);
    expect(received).toEqual([]);
  });

  test('a process that knows two master keys receives messages under the subjects of both', async () => {
    const both = await open(server.url(), {}, 'highline.next', silentLog, ['highline.test']);
    const [a, next] = [await open(server.url()), await open(server.url(), {}, 'highline.next')];
    both.subscribe('hello', async () => Buffer.from('hello'));
    for (const bus of [a, next]) await until(() => responds(bus, 'hello'));
    expect(await responds(both, 'hello')).toBe(false);
  });

  test('NOD-02-partial after kill -9 of NATS a bus is disconnected, and after its restart it works again, with one log line each', async () => {
    const { log, sentences } = createLogBook();
    const [a, b] = [await open(server.url(), {}, 'highline.test', log), await open(server.url())];
    let connections = 0;
    a.onConnected(() => connections++);
    await expectToTalk(a, b);
    await server.kill();
    await until(() => !a.isConnected && !b.isConnected);
    a.publish('hello', Buffer.from('dropped'));
    await expect(a.request('hello', Buffer.from(''), 60_000)).rejects.toMatchObject({ kind: 'disconnected' });
    await server.start();
    await until(() => a.isConnected && b.isConnected);
    await until(() => responds(a, 'hello'));
    expect(connections).toBe(1);
    expect(sentences).toEqual([
      'Connected to NATS.',
      'The connection to NATS is lost: other processes are reached later or not at all. Retrying.',
      'Connected to NATS.',
    ]);
  });

  test('NOD-02-partial a process starts without NATS, and connects once it runs', async () => {
    await server.kill();
    const { log, sentences } = createLogBook();
    const [a, b] = [await open(server.url(), {}, 'highline.test', log), await open(server.url())];
    expect([a.isConnected, sentences]).toEqual([false, ['NATS cannot be reached; this process starts without it and retries.']]);
    let connections = 0;
    a.onConnected(() => connections++);
    b.subscribe('hello', async () => Buffer.from('hello'));
    await server.start();
    await until(() => responds(a, 'hello'));
    expect(connections).toBe(1);
  });
});

describe('NATS with a sign-in', () => {
  const folder = mkdtempSync(join(tmpdir(), 'highline-nats-keys-'));
  const user = nkeys.createUser();
  const fileOf = (text: string) => {
    const path = join(folder, 'credentials');
    writeFileSync(path, `${text}\n`, { mode: 0o600 });
    return { credentials: readNatsCredentials(path)! };
  };
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each([
    ['a user and a password', 'authorization { user: highline, password: "p:ss/word" }', 'highline:p%3Ass%2Fword@', {}],
    ['a token', 'authorization { token: s3cret-token }', 's3cret-token@', {}],
    [
      'a key',
      `authorization { users: [ { nkey: ${user.getPublicKey()} } ] }`,
      '',
      fileOf(Buffer.from(user.getSeed()).toString()),
    ],
    ['a JWT and its key', jwtServer().config, '', fileOf(jwtServer().file)],
  ])(
    'NOD-01-partial is used with %s, and another one is rejected at the start without repeating a secret',
    async (_, config, who, more) => {
      const server = await startNatsServer(config);
      await expectToTalk(await open(server.url(who), more), await open(server.url(who), more));
      for (const [wrong, other] of [
        ['', {}],
        ['highline:wr0ng@', {}],
        ['', fileOf(Buffer.from(nkeys.createUser().getSeed()).toString())],
      ] as const) {
        const failure = await open(server.url(wrong), other).catch((error: Error) => error.message);
        expect(failure).toMatch(/^NATS_URL: 127\.0\.0\.1:\d+ rejects the sign-in \(.+\)\. Check the user and the password/u);
        expect(failure).not.toMatch(/wr0ng|s3cret|SU[A-Z2-7]{20}/u);
      }
      await server.close();
    },
  );

  test('an invalid key is rejected at the start', async () => {
    const seed = Buffer.from(user.getSeed()).toString();
    // Not the last character: some of its bits mean nothing.
    const broken = `${seed.slice(0, 20)}${seed[20] === 'A' ? 'B' : 'A'}${seed.slice(21)}`;
    await expect(open('nats://127.0.0.1:1', fileOf(broken))).rejects.toThrow(/^NATS_CREDENTIALS_FILE: its seed is invalid/u);
  });

  test('a user without the right to the subjects is reported in the log', async () => {
    const server = await startNatsServer(
      'authorization { users: [ { user: a, password: b, permissions: { publish: "other.>", subscribe: "other.>" } } ] }',
    );
    const { log, sentences } = createLogBook();
    const bus = await open(server.url('a:b@'), {}, 'highline.test', log);
    bus.subscribe('hello', async () => Buffer.from(''));
    await until(() => sentences.includes('NATS rejects something of this process.'));
    expect(await responds(bus, 'hello')).toBe(false);
    await server.close();
  });
});

describe('NATS with TLS', () => {
  let authority: TestAuthority;
  let server: NatsServer;
  beforeAll(async () => {
    authority = await createTestAuthority('NATS');
    const { cert, key } = await authority.issue({ isServer: true });
    const tls = 'tls { cert_file: "FOLDER/cert.pem", key_file: "FOLDER/key.pem" }';
    server = await startNatsServer(tls, { 'cert.pem': cert, 'key.pem': key });
  });
  afterAll(() => server.close());

  test('NOD-01-partial is used with the authority of its certificate', async () => {
    const url = server.url('', 'tls');
    const [a, b] = [await open(url, { ca: authority.cert }), await open(url, { ca: authority.cert })];
    b.subscribe('hello', async () => Buffer.from('hello'));
    await until(() => responds(a, 'hello'));
    expect(a.isConnected).toBe(true);
  });

  test('a certificate of another authority, and a server without TLS, are rejected at the start', async () => {
    const other = await createTestAuthority('Other');
    const rejected = /^NATS_URL: TLS with 127\.0\.0\.1:\d+ fails \(.+\)\. Use tls:\/\/ only for servers with TLS/u;
    for (const ca of [{}, { ca: other.cert }]) await expect(open(server.url('', 'tls'), ca)).rejects.toThrow(rejected);
    const plain = await startNatsServer();
    await expect(open(plain.url('', 'tls'), { ca: authority.cert })).rejects.toThrow(rejected);
    await plain.close();
  });
});

describe('NATS that verifies clients', () => {
  test('NOD-01-partial a process with a certificate of its authority is accepted; without one, or with another one, it does not start', async () => {
    const [authority, other] = [await createTestAuthority('NATS'), await createTestAuthority('Other')];
    const { cert, key } = await authority.issue({ isServer: true });
    const server = await startNatsServer(
      'tls { cert_file: "FOLDER/cert.pem", key_file: "FOLDER/key.pem", ca_file: "FOLDER/ca.pem", verify: true }',
      { 'cert.pem': cert, 'key.pem': key, 'ca.pem': authority.cert },
    );
    const url = server.url('', 'tls');
    const ca = authority.cert;
    const client = await authority.issue({ endpointId: 'node-1' });
    await expectToTalk(await open(url, { ca, client }), await open(url, { ca, client }));
    const rejected = /^NATS_URL: TLS with 127\.0\.0\.1:\d+ fails \(.*(?:certificate|ca)\)\. .* NATS_CERT_FILE/u;
    const stolen = await other.issue({ endpointId: 'node-1' });
    await Promise.all([{ ca }, { ca, client: stolen }].map((wrong) => expect(open(url, wrong)).rejects.toThrow(rejected)));
    await server.close();
  });
});

/** The config of a server that trusts an operator, and the credentials file of a user, as `nsc` writes it. */
function jwtServer(): { readonly config: string; readonly file: string } {
  return (jwtOnce ??= createJwtServer());
}
let jwtOnce: { readonly config: string; readonly file: string } | undefined;

function createJwtServer() {
  const [operator, account, user] = [nkeys.createOperator(), nkeys.createAccount(), nkeys.createUser()];
  const sign = (by: nkeys.KeyPair, of: nkeys.KeyPair, type: string, nats: object): string => {
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
    const claims = {
      jti: type,
      iat: Math.floor(Date.now() / 1_000),
      iss: by.getPublicKey(),
      name: type,
      sub: of.getPublicKey(),
      nats: { ...nats, type, version: 2 },
    };
    const text = `${encode({ typ: 'JWT', alg: 'ed25519-nkey' })}.${encode(claims)}`;
    return `${text}.${Buffer.from(by.sign(Buffer.from(text))).toString('base64url')}`;
  };
  const unlimited = { subs: -1, data: -1, payload: -1 };
  const limits = { ...unlimited, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 };
  const accountJwt = sign(operator, account, 'account', { limits });
  const config = [
    `operator: ${sign(operator, operator, 'operator', {})}`,
    `resolver: MEMORY`,
    `resolver_preload: { ${account.getPublicKey()}: ${accountJwt} }`,
  ].join('\n');
  const file = [
    '-----BEGIN NATS USER JWT-----',
    sign(account, user, 'user', unlimited),
    '------END NATS USER JWT------',
    '',
    '-----BEGIN USER NKEY SEED-----',
    Buffer.from(user.getSeed()).toString(),
    '------END USER NKEY SEED------',
  ].join('\n');
  return { config, file };
}
