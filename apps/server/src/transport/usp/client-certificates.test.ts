import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import { createConnection, type AddressInfo } from 'node:net';
import { Duplex } from 'node:stream';
import { connect, type ConnectionOptions, getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startAgent } from '@highline/router';
import { TestAgent, type AgentOptions } from '../../testing/agent.ts';
import { minimalAgent } from '../../testing/agent-models.ts';
import { send, until } from '../../testing/call.ts';
import {
  createRequest,
  createTestAuthority,
  writePems,
  type TestAuthority,
  type TestCertificate,
} from '../../testing/certificates.ts';
import { silentLog } from '../../testing/log.ts';
import { readMetrics } from '../../testing/metrics.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { buildTenants, type Tenants } from '../../testing/tenants.ts';
import { openListenerTls } from '../http/tls.ts';

const INVENTORY = '/data_manager/v1/dm/inventory';

let server: TestServer;
let proxied: TestServer;
let tenants: Tenants;
let operator: TestAuthority;
let serving: TestAuthority;
let files: Record<'cert' | 'key' | 'ca', string>;

beforeAll(async () => {
  [operator, serving] = [await createTestAuthority('Operator'), await createTestAuthority('Server')];
  setDefaultCACertificates([...getCACertificates('default'), serving.cert]);
  files = writePems({ ...(await serving.issue({ isServer: true })), ca: operator.cert });
  server = await startTestServer({ tls: { certFile: files.cert, keyFile: files.key, clientCaFile: files.ca } });
  proxied = await startTestServer({ trustedProxies: ['loopback'] });
  tenants = await buildTenants(server.seeding);
});
afterAll(() => Promise.all([server.close(), proxied.close()]));

interface Issued {
  readonly id: string;
  readonly certificate: string;
  readonly key: string | null;
  readonly authority: string;
}
interface Detail {
  readonly certificates: readonly { readonly id: string; readonly state: string; readonly last_used: number | null }[];
  readonly rejection: { readonly reason: string } | null;
  readonly presence: string;
  readonly model: string;
  readonly agent: { readonly url: string };
}

test('TLS of its own offers no cipher without forward secrecy, none with CBC, and nothing before TLS 1.2', async () => {
  const { hostname: host, port } = new URL(server.url);
  const connects = (options: ConnectionOptions) =>
    new Promise<string>((resolve) => {
      const socket = connect({ host, port: Number(port), ...options });
      socket.once('secureConnect', () => {
        resolve(socket.getCipher().name);
        socket.destroy();
      });
      socket.once('error', () => resolve('rejected'));
    });
  const old = { maxVersion: 'TLSv1.2' } as const;
  // The key is an elliptic one.
  for (const ciphers of ['ECDHE-ECDSA-AES128-SHA256', 'ECDHE-ECDSA-AES128-SHA', 'ECDHE-ECDSA-AES128-CCM'])
    expect([ciphers, await connects({ ...old, ciphers })]).toEqual([ciphers, 'rejected']);
  expect(await connects({ ...old, ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256' })).toBe('ECDHE-ECDSA-AES128-GCM-SHA256');
  expect(await connects({})).toMatch(/^TLS_/u);
  expect(await connects({ minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' })).toBe('rejected');
});

/** What a server sends in a handshake of TLS 1.2, where its certificate and the names of authorities are readable. */
async function firstFlight(port: number): Promise<Buffer> {
  const received: Buffer[] = [];
  const connection = createConnection({ host: '127.0.0.1', port });
  const socket = new Duplex({ read() {}, write: (bytes: Buffer, _encoding, done) => void connection.write(bytes, done) });
  connection.on('data', (bytes: Buffer) => {
    received.push(bytes);
    socket.push(bytes);
  });
  await once(connect({ socket, maxVersion: 'TLSv1.2', rejectUnauthorized: false }), 'secureConnect');
  connection.destroy();
  return Buffer.concat(received);
}

let number = 0;
/** A router in stock, and its API calls. */
async function addRouter() {
  const bearer = tenants.own.bearers.main;
  number += 1;
  const router = { serial_number: `TLS-${number}`, mac: `00B2D1${String(number).padStart(6, '0')}` };
  const added = await send(server.url + INVENTORY, { bearer, body: router });
  const { id, secret, endpointId } = added.json<{ result: { id: string; secret: string; endpointId: string } }>().result;
  const url = `${server.url}${INVENTORY}/${id}`;
  return {
    id,
    serial: router.serial_number,
    mac: router.mac,
    secret,
    endpointId,
    issue: async (body: object = {}) => (await send(`${url}/certificates`, { bearer, body })).json<{ result: Issued }>().result,
    revoke: (certificate: string) => send(`${url}/certificates/${certificate}`, { method: 'DELETE', bearer }),
    patch: (body: object) => send(url, { method: 'PATCH', bearer, body }),
    detail: async () => (await send(url, { bearer })).json<{ result: Detail }>().result,
    rejectedAs: async (reason: string) =>
      until(async () => (await send(url, { bearer })).json<{ result: Detail }>().result.rejection?.reason === reason),
    agent: (options: Partial<AgentOptions> = {}) =>
      new TestAgent({ ...at(server), secret: '', endpointId, ...minimalAgent, ...options }),
  };
}

const at = ({ url }: TestServer) => ({ server: url.replace('http', 'ws') });
const shown = ({ certificate, key }: Issued): { certificate: TestCertificate } => ({
  certificate: { cert: certificate, key: key! },
});

describe('client certificates of routers', () => {
  test('DEV-05-partial a router connects by a certificate alone, at an address without a secret, and its last use is shown', async () => {
    const router = await addRouter();
    const issued = await router.issue();
    expect(await router.agent(shown(issued)).rejected).toBe(401);
    await router.rejectedAs('secret-missing');
    expect((await router.patch({ authentication: 'certificate' })).status).toBe(200);
    await router.agent(shown(issued)).opened();
    await until(async () => (await router.detail()).certificates[0]!.last_used !== null);
    await until(async () => (await router.detail()).rejection === null);
    const detail = await router.detail();
    expect(detail).toMatchObject({ certificates: [{ id: issued.id, state: 'valid' }] });
    expect(new URL(detail.agent.url).pathname).toBe('/usp');
    // It was added without a model, and has reported one.
    await until(async () => (await router.detail()).model === 'HR-100');
    // The secret in the address no longer counts.
    expect(await router.agent({ secret: router.secret }).rejected).toBe(401);
    await router.rejectedAs('certificate-missing');
  });

  test('DEV-05-partial either secret or certificate is enough, or both are required, as the inventory is set', async () => {
    const router = await addRouter();
    const issued = await router.issue();
    await router.patch({ authentication: 'either' });
    await router.agent(shown(issued)).opened();
    await router.agent({ secret: router.secret }).opened();
    await router.patch({ authentication: 'both' });
    expect(await router.agent(shown(issued)).rejected).toBe(401);
    await router.rejectedAs('secret-missing');
    expect(await router.agent({ secret: router.secret }).rejected).toBe(401);
    await router.rejectedAs('certificate-missing');
    await router.agent({ secret: router.secret, ...shown(issued) }).opened();
  });

  test('DEV-05-partial an old secret in the address hides no certificate, and is shown as missing where one is required', async () => {
    const router = await addRouter();
    const shownNow = { secret: `${router.secret.slice(0, -4)}AAAA`, ...shown(await router.issue()) };
    for (const authentication of ['either', 'certificate']) {
      await router.patch({ authentication });
      await router.agent(shownNow).opened();
    }
    for (const authentication of ['both', 'secret']) {
      await router.agent({ ...shownNow, secret: router.secret }).opened();
      await until(async () => (await router.detail()).rejection === null);
      await router.patch({ authentication });
      expect(await router.agent(shownNow).rejected).toBe(401);
      await router.rejectedAs('secret-missing');
    }
  });

  test('DEV-05-partial a revoked certificate closes the live connection at once, and cannot open another', async () => {
    const router = await addRouter();
    const issued = await router.issue();
    await router.patch({ authentication: 'certificate' });
    const agent = await router.agent(shown(issued)).opened();
    await until(async () => (await router.detail()).certificates[0]!.last_used !== null);
    expect((await router.revoke(issued.id)).status).toBe(200);
    expect((await agent.closed).code).toBe(1008);
    expect(await router.agent(shown(issued)).rejected).toBe(401);
    await router.rejectedAs('certificate-revoked');
    expect((await router.revoke(issued.id)).status).toBe(404);
    expect((await router.detail()).certificates[0]).toMatchObject({ state: 'revoked' });
  });

  test('DEV-05-partial a new certificate and the previous one both work until the previous one ends', async () => {
    const router = await addRouter();
    const first = await router.issue();
    await router.patch({ authentication: 'certificate' });
    const second = await router.issue();
    expect((await router.detail()).certificates.map(({ state }) => state)).toEqual(['valid', 'retiring']);
    await router.agent(shown(first)).opened();
    await router.agent(shown(second)).opened();
    await server.owner.query("update router_certificates set retires_at = now() - interval '1 second' where id = $1", [first.id]);
    expect(await router.agent(shown(first)).rejected).toBe(401);
    await router.rejectedAs('certificate-expired');
    await server.owner.query("update router_certificates set expires_at = now() - interval '1 second' where id = $1", [
      second.id,
    ]);
    expect(await router.agent(shown(second)).rejected).toBe(401);
    expect((await router.detail()).certificates.map(({ state }) => state)).toEqual(['expired', 'replaced']);
  });

  test("DEV-05-partial another router's certificate, and one of an unknown authority, are rejected", async () => {
    const [router, other] = [await addRouter(), await addRouter()];
    const [own, others] = [await router.issue(), await other.issue()];
    await router.patch({ authentication: 'both' });
    const liar = await createTestAuthority('Liar');
    const forged = await liar.issue({ endpointId: router.endpointId });
    expect(await router.agent({ secret: router.secret, ...shown(others) }).rejected).toBe(401);
    await router.rejectedAs('certificate-other');
    await router.agent({ secret: router.secret, ...shown(own) }).opened();
    expect(await router.agent({ secret: router.secret, certificate: forged }).rejected).toBe(401);
    await router.rejectedAs('certificate-other');
    // A forged certificate alone identifies no router, so no rejection is recorded.
    expect(await router.agent({ certificate: forged }).rejected).toBe(401);
    // A certificate of ours, used for another router.
    await other.patch({ authentication: 'certificate' });
    expect(await router.agent({ ...shown(others), endpointId: router.endpointId }).rejected).toBe(401);
    await other.rejectedAs('endpoint');
  });

  test('DEV-05-partial a certificate names the endpoint id it was issued for: after a change of the id a new one is needed', async () => {
    const router = await addRouter();
    const issued = await router.issue();
    await router.patch({ authentication: 'certificate' });
    await router.patch({ endpointId: 'proto::tls-renamed' });
    expect(await router.agent({ ...shown(issued), query: '' }).rejected).toBe(401);
    await router.rejectedAs('certificate-endpoint');
    await router.agent({ ...shown(await router.issue()), endpointId: 'proto::tls-renamed' }).opened();
  });

  test('DEV-05-partial a certificate request leaves the key on the router; only its public key is used', async () => {
    const router = await addRouter();
    const { csr, key } = await createRequest();
    const issued = await router.issue({ csr });
    expect(issued.key).toBeNull();
    await router.patch({ authentication: 'certificate' });
    await router.agent({ certificate: { cert: issued.certificate, key } }).opened();
    for (const wrong of ['x', csr.replace(/[A-Z]{4}/u, 'AAAA'), issued.certificate]) {
      const rejected = await send(`${server.url}${INVENTORY}/${router.id}/certificates`, {
        bearer: tenants.own.bearers.main,
        body: { csr: wrong },
      });
      expect([rejected.status, rejected.error().key, rejected.error().field]).toEqual([400, 'inventory.csr_invalid', 'csr']);
    }
  });

  test("DEV-05-partial a certificate of the operator's own authority identifies its router by endpoint id, while it is valid", async () => {
    const router = await addRouter();
    await router.patch({ authentication: 'certificate' });
    const { endpointId } = router;
    await router.agent({ certificate: await operator.issue({ endpointId }) }).opened();
    expect(await router.agent({ certificate: await operator.issue({ endpointId, from: -10, until: -1 }) }).rejected).toBe(401);
    await router.rejectedAs('certificate-expired');
    expect(await router.agent({ certificate: await operator.issue({ endpointId: 'user::unknown' }) }).rejected).toBe(401);
    const { cert, key } = await serving.issue({ endpointId });
    expect(await router.agent({ certificate: { cert, key } }).rejected).toBe(401);
  });

  test('DEV-05-partial our own agent connects by its certificate, without a secret', async () => {
    const router = await addRouter();
    const { certificate, key } = await router.issue();
    await router.patch({ authentication: 'certificate' });
    const pems = writePems({ certificate, key: key! });
    const agent = startAgent({
      server: at(server).server,
      router: { serial: router.serial, mac: router.mac, model: 'HL', clientCert: pems.certificate, clientKey: pems.key },
    });
    await agent.whenConnected();
    await until(async () => (await router.detail()).certificates[0]!.last_used !== null);
    expect((await router.detail()).rejection).toBeNull();
    await agent.stop();
  });

  test('DEV-05-partial private keys are stored sealed or not at all, and every certificate is in the audit log', async () => {
    const router = await addRouter();
    const issued = await router.issue();
    await router.revoke(issued.id);
    const secretPart = issued.key!.split('\n')[1]!;
    const { rows: cas } = await server.owner.query('select certificate, sealed_key from main_account_cas');
    const { rows: certificates } = await server.owner.query('select row_to_json(c) as row from router_certificates c');
    const { rows: log } = await server.owner.query('select action, detail from audit_entries');
    expect(JSON.stringify([certificates, log])).not.toContain(secretPart);
    for (const { sealed_key: sealed } of cas)
      expect((sealed as Buffer).includes(Buffer.from('06072a8648ce3d0201', 'hex'))).toBe(false);
    const actions = log.map(({ action }: { action: string }) => action);
    expect(actions).toContain(`Issued a client certificate for router TLS-${number}`);
    expect(actions).toContain(`Revoked a client certificate of router TLS-${number}`);
  });
});

describe('our own TLS', () => {
  /** The certificate that the server presents, and the authorities it names. */
  const handshake = async (): Promise<TLSSocket> => {
    const { hostname, port } = new URL(server.url);
    const socket = connect({ host: hostname, port: Number(port), ca: [serving.cert, operator.cert] });
    await once(socket, 'secureConnect');
    return socket;
  };

  test('DEV-05-partial an expired authority of the operator lets no certificate in, and is named when it is loaded', async () => {
    const expired = await createTestAuthority('Expired', -1);
    writeFileSync(files.ca, operator.cert + expired.cert);
    await server.reloadTls();
    const router = await addRouter();
    await router.patch({ authentication: 'certificate' });
    const { endpointId } = router;
    expect(await router.agent({ certificate: await expired.issue({ endpointId }) }).rejected).toBe(401);
    await router.agent({ certificate: await operator.issue({ endpointId }) }).opened();
    const warnings: unknown[] = [];
    const log = { ...silentLog, warn: (fields: object) => void warnings.push(fields) };
    await openListenerTls({ certFile: files.cert, keyFile: files.key, clientCaFile: files.ca }, async () => [], log);
    expect(warnings).toMatchObject([{ authority: 'CN=Expired' }]);
  });

  test('NOD-07-partial a certificate that soon expires is a figure, and a line in the log each day, also of a process that goes on', async () => {
    const warnings: string[] = [];
    const log = { ...silentLog, warn: (_fields: object, sentence: string) => void warnings.push(sentence) };
    const own = await serving.issue({ isServer: true, until: 20 });
    const read = writePems({ cert: `${own.cert}\n${serving.cert}`, key: own.key, ca: operator.cert });
    const tls = { certFile: read.cert, keyFile: read.key, clientCaFile: read.ca };
    const watched = await startTestServer({ tls, metrics: true });
    try {
      const text = await readMetrics(watched.metricsPort);
      const expires = (pem: string) => new X509Certificate(pem).validToDate.getTime() / 1_000;
      expect(text).toContain(`highline_certificate_expires_timestamp_seconds{file="TLS_CERT_FILE"} ${expires(own.cert)}\n`);
      expect(text).toContain(
        `highline_certificate_expires_timestamp_seconds{file="TLS_CLIENT_CA_FILE"} ${expires(operator.cert)}\n`,
      );
      expect(text).toContain('highline_job_interval_seconds{job_name="certificates"} 86400');
      expect(text).toContain('highline_job_interval_seconds{job_name="client authorities"} 60');
    } finally {
      await watched.close();
    }
    const listener = await openListenerTls(tls, async () => [], log);
    const [job] = listener.jobs({ setSecureContext: () => expect.fail() });
    const inDays = (days: number) => job!.run(new Date(Date.now() + days * 86_400_000));
    await inDays(5);
    expect(warnings).toEqual([]);
    await inDays(7);
    expect(warnings).toEqual([expect.stringMatching(/^The certificate of 127\.0\.0\.1 expires on /u)]);
    await inDays(1_001);
    expect(warnings.slice(1)).toEqual([
      expect.stringContaining('TLS_CLIENT_CA_FILE names an authority that has expired'),
      expect.stringContaining('The certificate of 127.0.0.1 expired on'),
      expect.stringContaining('The certificate of Server expired on'),
    ]);
  });

  test('DEV-05-partial the authority of a main account that another process has added is named to routers within a minute', async () => {
    const authorities: string[] = [];
    const listener = await openListenerTls({ certFile: files.cert, keyFile: files.key }, async () => [...authorities], silentLog);
    const listening = createServer(listener.options).listen(0, '127.0.0.1');
    await once(listening, 'listening');
    const isNamed = async () => (await firstFlight((listening.address() as AddressInfo).port)).includes('Of another process');
    try {
      authorities.push((await createTestAuthority('Of another process')).cert);
      expect(await isNamed()).toBe(false);
      for (const { everyMs, run } of listener.jobs(listening)) if (everyMs <= 60_000) await run(new Date());
      expect(await isNamed()).toBe(true);
    } finally {
      listening.close();
    }
  });

  test('DEV-08-partial SIGHUP reloads certificates for new connections; open ones stay, and a bad file changes nothing', async () => {
    const router = await addRouter();
    const agent = await router.agent({ secret: router.secret }).opened();
    const before = await handshake();
    const renewed = await serving.issue({ isServer: true, until: 20 });
    writeFileSync(files.cert, renewed.cert);
    writeFileSync(files.key, renewed.key);
    await server.reloadTls();
    const after = await handshake();
    expect(after.getPeerCertificate().fingerprint256).not.toBe(before.getPeerCertificate().fingerprint256);
    writeFileSync(files.cert, 'nonsense');
    await server.reloadTls();
    const third = await handshake();
    expect(third.getPeerCertificate().fingerprint256).toBe(after.getPeerCertificate().fingerprint256);
    expect(agent.socket.readyState).toBe(agent.socket.OPEN);
    writeFileSync(files.cert, renewed.cert);
    for (const socket of [before, after, third]) socket.destroy();
  });
});

describe('behind a proxy that terminates TLS', () => {
  test('AUTH-03-partial a proxy that writes ports behind addresses gives an attacker no more attempts', async () => {
    const statuses: number[] = [];
    for (let port = 50_000; port < 50_010; port++) {
      const response = await send(`${proxied.url}/dmp_aa/api/v1/auth/token`, {
        headers: { 'x-forwarded-for': `203.0.113.5:${port}` },
        body: { email: 'owner@highline.invalid', password: 'a wrong guess' },
      });
      statuses.push(response.status);
    }
    expect(statuses.slice(0, 8)).toEqual(Array(8).fill(403));
    expect(statuses.slice(8)).toEqual([429, 429]);
  });

  test('DEV-05-partial no header replaces a certificate, and no router can be set to require one', async () => {
    const users = await buildTenants(proxied.seeding);
    const bearer = users.own.bearers.main;
    const { routerId } = users.own.stock;
    const rejected = await send(`${proxied.url}${INVENTORY}/${routerId}`, {
      method: 'PATCH',
      bearer,
      body: { authentication: 'certificate' },
    });
    expect([rejected.status, rejected.error().key]).toEqual([409, 'inventory.no_client_tls']);
    const issued = await send(`${proxied.url}${INVENTORY}/${routerId}/certificates`, { bearer, body: {} });
    const { certificate } = issued.json<{ result: Issued }>().result;
    await proxied.owner.query("update routers set authentication = 'either' where id = $1", [routerId]);
    const forwarded = encodeURIComponent(certificate);
    const headers = {
      'x-ssl-client-cert': forwarded,
      'x-forwarded-client-cert': `Cert="${forwarded}"`,
      'ssl-client-verify': 'SUCCESS',
    };
    const socket = new WebSocket(`${at(proxied).server}/usp`, 'v1.usp', { headers });
    socket.on('error', () => {});
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
    expect(response.statusCode).toBe(404);
    socket.terminate();
  });
});
