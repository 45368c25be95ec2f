import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../testing/call.ts';
import { freePort } from '../../testing/process.ts';
import { isPortClosed, openRemoteFixture, runBySsh, signInBySsh, type RemoteFixture } from '../../testing/remote-fixture.ts';

// A whole server and routers over real sockets: the actions of a user, without the browser.

let fixture: RemoteFixture;

beforeAll(async () => {
  fixture = await openRemoteFixture();
});
afterAll(() => fixture.close());

interface LogEntry {
  readonly action: string;
  readonly actor: string;
  readonly detail: string;
}

/** The log entries of a device's sessions, oldest first. */
async function logOf(serial: string): Promise<LogEntry[]> {
  const { rows } = await fixture.server.owner.query<LogEntry>(
    'select action, actor_email as actor, detail::text as detail from audit_entries where chain_id = $1 and action like $2 order by seq',
    [fixture.scope.organizationId, `% session to device ${serial}`],
  );
  return rows;
}

async function timelineOf(id: string, bearer = fixture.bearer): Promise<Record<string, unknown>[]> {
  const query = new URLSearchParams({ org: fixture.scope.organizationId, device: id, kind: 'remote' });
  const response = await fetch(`${fixture.server.url}/data_manager/v1/dm/device/timeline?${query.toString()}`, {
    headers: { authorization: `Bearer ${bearer}` },
  });
  return ((await response.json()) as { result: Record<string, unknown>[] }).result;
}

async function connectionOf(id: string, bearer = fixture.bearer): Promise<Record<string, unknown> | null> {
  const query = new URLSearchParams({ org: fixture.scope.organizationId, device: id });
  const response = await fetch(`${fixture.server.url}/data_manager/v1/dm/device/connection?${query.toString()}`, {
    headers: { authorization: `Bearer ${bearer}` },
  });
  return ((await response.json()) as { result: Record<string, unknown> | null }).result;
}

describe('a session', () => {
  test('RMT-07-partial an SSH client reaches a router that only ever connected out; Cancel Connection cuts it, and all of it is in the log', async () => {
    const device = await fixture.device();
    const way = await fixture.open(device);
    expect(way).toMatchObject({ url: '127.0.0.1', username: expect.stringMatching(/^hl-\w{6}$/u) });
    expect(way.password.length).toBeGreaterThanOrEqual(20);
    const client = await signInBySsh(way);
    expect(await runBySsh(client, 'status')).toContain(device.serial);
    // Cut, so it may see a reset before the close.
    client.on('error', () => undefined);
    const closed = new Promise<void>((resolve) => client.once('close', () => resolve()));
    expect((await fixture.cancel(device)).json()).toEqual({ result: { ended: true } });
    await closed;
    expect(await isPortClosed(way.port)).toBe(true);
    expect(await fixture.endsOf(device)).toEqual(['cancelled']);
    expect((await fixture.cancel(device)).json()).toEqual({ result: { ended: false } });

    const entries = await logOf(device.serial);
    expect(entries.map(({ action }) => action.replace(` to device ${device.serial}`, ''))).toEqual([
      'Opened an SSH session',
      'Viewed the credentials of the SSH session',
      'Ended the SSH session',
    ]);
    expect(JSON.parse(entries[2]!.detail)).toMatchObject({ reason: 'cancelled', seconds: expect.any(Number) });
    for (const secret of [way.password, way.username]) expect(JSON.stringify(entries)).not.toContain(secret);
    expect((await timelineOf(device.id)).map(({ state, reason, type }) => [type, state, reason])).toEqual([
      ['ssh', 'ended', 'cancelled'],
      ['ssh', 'viewed', ''],
      ['ssh', 'opened', ''],
    ]);
  });

  test('RMT-04-partial one at a time: the second user reads that one exists, and every console of the organization shows its user', async () => {
    const device = await fixture.scripted();
    const other = await fixture.another();
    const both = await Promise.all([
      fixture.call('connectDevice', device),
      fixture.call('connectDevice', device, 'ssh', other.bearer),
      fixture.call('connectDevice', device, 'gui'),
    ]);
    const lost = both.filter(({ status }) => status !== 200);
    expect(lost).toHaveLength(2);
    for (const response of lost)
      expect([response.status, response.error().key, response.error().message]).toEqual([
        409,
        'remote.exists',
        'A remote connection exists. Cancel the connection to build a new connection.',
      ]);
    const first = await connectionOf(device.id);
    const second = await connectionOf(device.id, other.bearer);
    expect(first).toMatchObject({ credentials_expire: null, since: expect.any(Number) });
    expect(first!['own']).toBe(second!['own'] === false);
    // Any user of the organization may end it.
    await fixture.cancel(device, other.bearer);
    expect(await connectionOf(device.id)).toBeNull();
  });

  test('RMT-01-partial credentials are issued once, to the user of the session, and the router gets the same', async () => {
    const device = await fixture.scripted();
    const { username, password } = await fixture.open(device);
    const granted = device.router.ordered.find(({ command }) => command === 'X_HIGHLINE_GrantAccess()');
    expect(granted?.args).toMatchObject({ Username: username, Password: password, Service: 'SSH', Seconds: '300' });
    expect(await connectionOf(device.id)).toMatchObject({ own: true, credentials_expire: expect.any(Number) });
    expect((await fixture.call('getOneTimeSecret', device)).error().key).toBe('remote.secret_told');
    const other = await fixture.another();
    expect((await fixture.call('getOneTimeSecret', device, 'ssh', other.bearer)).error().key).toBe('remote.exists');
    await fixture.cancel(device);
    await until(() => device.router.commands.includes('X_HIGHLINE_CloseTunnel()'));
    expect(device.router.commands.at(-2)).toBe('X_HIGHLINE_RevokeAccess()');
  });

  test('API-02-partial RMT-01-partial credentials requested before the connection are those of the session that follows, for its user and type alone', async () => {
    const device = await fixture.device();
    const ahead = await fixture.call('getOneTimeSecret', device);
    const { content } = ahead.json<{ content: { username: string; password: string; expires: number } }>();
    expect([ahead.status, await connectionOf(device.id)]).toEqual([200, null]);
    const way = (await fixture.call('connectDevice', device)).json<{ url: string; port: number }>();
    expect(await connectionOf(device.id)).toMatchObject({ own: true, credentials_expire: content.expires });
    expect(await runBySsh(await signInBySsh({ ...way, ...content }), 'status')).toContain(device.serial);
    expect((await fixture.call('getOneTimeSecret', device)).error().key).toBe('remote.secret_told');
    await fixture.cancel(device);

    // Another user's connection does not get them, and neither does one of the other type.
    const scripted = await fixture.scripted();
    const other = await fixture.another();
    expect((await fixture.call('getOneTimeSecret', scripted, 'gui')).status).toBe(200);
    for (const bearer of [other.bearer, fixture.bearer]) {
      expect((await fixture.call('connectDevice', scripted, 'ssh', bearer)).status).toBe(200);
      expect(await connectionOf(scripted.id)).toMatchObject({ credentials_expire: null });
      await fixture.cancel(scripted);
    }
  });

  test('RMT-06-partial a reset restores the default sign-in of a router; rejection, offline and no subscription have different errors', async () => {
    const device = await fixture.device();
    expect((await fixture.call('resetGuiPassword', device)).json()).toEqual({ result: { reset: true } });
    const rejecting = await fixture.scripted({ onOrder: () => ({ message: 'no' }) });
    const rejected = await fixture.call('resetGuiPassword', rejecting);
    expect([rejected.status, rejected.error().message]).toEqual([502, 'Password reset failed']);
    const lacking = await fixture.scripted({ isOld: true });
    const unsupported = await fixture.call('resetGuiPassword', lacking);
    expect([unsupported.status, unsupported.error()]).toMatchObject([
      409,
      { key: 'remote.reset_unsupported', message: 'Password reset is not supported by this router.' },
    ]);
    expect(lacking.router.commands).toEqual([]);
    const ended = await fixture.scripted({}, { expired: '01/02/2026' });
    expect((await fixture.call('resetGuiPassword', ended)).error().key).toBe('remote.reset_impossible');
    await rejecting.router.stop();
    await until(async () => (await fixture.call('resetGuiPassword', rejecting)).error().key === 'remote.reset_impossible');
  });
});

describe('failed connections', () => {
  test('RMT-05-partial SAY-04-partial an ended subscription, one that has not begun, none, an offline router, and one without tunnels have their own errors', async () => {
    const ended = await fixture.scripted({}, { expired: '01/02/2026' });
    expect((await fixture.call('connectDevice', ended)).error().key).toBe('remote.not_subscribed');
    expect((await fixture.call('getOneTimeSecret', ended)).error().key).toBe('remote.not_subscribed');
    for (const [started_on, expires_on] of [
      ['2098-01-01', '2098-12-31'],
      [null, null],
    ]) {
      const values = [ended.id, started_on, expires_on];
      await fixture.server.owner.query('update devices set started_on = $2, expires_on = $3 where id = $1', values);
      for (const name of ['connectDevice', 'getOneTimeSecret', 'resetGuiPassword'] as const)
        expect((await fixture.call(name, ended)).error()).toMatchObject({
          key: 'remote.no_subscription',
          message: 'The device has no subscription yet, or it has not begun.',
        });
    }
    const old = await fixture.scripted({ isOld: true });
    expect((await fixture.call('connectDevice', old)).error().key).toBe('remote.unsupported');
    await old.router.stop();
    await until(async () => (await fixture.call('connectDevice', old)).error().key === 'remote.offline');
    const inLowerCase = { serial: old.serial.toLowerCase() };
    expect((await fixture.call('getOneTimeSecret', inLowerCase)).error().key).toBe('remote.offline');
    expect((await fixture.call('connectDevice', { serial: 'UNKNOWN' })).status).toBe(404);
    expect([await fixture.endsOf(ended), await fixture.endsOf(old)]).toEqual([[], []]);
  });

  test("RMT-05-partial a rejection has the router's message, sanitized, and leaves nothing open", async () => {
    const rude = `no\u0007\u202e ${'x'.repeat(900)}`;
    const device = await fixture.scripted({
      onOrder: ({ command }) => (command.includes('Open') ? { message: rude } : undefined),
    });
    const response = await fixture.call('connectDevice', device);
    const { statusCode, statusMsg } = response.json<{ statusCode: number; statusMsg: string }>();
    expect([response.status, statusCode, statusMsg.length, statusMsg.slice(0, 6)]).toEqual([200, 502, 200, 'no xxx']);
    expect(await fixture.endsOf(device)).toEqual(['rejected']);
  });

  test('RMT-05-partial without a domain no page is opened, and without a free port no shell; both errors name the cause', async () => {
    const port = await freePort();
    const small = await openRemoteFixture({ tunnels: { domain: undefined, ports: { first: port, last: port } } });
    const [one, two] = [await small.scripted(), await small.scripted()];
    const page = await small.call('connectDevice', one, 'gui');
    expect([page.status, page.error().key, page.error().message]).toEqual([
      409,
      'remote.no_domain',
      expect.stringContaining('TUNNEL_DOMAIN'),
    ]);
    expect((await small.call('connectDevice', one)).json()).toMatchObject({ statusCode: 200, port });
    expect((await small.call('connectDevice', two)).error().key).toBe('remote.busy');
    expect(await small.endsOf(two)).toEqual(['busy']);
    await small.cancel(one);
    expect((await small.call('connectDevice', two)).json()).toMatchObject({ statusCode: 200, port });
    await small.close();
  });

  test('RMT-05-partial LIV-07-partial with TUNNEL_PORTS=none SSH is rejected before a session begins, and a terminal in the browser opens', async () => {
    const closed = await openRemoteFixture({ tunnels: { domain: undefined, ports: 'none' } });
    const device = await closed.device();
    const offered = async () => {
      const query = new URLSearchParams({ org: closed.scope.organizationId, device: device.id });
      const headers = { authorization: `Bearer ${closed.bearer}` };
      const response = await fetch(`${closed.server.url}/data_manager/v1/dm/device/connection?${query.toString()}`, { headers });
      return response.json();
    };
    expect(await offered()).toEqual({ result: null, types: [] });
    for (const name of ['connectDevice', 'getOneTimeSecret'] as const)
      expect((await closed.call(name, device)).error()).toMatchObject({
        key: 'remote.no_ports',
        message: expect.stringContaining('terminal in the browser'),
      });
    expect(await closed.endsOf(device)).toEqual([]);
    expect((await closed.call('openTerminal', device)).json()).toMatchObject({ statusCode: 200 });
    expect(await closed.endsOf(device)).toEqual(['open']);
    await closed.close();
  });
});
