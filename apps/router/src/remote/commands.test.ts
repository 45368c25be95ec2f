import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { inspect } from 'node:util';
import ssh2 from 'ssh2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeMac } from '../identity.ts';
import type { RouterHandle } from '../router.ts';
import { startAgent } from '../start.ts';
import { TestController } from '../testing/controller.ts';
import { TunnelCloud } from '../testing/tunnel-cloud.ts';

const ROUTER = { serial: 'HL-0001', mac: makeMac(1), secret: 'x', model: 'HL-500', vehicle: 'Bus 12' };
const GRANT = { User: 's-1', Username: 'hl-abc123', Password: 'correct horse battery', Service: 'SSH', Seconds: '300' };

let folder: string;
let controller: TestController;
let cloud: TunnelCloud;
let router: RouterHandle;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'highline-remote-'));
  controller = await TestController.start();
  cloud = await TunnelCloud.start();
  start();
  await connected(1);
});

afterEach(async () => {
  await router.stop();
  await Promise.all([controller.stop(), cloud.stop()]);
  rmSync(folder, { recursive: true });
});

function start(): void {
  const timing = {
    graceMs: 1,
    bootMs: 1,
    valueChangePollMs: 10,
    backoff: { minMs: 1, maxMs: 5, rejectedMs: 5, serverRestartMs: 5 },
  };
  router = startAgent({ server: controller.url, stateDir: folder, timing, router: ROUTER });
}

async function connected(times: number): Promise<void> {
  await controller.until(() => controller.connects.length >= times);
}

/** Execute a command. @returns what is wrong, undefined when it was done */
async function operate(command: string, args: { [name: string]: string } = {}): Promise<string | undefined> {
  const request = { type: 'operate', command, commandKey: '', sendResp: true, inputArgs: new Map(Object.entries(args)) } as const;
  const { operationResults } = await controller.request(router.endpointId, request);
  const result = operationResults[0]?.result;
  return result?.type === 'cmd_failure' ? result.errMsg : undefined;
}

const tunnel = () => ({ Address: cloud.address, User: 's-1', Secret: cloud.secret, HostKey: cloud.fingerprint, Service: 'SSH' });
const openTunnel = async (changes: { [name: string]: string } = {}) =>
  await operate('Device.X_HIGHLINE_OpenTunnel()', { ...tunnel(), ...changes });
const grant = async (changes: { [name: string]: string } = {}) =>
  await operate('Device.X_HIGHLINE_GrantAccess()', { ...GRANT, ...changes });

async function get(path: string): Promise<string | undefined> {
  const { reqPathResults } = await controller.request(router.endpointId, { type: 'get', paramPaths: [path], maxDepth: 0 });
  return reqPathResults[0]?.resolvedPathResults[0]?.resultParams.get(path.slice(path.lastIndexOf('.') + 1));
}

/** Fingerprint of the host key that the router presents. */
async function hostKeySeen(): Promise<string> {
  const before = cloud.forwards.length;
  await openTunnel();
  await cloud.until(() => cloud.forwards.length > before);
  await grant();
  const client = new ssh2.Client();
  let seen = '';
  const { Username: username, Password: password } = GRANT;
  client.connect({
    sock: await cloud.connect(),
    username,
    password,
    hostVerifier: (key: Buffer) => (seen = key.toString('hex')) !== '',
  });
  await once(client, 'ready');
  client.end();
  await operate('Device.X_HIGHLINE_CloseTunnel()', { User: 's-1' });
  return seen;
}

describe('the commands of remote access', () => {
  it('RMT-07-partial open a tunnel, admit a user, and end both', async () => {
    expect(await openTunnel()).toBeUndefined();
    await cloud.until(() => cloud.forwards.length === 1);
    expect(await get('Device.SSH.Server.1.Enable')).toBe('false');
    expect(await grant()).toBeUndefined();
    expect(await get('Device.SSH.Server.1.Enable')).toBe('true');
    expect(Number(await get('Device.SSH.Server.1.Port'))).toBeGreaterThan(0);
    await cloud.signIn(GRANT.Username, GRANT.Password);
    expect(await get('Device.SSH.Server.1.SessionNumberOfEntries')).toBe('1');
    expect(await operate('Device.X_HIGHLINE_RevokeAccess()', { User: 's-1' })).toBeUndefined();
    expect(await get('Device.SSH.Server.1.Enable')).toBe('false');
    expect(await operate('Device.X_HIGHLINE_CloseTunnel()', { User: 's-1' })).toBeUndefined();
    await cloud.until(() => cloud.openCount === 0);
    expect(await operate('Device.X_HIGHLINE_CloseTunnel()', { User: 's-1' })).toBe('no tunnel of this session is open');
  });

  it.each([
    [{ Address: 'ws://evil.example/tunnel' }, 'this router opens tunnels to 127.0.0.1 only, not to evil.example'],
    [{ Secret: '' }, 'Address, User and Secret are needed, each of at most 512 characters'],
    [{ User: 'x'.repeat(513) }, 'Address, User and Secret are needed, each of at most 512 characters'],
    [{ HostKey: 'MD5:aa' }, "HostKey must be 'SHA256:' and a digest in base64"],
    [{ Service: 'TELNET' }, 'Service must be SSH or GUI'],
  ])('an invalid tunnel request is rejected with a message: %o', async (changes, message) => {
    expect(await openTunnel(changes)).toBe(message);
  });

  it.each([
    [{ Password: 'short' }, 'Username and a Password of at least 12 characters are needed'],
    [{ Username: '' }, 'Username and a Password of at least 12 characters are needed'],
    [{ Seconds: '0' }, 'Seconds must be from 1 to 3600'],
    [{ Seconds: '1e9' }, 'Seconds must be from 1 to 3600'],
    [{ Service: '' }, 'Service must be SSH or GUI'],
    [{}, 'no tunnel of this session is open'],
  ])('invalid credentials are rejected with a message: %o', async (changes, message) => {
    expect(await grant(changes)).toBe(message);
  });

  it('RMT-02-partial a power cut leaves nothing behind: no tunnel, no credentials, nothing of them in the stored state', async () => {
    await openTunnel();
    await cloud.until(() => cloud.forwards.length === 1);
    await grant();
    await cloud.signIn(GRANT.Username, GRANT.Password);
    router.powerCut(0);
    await cloud.until(() => cloud.openCount === 0);
    await connected(2);
    expect(await get('Device.SSH.Server.1.Enable')).toBe('false');
    expect(await grant()).toBe('no tunnel of this session is open');
    const stored = readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'latin1'))
      .join('\n');
    expect(stored).toContain('bootCount');
    for (const secret of [GRANT.Username, GRANT.Password, cloud.secret]) expect(stored).not.toContain(secret);
  });

  it('the router keeps one host key over restarts, readable for its owner only', async () => {
    expect(readdirSync(folder).filter((name) => name.endsWith('host-key'))).toEqual([]);
    const first = await hostKeySeen();
    expect(statSync(join(folder, 'HL-0001.host-key')).mode & 0o777).toBe(0o600);
    await router.stop();
    await cloud.until(() => cloud.openCount === 0);
    start();
    await connected(2);
    expect(await hostKeySeen()).toBe(first);
  });

  it('RMT-06-partial PasswordReset() resets the password to its default, and notifies subscribers of the time', async () => {
    const user = 'Device.Users.User.1.';
    await controller.subscribe(router.endpointId, 'pw', 'ValueChange', `${user}X_HIGHLINE_PasswordChanged`);
    router.changePassword();
    await controller.until(() => controller.of('pw').length === 1);
    expect(await get(`${user}X_HIGHLINE_PasswordIsDefault`)).toBe('false');
    expect(await operate('Device.UserInterface.PasswordReset()')).toBeUndefined();
    await controller.until(() => controller.of('pw').length === 2);
    expect(await get(`${user}X_HIGHLINE_PasswordIsDefault`)).toBe('true');
  });

  it('LIV-11-partial a set password cannot be read, is changed in the eyes of subscribers, and ends with a reset', async () => {
    const user = 'Device.Users.User.1.';
    await controller.subscribe(router.endpointId, 'pw', 'ValueChange', `${user}X_HIGHLINE_PasswordChanged`);
    const set = async (password: string) => {
      const updateObjs = [
        {
          objPath: 'Device.Users.User.[Username=="admin"].',
          paramSettings: [{ param: 'Password', value: password, required: true }],
        },
      ];
      return inspect(await controller.requestAny(router.endpointId, { type: 'set', allowPartial: false, updateObjs }), {
        depth: 10,
      });
    };
    expect(await set('short')).toContain("type: 'error'");
    const answer = await set('Kx7mPq2wTn4vRb8d');
    expect(answer).toContain('Device.Users.User.1.');
    expect(answer).not.toContain('Kx7mPq2wTn4vRb8d');
    await controller.until(() => controller.of('pw').length === 1);
    expect([await get(`${user}Password`), await get(`${user}X_HIGHLINE_PasswordIsDefault`)]).toEqual(['', 'false']);
    expect(readFileSync(join(folder, 'HL-0001.json'), 'utf8')).not.toContain('Kx7mPq2wTn4vRb8d');
  });
});
