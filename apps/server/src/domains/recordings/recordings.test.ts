import { once } from 'node:events';
import { recordings as calls, remoteAccess } from '@highline/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pino } from 'pino';
import { WebSocket } from 'ws';
import { newId } from '../../kernel/index.ts';
import { send, until } from '../../testing/call.ts';
import { openRemoteFixture, type ReachableDevice, type RemoteFixture } from '../../testing/remote-fixture.ts';
import { firstHash, hashChunk } from './chain.ts';
import { NextChunk } from './chunk.ts';
import { createRecorders } from './recorder.ts';
import { endInterrupted, purgeRecordings } from './recordings.job.ts';

const DAY_MS = 86_400_000;
let fixture: RemoteFixture;

beforeAll(async () => {
  fixture = await openRemoteFixture();
});
afterAll(() => fixture.close());

const at = (path: string, more = '') =>
  `${fixture.server.url}/data_manager/v1/dm/recordings${path}?org=${fixture.scope.organizationId}${more}`;
const read = (path: string, more = '') => send(at(path, more), { bearer: fixture.bearer });
const save = (recorded: boolean, days = 90) =>
  send(at('/settings'), { method: 'PUT', bearer: fixture.bearer, body: { recorded, days } });
const listOf = async ({ id }: ReachableDevice) => (await read('', `&device=${id}`)).json<{ result: calls.Recording[] }>().result;
const sealOf = async (id: string) => (await read(`/${id}/seal`)).json<{ result: { seal: string; sha256: string } }>().result;

/** The lines of a recording: its header, and what happened. */
async function castOf(id: string) {
  const [header, ...events] = (await read(`/${id}/file`)).text.trimEnd().split('\n');
  const parsed = events.map((line) => JSON.parse(line) as [number, 'o' | 'r' | 'm', string]);
  return {
    header: JSON.parse(header!) as Record<string, unknown>,
    events: parsed,
    shown: parsed
      .filter(([, kind]) => kind === 'o')
      .map(([, , text]) => text)
      .join(''),
  };
}

async function openTerminal(device: ReachableDevice) {
  const { ticket, recorded } = (await fixture.call('openTerminal', device)).json<{ ticket: string; recorded: boolean }>();
  const url = `${fixture.server.url.replace('http', 'ws')}${remoteAccess.TERMINAL_PATH}`;
  const socket = new WebSocket(url, [remoteAccess.TERMINAL_PROTOCOL, ticket]);
  const terminal = { socket, recorded, shown: '', ended: '' };
  socket.on('message', (data: Buffer) => {
    terminal.shown += data.toString();
    socket.send(JSON.stringify({ shown: data.length }));
  });
  socket.on('close', (_code, reason) => void (terminal.ended = reason.toString() || 'cut'));
  socket.on('error', () => {});
  await once(socket, 'open');
  return terminal;
}

/** A terminal in which the status of the router was shown. */
async function openUsed(device: ReachableDevice) {
  const terminal = await openTerminal(device);
  terminal.socket.send(JSON.stringify({ cols: 100, rows: 30 }));
  terminal.socket.send(Buffer.from('status\r'));
  await until(() => terminal.shown.includes(device.serial));
  return terminal;
}

test('LIV-07-partial terminals are recorded only where the organization chose so, and the user is informed before', async () => {
  const device = await fixture.device();
  const without = await openUsed(device);
  expect(without.recorded).toBe(false);
  without.socket.close();
  await fixture.ended(device);
  expect(await listOf(device)).toEqual([]);

  expect((await save(true, 30)).status).toBe(200);
  expect((await read('/settings')).json()).toMatchObject({ result: { recorded: true, days: 30 } });
  const terminal = await openUsed(device);
  expect(terminal.recorded).toBe(true);
  terminal.socket.send(Buffer.from('exit\r'));
  await until(() => terminal.ended !== '');
  const [recording] = await listOf(device);
  expect(recording).toMatchObject({ device: device.id, serial: device.serial, end: 'exited' });
  expect(recording!.by).toContain('@highline.invalid');

  const { header, events, shown } = await castOf(recording!.id);
  expect(header).toMatchObject({ version: 2, title: `${device.serial} · ${recording!.by}` });
  expect(shown).toBe(terminal.shown);
  expect(events.map(([, kind, text]) => `${kind} ${text}`)).toContain('r 100x30');
  expect(events.at(-1)).toEqual([expect.any(Number), 'm', 'exited']);
  expect(events.map(([seconds]) => seconds)).toEqual(events.map(([seconds]) => seconds).toSorted((a, b) => a - b));
  expect((await read('/export')).text).toContain(device.serial);
  for (const [language, end] of [
    ['en-US', 'Closed at the router'],
    ['zh-TW', '在路由器端關閉'],
  ])
    expect((await read('/export', `&language=${language}`)).text).toContain(`,${end},`);
});

test('LIV-07-partial the hash in the log seals a recording: one that is changed, or lacks its end, is not unbroken', async () => {
  const device = await fixture.device();
  await save(true);
  const terminal = await openUsed(device);
  const [open] = await listOf(device);
  expect(open).toMatchObject({ ended: null, end: null });
  expect((await sealOf(open!.id)).seal).toBe('open');
  terminal.socket.close();
  await until(async () => (await listOf(device))[0]!.end === 'cancelled');
  const { seal, sha256 } = await sealOf(open!.id);
  expect(seal).toBe('unbroken');
  const { rows } = await fixture.server.owner.query<{ detail: object }>(
    `select detail from audit_entries where chain_id = $1 and detail ->> 'recording' = $2 and detail ? 'sha256'`,
    [fixture.scope.organizationId, open!.id],
  );
  expect(rows).toEqual([{ detail: expect.objectContaining({ sha256, reason: 'cancelled', serial: device.serial }) as unknown }]);

  // Who can write the database can write another recording and its hash, but not the log, which is a chain itself.
  const other = new NextChunk();
  other.show(1_000, Buffer.from('nothing happened'), 0);
  const forged = await other.pack();
  const query = (text: string, ...values: unknown[]) => fixture.server.owner.query(text, [open!.id, ...values]);
  await query('update recording_chunks set contents = $2 where recording_id = $1 and seq = 0', forged);
  expect((await sealOf(open!.id)).seal).toBe('changed');
  await query('delete from recording_chunks where recording_id = $1 and seq > 0');
  await query('update recordings set chunks = 1, hash = $2 where id = $1', hashChunk(firstHash(open!.id), forged));
  expect((await sealOf(open!.id)).seal).toBe('changed');
});

test('LIV-07-partial a terminal ends when it cannot be recorded any more', async () => {
  const device = await fixture.device();
  await save(true);
  const terminal = await openUsed(device);
  await fixture.server.owner.query('alter table recording_chunks add constraint disk_full check (false) not valid');
  terminal.socket.send(Buffer.from('status\r'));
  await until(() => terminal.ended !== '');
  await fixture.server.owner.query('alter table recording_chunks drop constraint disk_full');
  expect(terminal.ended).toBe('recording-failed');
  expect(await fixture.ended(device)).toBe('recording-failed');
  expect((await listOf(device))[0]!.end).toBe('recording-failed');
});

test('LIV-07-partial of a terminal that is resized a thousand times at once, the router and the recording get the last size', async () => {
  const device = await fixture.device();
  await save(true);
  const terminal = await openTerminal(device);
  for (let cols = 1; cols <= 1_000; cols++) terminal.socket.send(JSON.stringify({ cols, rows: 30 }));
  // Its first chunk is stored.
  await until(async () => (await listOf(device))[0]!.bytes > 0);
  const [{ id }] = (await listOf(device)) as [calls.Recording];
  const sizes = async () => (await castOf(id)).events.filter(([, kind]) => kind === 'r').map(([, , size]) => size);
  await until(async () => (await sizes()).at(-1) === '1000x30');
  expect((await sizes()).length).toBeLessThan(100);
  terminal.socket.close();
  await fixture.ended(device);
});

test('LIV-07-partial a recording is as large as it may be, then its terminal ends', async () => {
  const device = await fixture.device();
  const { database } = fixture.server;
  const recorders = createRecorders({ database, clock: { now: () => new Date() }, log: pino({ level: 'silent' }) });
  const terminal = {
    id: newId(),
    deviceId: device.id,
    serial: device.serial,
    accountId: fixture.adminId,
    email: 'large@remote.invalid',
    client: null,
  };
  const recorder = await database.write((tx) => recorders.begin(tx, fixture.scope, terminal));
  const stopped = { reason: '' };
  recorder.onStopped((reason) => void (stopped.reason = reason));
  // Half of a character at the end of each packet.
  const packet = Buffer.from('é'.repeat(8_192)).subarray(1);
  const waits = () => new Promise<void>((resolve) => recorder.onCaughtUp(resolve));
  while (stopped.reason === '') {
    recorder.output(packet);
    if (recorder.isBehind) await waits();
  }
  expect(stopped.reason).toBe('recording-full');
  await recorders.stop();
  const [recording] = await listOf(device);
  expect(recording!.bytes).toBeGreaterThan(calls.MAX_RECORDING_BYTES * 0.9);
  expect(recording!.bytes).toBeLessThan(calls.MAX_RECORDING_BYTES * 1.2);
  expect((await sealOf(recording!.id)).seal).toBe('unbroken');
});

test('LIV-07-partial what a killed server recorded can be read, and is marked as interrupted; all are deleted after their days', async () => {
  const device = await fixture.device();
  await save(true, 10);
  const terminal = await openUsed(device);
  await until(async () => (await listOf(device))[0]!.bytes > 0);
  const { database } = fixture.server;
  // The process is gone: its session was ended by another, and no one writes the recording.
  const [{ id }] = (await listOf(device)) as [calls.Recording];
  await fixture.server.owner.query(
    `insert into recordings select organization_id, gen_random_uuid(), device_id, serial, account_id, account_email, began_at, null, null, chunks, bytes, hash
     from recordings where id = $1`,
    [id],
  );
  await endInterrupted(database, new Date());
  const ends = (await listOf(device)).map(({ end }) => end);
  expect(new Set(ends)).toEqual(new Set(['interrupted', null]));
  expect((await castOf(id)).shown).toContain(device.serial);
  terminal.socket.close();
  await until(async () => (await listOf(device)).every(({ end }) => end !== null));

  await purgeRecordings(database, new Date(Date.now() + 9 * DAY_MS));
  expect(await listOf(device)).toHaveLength(2);
  await purgeRecordings(database, new Date(Date.now() + 11 * DAY_MS));
  expect(await listOf(device)).toEqual([]);
});

test('LIV-07-partial a recording of another organization is not found, and an invalid zone is an error of the call', async () => {
  const other = await fixture.server.seeding.organization(fixture.main, 'Other');
  const person = await fixture.server.seeding.account(other, 'other@remote.invalid', 'admin');
  const bearer = await fixture.server.seeding.bearer(person);
  const device = await fixture.device();
  await save(true);
  const terminal = await openUsed(device);
  const [{ id }] = (await listOf(device)) as [calls.Recording];
  for (const path of [`/${id}/file`, `/${id}/seal`, '/x/seal']) {
    const url = `${fixture.server.url}/data_manager/v1/dm/recordings${path}?org=${other.organizationId}`;
    expect((await send(url, { bearer })).status).toBe(404);
  }
  expect((await read('/export', '&zone=Nowhere')).status).toBe(400);
  terminal.socket.close();
  await fixture.ended(device);
});
