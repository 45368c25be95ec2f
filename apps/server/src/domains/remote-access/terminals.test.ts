import { once } from 'node:events';
import { remoteAccess } from '@highline/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { send, until } from '../../testing/call.ts';
import { openRemoteFixture, type ReachableDevice, type RemoteFixture } from '../../testing/remote-fixture.ts';

let fixture: RemoteFixture;

beforeAll(async () => {
  fixture = await openRemoteFixture();
});
afterAll(() => fixture.close());

/** A browser's terminal that confirms what it shows. */
function browse(ticket: string) {
  const url = `${fixture.server.url.replace('http', 'ws')}${remoteAccess.TERMINAL_PATH}`;
  const socket = new WebSocket(url, [remoteAccess.TERMINAL_PROTOCOL, ticket]);
  const terminal = { socket, shown: '', ended: '', status: 0 };
  socket.on('message', (data: Buffer) => {
    terminal.shown += data.toString();
    socket.send(JSON.stringify({ shown: data.length }));
  });
  socket.on('close', (_code, reason) => void (terminal.ended = reason.toString() || 'cut'));
  socket.on('unexpected-response', (_request, response) => {
    terminal.status = response.statusCode ?? 0;
    socket.terminate();
  });
  socket.on('error', () => {});
  return terminal;
}

async function openTerminal(device: ReachableDevice): Promise<string> {
  const response = await fixture.call('openTerminal', device);
  expect([response.status, response.text]).toEqual([200, expect.stringContaining('"statusCode":200')]);
  return response.json<{ ticket: string }>().ticket;
}

test('LIV-07-partial a terminal in the browser is a shell of the router, with its size, until the user leaves', async () => {
  const device = await fixture.device();
  const terminal = browse(await openTerminal(device));
  await once(terminal.socket, 'open');
  // Far more sizes than a person makes: the router gets the last one.
  for (let cols = 20; cols <= 1_000; cols++) terminal.socket.send(JSON.stringify({ cols, rows: 30 }));
  terminal.socket.send(Buffer.from('status\r'));
  await until(() => terminal.shown.includes(device.serial));
  terminal.socket.close();
  expect(await fixture.ended(device)).toBe('cancelled');
});

test('LIV-07-partial the shell that exits ends the session, and a ticket works once', async () => {
  const device = await fixture.device();
  const ticket = await openTerminal(device);
  const terminal = browse(ticket);
  await once(terminal.socket, 'open');
  const second = browse(ticket);
  await until(() => second.status !== 0);
  expect(second.status).toBe(403);
  terminal.socket.send(Buffer.from('exit\r'));
  await until(() => terminal.ended !== '');
  expect(terminal.ended).toBe('exited');
  expect(await fixture.ended(device)).toBe('cancelled');
});

test('LIV-07-partial a ticket that was changed, and none at all, open nothing', async () => {
  const device = await fixture.device();
  const ticket = await openTerminal(device);
  for (const wrong of [`${ticket.slice(0, -2)}xx`, 'x', 'a'.repeat(9_000)]) {
    const terminal = browse(wrong);
    await until(() => terminal.status !== 0);
    expect(terminal.status).toBe(403);
  }
  await fixture.cancel(device);
  const late = browse(ticket);
  await until(() => late.status !== 0);
  expect(late.status).toBe(403);
});

test('LIV-07-partial the reason for an end from elsewhere is shown: another user, or signing out', async () => {
  const device = await fixture.device();
  const cancelled = browse(await openTerminal(device));
  await once(cancelled.socket, 'open');
  await fixture.cancel(device, (await fixture.another()).bearer);
  await until(() => cancelled.ended !== '');
  expect(cancelled.ended).toBe('cancelled');

  const person = await fixture.another();
  const response = await fixture.call('openTerminal', device, 'ssh', person.bearer);
  const gone = browse(response.json<{ ticket: string }>().ticket);
  await once(gone.socket, 'open');
  await send(`${fixture.server.url}/dmp_aa/api/v1/auth/logout`, { bearer: person.bearer, body: {} });
  await until(() => gone.ended !== '');
  expect(gone.ended).toBe('signed-out');
});

test('LIV-07-partial a router that is lost, and a role that is lost, end the terminal and say so', async () => {
  const device = await fixture.device();
  const lost = browse(await openTerminal(device));
  await once(lost.socket, 'open');
  await device.agent.stop();
  await until(() => lost.ended !== '');
  expect(['tunnel-lost', 'offline']).toContain(lost.ended);

  const other = await fixture.device();
  const person = await fixture.another();
  const response = await fixture.call('openTerminal', other, 'ssh', person.bearer);
  const demoted = browse(response.json<{ ticket: string }>().ticket);
  await once(demoted.socket, 'open');
  const { organizationId: org } = fixture.scope;
  const roles = { id: person.id, original: `r.${org}.super`, target: `r.${org}.vendor` };
  await send(`${fixture.server.url}/dmp_aa/api/v1/roles/`, { method: 'PUT', bearer: fixture.bearer, body: roles });
  await until(() => demoted.ended !== '');
  expect(demoted.ended).toBe('permission-lost');
});

test('LIV-07-partial a user who leaves while credentials are issued leaves no session open', async () => {
  const issuing = Promise.withResolvers<undefined>();
  const device = await fixture.scripted({
    onOrder: ({ command }) => (command.includes('GrantAccess') ? issuing.promise : undefined),
  });
  const leaving = new AbortController();
  const opening = send(`${fixture.server.url}/data_manager/v1/dm/cmds/openTerminal`, {
    bearer: fixture.bearer,
    body: { org: fixture.scope.organizationId, serial: device.serial, type: 'ssh' },
    signal: leaving.signal,
  }).catch(() => 'left');
  await until(() => device.router.commands.includes('X_HIGHLINE_GrantAccess()'));
  leaving.abort();
  expect(await opening).toBe('left');
  // Another way to the server and back: it knows by then.
  await fixture.call('connectDevice', device);
  issuing.resolve(undefined);
  expect(await fixture.ended(device)).toBe('aborted');
});

test('LIV-07-partial a browser that confirms more than it was sent is cut off', async () => {
  const device = await fixture.device();
  const terminal = browse(await openTerminal(device));
  await once(terminal.socket, 'open');
  terminal.socket.send(JSON.stringify({ shown: remoteAccess.TERMINAL_WINDOW }));
  await until(() => terminal.ended !== '');
  expect(terminal.ended).toBe('cut');
  expect(await fixture.ended(device)).toBe('cancelled');
});

/** A browser that confirms nothing until `goOn`, and pastes as fast as the router takes it. */
async function browseSlowly(device: ReachableDevice) {
  const ticket = await openTerminal(device);
  const url = `${fixture.server.url.replace('http', 'ws')}${remoteAccess.TERMINAL_PATH}`;
  const socket = new WebSocket(url, [remoteAccess.TERMINAL_PROTOCOL, ticket]);
  let confirms = false;
  let untaken = 0;
  const pasted: Buffer[] = [];
  const terminal = { socket, unconfirmed: 0, bytes: 0, end: '', ended: '', goOn: () => {}, paste: (_blocks: Buffer[]) => {} };
  const confirm = () => {
    for (; terminal.unconfirmed > 0; terminal.unconfirmed -= Math.min(terminal.unconfirmed, remoteAccess.TERMINAL_WINDOW))
      socket.send(JSON.stringify({ shown: Math.min(terminal.unconfirmed, remoteAccess.TERMINAL_WINDOW) }));
  };
  const flush = () => {
    for (; pasted.length > 0 && untaken < remoteAccess.TERMINAL_TYPED; untaken += pasted.shift()!.length) socket.send(pasted[0]!);
  };
  terminal.goOn = () => {
    confirms = true;
    confirm();
  };
  terminal.paste = (blocks) => {
    pasted.push(...blocks);
    flush();
  };
  socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) {
      untaken -= (JSON.parse(data.toString()) as remoteAccess.TerminalTaken).taken;
      return flush();
    }
    terminal.unconfirmed += data.length;
    terminal.bytes += data.length;
    terminal.end = (terminal.end + data.toString()).slice(-2_000);
    if (confirms) confirm();
  });
  socket.on('close', (_code, reason) => void (terminal.ended = reason.toString() || 'cut'));
  await once(socket, 'open');
  return terminal;
}

/** Lines that the router has no command for, and shows again. */
function linesOf(bytes: number): Buffer[] {
  const block = Buffer.from(`${'#'.repeat(255)}\r`.repeat(64));
  return Array.from({ length: bytes / block.length }, () => block);
}

test('LIV-07-partial a browser that shows nothing makes the router wait, and gets all of it when it goes on', async () => {
  const device = await fixture.device();
  const terminal = await browseSlowly(device);
  terminal.paste([...linesOf(2 * remoteAccess.TERMINAL_WINDOW), Buffer.from('status\r')]);
  await until(() => terminal.unconfirmed > remoteAccess.TERMINAL_WINDOW);
  expect(terminal.bytes).toBeLessThan(2 * remoteAccess.TERMINAL_WINDOW);
  terminal.goOn();
  await until(() => terminal.end.includes('Supply voltage'));
  expect(terminal.bytes).toBeGreaterThan(2 * remoteAccess.TERMINAL_WINDOW);
  terminal.socket.close();
  await fixture.ended(device);
});

test.each([2 * remoteAccess.TERMINAL_WINDOW, 8 * remoteAccess.TERMINAL_WINDOW])(
  'LIV-07-partial %i bytes that were pasted reach the router whole, and what its shell showed before it exited is shown whole',
  async (size) => {
    const device = await fixture.device();
    const terminal = await browseSlowly(device);
    terminal.paste([...linesOf(size), Buffer.from('exit\r')]);
    await until(() => terminal.unconfirmed > remoteAccess.TERMINAL_WINDOW);
    // Another way to the router and back: it has read what was typed before.
    await fixture.call('getOneTimeSecret', device);
    terminal.goOn();
    await until(() => terminal.ended !== '');
    expect(terminal.ended).toBe('exited');
    expect(terminal.bytes).toBeGreaterThan(size);
  },
);

test('LIV-07-partial a browser that sends more than the router takes is cut off', async () => {
  const device = await fixture.device();
  const terminal = await browseSlowly(device);
  for (const block of linesOf(16 * 1024 * 1024)) terminal.socket.send(block);
  await until(() => terminal.ended !== '');
  expect(terminal.ended).toBe('cut');
  expect(await fixture.ended(device)).toBe('cancelled');
});
