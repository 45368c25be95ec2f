import { once } from 'node:events';
import { type Socket, createConnection } from 'node:net';
import type { Client, ClientChannel } from 'ssh2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TestHost, createTestHost } from '../testing/remote-host.ts';
import { TunnelCloud } from '../testing/tunnel-cloud.ts';
import { RemoteAccess } from './remote-access.ts';
import type { GrantRequest, TunnelRequest } from './remote-control.ts';

const MINUTE = 60_000;
const GRANT: GrantRequest = { username: 'hl-abc123', password: 'correct horse battery', service: 'SSH', seconds: 300 };

let cloud: TunnelCloud;
let host: TestHost;
let access: RemoteAccess;

beforeEach(async () => {
  cloud = await TunnelCloud.start();
  host = createTestHost();
  access = new RemoteAccess(host);
});

afterEach(async () => {
  access.end('the test is over', false);
  await cloud.stop();
});

function tunnelRequest(changes: Partial<TunnelRequest> = {}): TunnelRequest {
  return { address: cloud.address, user: 's-1', secret: cloud.secret, hostKey: cloud.fingerprint, service: 'SSH', ...changes };
}

/** An open tunnel with credentials for one user. */
async function openWithGrant(): Promise<void> {
  expect(access.open(tunnelRequest())).toBeUndefined();
  await host.noted('a tunnel to the command line is open');
  expect(access.grant('s-1', GRANT)).toBeUndefined();
}

const signIn = async () => await cloud.signIn(GRANT.username, GRANT.password);

async function exec(client: Client, command: string): Promise<{ text: string; status: number }> {
  return await new Promise((resolve, reject) => {
    client.exec(command, (error, channel) => {
      if (error) return reject(error);
      let text = '';
      let status = -1;
      channel.on('data', (bytes: Buffer) => (text += bytes.toString()));
      channel.on('exit', (code: number) => (status = code));
      return channel.on('close', () => resolve({ text, status }));
    });
  });
}

async function openShell(client: Client): Promise<ClientChannel> {
  return await new Promise((resolve, reject) => {
    client.shell({ cols: 80, rows: 24 }, (error, channel) => (error ? reject(error) : resolve(channel)));
  });
}

/** Collect everything a shell writes, to wait for a text. */
function watch(channel: ClientChannel): (text: string) => Promise<void> {
  let all = '';
  channel.on('data', (bytes: Buffer) => (all += bytes.toString()));
  return async (text) => {
    while (!all.includes(text)) await once(channel, 'data');
    all = all.slice(all.indexOf(text) + text.length);
  };
}

describe('remote access to a router', () => {
  it('RMT-07-partial connects an SSH client to the command line of a router that only made outgoing connections', async () => {
    await openWithGrant();
    const client = await signIn();
    const { text, status } = await exec(client, 'show sim');
    expect(text).toContain('ICCID    89999990000000000033\n');
    expect(status).toBe(0);
    expect(await exec(client, 'rm -rf /')).toEqual({ text: "rm: no such command. Type 'help' for the list.\n", status: 127 });
    expect(access.statusOf('SSH').sessions).toBe(1);
    client.end();
    await host.noted('a user left the command line');
  });

  it('a shell has a prompt, and its line ends with the session', async () => {
    await openWithGrant();
    const client = await signIn();
    const shell = await openShell(client);
    const shows = watch(shell);
    await shows('HL-0001# ');
    shell.write('upt\t\r');
    await shows('up 17 s');
    const closed = once(client, 'end');
    expect(access.close('s-1')).toBeUndefined();
    await closed;
    await cloud.until(() => cloud.openCount === 0);
    expect(access.statusOf('SSH')).toEqual({ port: undefined, sessions: 0 });
  });

  it('RMT-02-partial credentials expire at the router by themselves: its port closes, no sign-in is possible, an open shell continues', async () => {
    await openWithGrant();
    const client = await signIn();
    const shell = await openShell(client);
    const shows = watch(shell);
    await shows('HL-0001# ');
    const { port } = access.statusOf('SSH');
    host.scheduler.advance(299_999);
    expect(access.statusOf('SSH').port).toBe(port);
    host.scheduler.advance(1);
    expect(access.statusOf('SSH')).toEqual({ port: undefined, sessions: 1 });
    await expect(cloud.connect()).rejects.toThrow(/open/iu);
    const [error] = (await once(createConnection(port ?? 0, '127.0.0.1'), 'error')) as [NodeJS.ErrnoException];
    // A reset, where another program has got the port since.
    expect(['ECONNREFUSED', 'ECONNRESET']).toContain(error.code);
    shell.write('uptime\r');
    await shows('up 17 s');
    await host.noted('the credentials have expired');
  });

  it('credentials that were withdrawn or replaced are rejected', async () => {
    await openWithGrant();
    access.grant('s-1', { ...GRANT, username: 'hl-newer' });
    await expect(signIn()).rejects.toThrow(/authentication/iu);
    await cloud.signIn('hl-newer', GRANT.password);
    expect(access.revoke('s-1')).toBeUndefined();
    await expect(cloud.connect()).rejects.toThrow(/open/iu);
  });

  it('a client with a wrong name locks no user out; ten wrong passwords for the right name end the credentials', async () => {
    await openWithGrant();
    for (let tries = 0; tries < 12; tries++)
      await expect(cloud.signIn('root', `guess ${tries}`)).rejects.toThrow(/authentication/iu);
    (await signIn()).end();
    for (let tries = 0; tries < 10; tries++)
      await expect(cloud.signIn(GRANT.username, 'guess')).rejects.toThrow(/authentication/iu);
    expect(access.statusOf('SSH').port).toBeUndefined();
    await host.noted('too many wrong passwords');
  });

  it('gives a shell and nothing else: no forwarding, no files, no other service', async () => {
    await openWithGrant();
    const client = await signIn();
    const isRejected = async (open: (done: (error: Error | undefined) => void) => void) =>
      await new Promise<boolean>((resolve) => open((error) => resolve(error !== undefined)));
    expect(await isRejected((done) => client.forwardOut('127.0.0.1', 1, '127.0.0.1', 22, (error) => done(error)))).toBe(true);
    expect(await isRejected((done) => client.forwardIn('127.0.0.1', 0, (error) => done(error)))).toBe(true);
    expect(await isRejected((done) => client.sftp((error) => done(error)))).toBe(true);
    await expect(cloud.connect('gui')).rejects.toThrow(/open/iu);
  });

  it('before a sign-in is possible, nothing listens', async () => {
    access.open(tunnelRequest());
    await cloud.until(() => cloud.forwards.length === 1);
    expect(cloud.forwards).toEqual(['ssh']);
    expect(access.statusOf('SSH').port).toBeUndefined();
    await expect(cloud.connect()).rejects.toThrow(/open/iu);
  });
});

describe('the checks of the router itself', () => {
  it('another host than its cloud is rejected with a message, and an open tunnel stays open', async () => {
    await openWithGrant();
    expect(access.open(tunnelRequest({ address: 'ws://evil.example/tunnel' }))).toContain('not to evil.example');
    expect(cloud.openCount).toBe(1);
  });

  it('the secret is not sent to a cloud with another host key', async () => {
    access.open(tunnelRequest({ hostKey: 'SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }));
    await host.noted('the host key is not the one of the cloud');
    await cloud.until(() => cloud.openCount === 0);
    expect(cloud.came).toEqual([]);
    expect(access.grant('s-1', GRANT)).toBe('no tunnel of this session is open');
  });

  it('a secret that the cloud rejects ends the tunnel', async () => {
    access.open(tunnelRequest({ secret: 'an old one' }));
    await cloud.until(() => cloud.openCount === 0 && cloud.came.length > 0);
    await host.noted('ended: rejected');
    expect(access.revoke('s-1')).toBe('no tunnel of this session is open');
  });

  it('credentials are for the session and the service of the tunnel', async () => {
    await openWithGrant();
    expect(access.grant('s-2', GRANT)).toBe('no tunnel of this session is open');
    expect(access.grant('s-1', { ...GRANT, service: 'GUI' })).toBe('the tunnel of this session leads to SSH');
    expect(access.close('s-2')).toBe('no tunnel of this session is open');
    expect(access.revoke('s-2')).toBe('no tunnel of this session is open');
    expect(cloud.openCount).toBe(1);
  });

  it('a newer tunnel ends the older one with all of its connections', async () => {
    await openWithGrant();
    const client = await signIn();
    const closed = once(client, 'end');
    expect(access.open(tunnelRequest({ user: 's-2', service: 'GUI' }))).toBeUndefined();
    await closed;
    await cloud.until(() => cloud.forwards.length === 2);
    expect(cloud.forwards).toEqual(['ssh', 'gui']);
    await cloud.until(() => cloud.openCount === 1);
    expect(access.close('s-1')).toBe('no tunnel of this session is open');
  });

  it('an unused tunnel ends after ten minutes, any after an hour', async () => {
    await openWithGrant();
    host.scheduler.advance(9 * MINUTE);
    access.grant('s-1', GRANT);
    const client = await signIn();
    host.scheduler.advance(50 * MINUTE);
    expect(cloud.openCount).toBe(1);
    const closed = once(client, 'end');
    host.scheduler.advance(MINUTE);
    await closed;
    await host.noted('maximum duration reached');

    access.open(tunnelRequest({ user: 's-2', service: 'GUI' }));
    await host.noted('a tunnel to the web page is open');
    host.scheduler.advance(10 * MINUTE);
    await cloud.until(() => cloud.openCount === 0);
    await host.noted('unused for too long');
  });

  it('a cloud that never answers is given up', async () => {
    const silent = await TunnelCloud.start();
    silent.isSilent = true;
    access.open(tunnelRequest({ address: silent.address }));
    await silent.until(() => silent.openCount === 1);
    host.scheduler.advance(20_000);
    await silent.until(() => silent.openCount === 0);
    await host.noted('did not open in time');
    expect(silent.came).toEqual([]);
    await silent.stop();
  });

  it('a power cut leaves nothing: neither the tunnel, nor the port, nor sessions', async () => {
    await openWithGrant();
    const client = await signIn();
    const { port } = access.statusOf('SSH');
    const direct: Socket = createConnection(port ?? 0, '127.0.0.1');
    await once(direct, 'data');
    const gone = [once(client, 'end'), once(direct, 'close')];
    access.end('the router stopped', false);
    await Promise.all(gone);
    await cloud.until(() => cloud.openCount === 0);
    expect(access.statusOf('SSH')).toEqual({ port: undefined, sessions: 0 });
    expect(access.grant('s-1', GRANT)).toBe('no tunnel of this session is open');
  });

  it('without coverage the tunnel is silent, and continues afterwards', async () => {
    await openWithGrant();
    const client = await signIn();
    access.onCoverageLost();
    const responded = exec(client, 'uptime');
    let hasResponse = false;
    void responded.then(() => (hasResponse = true));
    // Meanwhile another router opens its tunnel, admits a user and answers.
    const other = await TunnelCloud.start();
    const otherAccess = new RemoteAccess(createTestHost());
    otherAccess.open(tunnelRequest({ address: other.address, hostKey: other.fingerprint }));
    await other.until(() => other.forwards.length === 1);
    otherAccess.grant('s-1', GRANT);
    await exec(await other.signIn(GRANT.username, GRANT.password), 'uptime');
    otherAccess.end('the test is over', false);
    await other.stop();
    expect(hasResponse).toBe(false);
    access.onCoverageRestored();
    expect(await responded).toEqual({ text: 'up 17 s\n', status: 0 });
  });
});
