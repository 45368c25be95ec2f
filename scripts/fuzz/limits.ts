import { allOperations } from '@highline/contract/all-operations';
import { fixtures } from '@highline/testkit/calls';
import { encodeRecord } from '@highline/usp';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { checkResponse, serialize } from './api.ts';
import { runCases, type CaseNumbers } from './cases.ts';
import { costlyBodies, numberedObjects } from './costly-bodies.ts';
import { sendRaw, type RawRequest } from './raw-call.ts';
import type { Report } from './report.ts';
import { createStage, type Stage } from './stage.ts';
import type { Subject } from './subject.ts';
import { introduction, recordOf } from './usp-frames.ts';

// The largest input that each way into the server takes, made to be as costly as it can be. One case at a time: what matters is how
// long the process answers nothing else, which the report measures at /livez.

const FRAME_BYTES = 1_040_000;
const FIXES = 30_000;
const READ_MS = 120_000;

interface Case {
  /** The way into the server. */
  readonly entry: string;
  readonly name: string;
  run(subject: Subject, report: Report, stage: Stage, index: number): Promise<void>;
}

/** Every JSON body in each costly form. */
const bodies: readonly Case[] = allOperations
  .filter(({ bodyKind, id }) => bodyKind === 'json' && fixtures[id] !== undefined)
  .flatMap((operation) =>
    Object.entries(costlyBodies).map(([form, make]) => ({
      entry: operation.id,
      name: `${operation.id}, ${form}`,
      async run(subject: Subject, report: Report, stage: Stage, index: number) {
        const tenant = await stage.tenant();
        const right = fixtures[operation.id]!.make(tenant, tenant);
        const role = operation.roles.includes('admin') ? 'admin' : 'main';
        const maxBodyBytes = Math.min(operation.maxBodyBytes, report.options.largest);
        const raw = withBody(serialize(operation, right, subject.port, tenant.bearers[role]), make({ maxBodyBytes }, right.body));
        const response = await sendRaw(subject.port, raw, READ_MS);
        checkResponse(report, response, `${operation.id}, ${form}`, index);
        if (response.status === 401) await stage.renew(tenant, 0);
      },
    })),
  );

function withBody(raw: RawRequest, text: string): RawRequest {
  const body = Buffer.from(text);
  const headers = raw.headers.filter(([name]) => name !== 'content-type' && name !== 'content-length');
  const more = [['content-type', 'application/json'] as const, ['content-length', String(body.length)] as const];
  return { ...raw, headers: [...headers, ...more], body };
}

const ANONYMOUS_BYTES = 8_400_000;
/** Requests without a session at the same time, and what they may cost (SECURITY.md). */
const ANONYMOUS = 40;
const ANONYMOUS_MEMORY = 64 * 1_048_576;

const request = (port: number, method: string, target: string, type: string, body: Buffer): RawRequest => ({
  method,
  target,
  headers: [
    ['host', `127.0.0.1:${port}`],
    ['content-type', type],
    ['content-length', String(body.length)],
  ],
  body,
});

/** Requests without a session, to this address, of the same costly body. */
const anonymous = (method: string, path: string, count: number, type = 'application/json'): Case => ({
  entry: count === 1 ? 'without a session' : `without a session, ${path}, ${type}`,
  name: `${count} × ${ANONYMOUS_BYTES / 1e6} MB of ${type} without a session to ${method} ${path}`,
  async run(subject, report, _stage, index) {
    const raw = request(subject.port, method, path.replaceAll(/\{\w+\}/gu, 'x'), type, ANONYMOUS_BODY);
    const before = subject.memory();
    let most = before;
    const watching = setInterval(() => (most = Math.max(most, subject.memory())), 20);
    const responses = await Promise.all(Array.from({ length: count }, () => sendRaw(subject.port, raw, READ_MS)));
    clearInterval(watching);
    for (const response of responses) checkResponse(report, response, `${method} ${path}`, index);
    if (responses.some(({ status }) => status === 200))
      report.find('leak', `${method} ${path} accepted a call without a session`, index);
    if (count === 1) return;
    report.count(`most memory in MB above that before, without a session to ${path}`, Math.round((most - before) / 1_048_576));
    if (most - before > ANONYMOUS_MEMORY) report.find('memory', `without a session to ${path}: more than 64 MB`, index);
  },
});
const ANONYMOUS_BODY = Buffer.from(numberedObjects(ANONYMOUS_BYTES));

const formTypes = ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain'];
const ofAnonymous: readonly Case[] = [
  ...[
    ['POST', '/data_manager/v1/dm/org/device'],
    ['POST', '/data_manager/v1/dm/geofences/import'],
    ['POST', '/dmp_aa/api/v1/auth/token'],
    ['POST', '/console/handover'],
    ['POST', '/nowhere'],
  ].map(([method = '', path = '']) => anonymous(method, path, ANONYMOUS)),
  ...formTypes.map((type) => anonymous('POST', '/dmp_aa/api/v1/auth/token', ANONYMOUS, type)),
  ...allOperations.map(({ method, path }) => anonymous(method, path, 1)),
  {
    entry: 'upgrades',
    name: 'upgrades with long headers and wrong secrets',
    async run({ port }, report, _stage, index) {
      const upgrade = (n: number): RawRequest => ({
        method: 'GET',
        target: `/usp/${'x'.repeat(40)}${n}?eid=${'%41'.repeat(2_000)}`,
        headers: [
          ['host', `127.0.0.1:${port}`],
          ['connection', 'Upgrade'],
          ['upgrade', 'websocket'],
          ['sec-websocket-version', '13'],
          ['sec-websocket-key', 'AAAAAAAAAAAAAAAAAAAAAA=='],
          ['sec-websocket-protocol', `${'v1.usp,'.repeat(500)}v1.usp`],
          ['cookie', 'vap=x;'.repeat(700)],
        ],
        body: Buffer.alloc(0),
      });
      const responses = await Promise.all(Array.from({ length: 300 }, (_, n) => sendRaw(port, upgrade(n), READ_MS)));
      // They wait on purpose: only a few wrong secrets of one network are looked up at a time.
      for (const { status, ms } of responses) report.responded(status ?? 'none', ms, `upgrade (case ${index})`);
    },
  },
];

/** Files of rows that are all rejected, with many columns, and as many rows as fit into the limit of an import. */
const files: readonly Case[] = allOperations
  .filter(({ bodyKind, id }) => bodyKind === 'multipart' && fixtures[id] !== undefined)
  .flatMap((operation) =>
    [5, 199].map((columns) => ({
      entry: operation.id,
      name: `${operation.id}, rejected rows of ${columns} columns`,
      async run(subject: Subject, report: Report, stage: Stage, index: number) {
        const tenant = await stage.tenant();
        const right = fixtures[operation.id]!.make(tenant, tenant);
        const header = typeof right.file === 'string' ? right.file.split('\n', 1)[0]! : 'SN,MAC';
        const wide = [header, ...Array.from({ length: columns }, (_, n) => `x${n}`)].join(',');
        const row = `,,${','.repeat(columns)}\n`;
        const file = `${wide}\n${row.repeat(Math.floor(Math.min(12 * 1_048_576, report.options.largest) / row.length))}`;
        const request = { ...right, query: { ...right.query, dryRun: 'true' }, file };
        const raw = serialize(operation, request, subject.port, tenant.bearers.main);
        checkResponse(report, await sendRaw(subject.port, raw, READ_MS), operation.id, index);
      },
    })),
  );

/** A zigzag of about a thousand corners: no two sides cross, and every pair of them is near. */
function zigzag(): number[][] {
  const corners = Array.from({ length: 990 }, (_, n) => [n % 2 === 0 ? 0 : 9, Number((n * 0.09).toFixed(2))]);
  return [...corners, [10, 90], [10, -1], [0, -1], [0, 0]];
}

/** A ring around the vehicle of the next case. */
function ring(): number[][] {
  const corners = Array.from({ length: 999 }, (_, n) => {
    const angle = (2 * Math.PI * n) / 999;
    return [Number((121 + Math.cos(angle) * 2).toFixed(5)), Number((24 + Math.sin(angle) * 2).toFixed(5))];
  });
  return [...corners, corners[0]!];
}

const collection = (coordinates: number[][], count: number): string =>
  JSON.stringify({
    type: 'FeatureCollection',
    features: Array.from({ length: count }, (_, n) => ({
      type: 'Feature',
      properties: { name: `Area ${n}` },
      geometry: { type: 'Polygon', coordinates: [coordinates] },
    })),
  });

const importing = (name: string, coordinates: () => number[][], count: number): Case => ({
  entry: name,
  name,
  async run(subject, report, stage, index) {
    const operation = allOperations.find(({ id }) => id === 'geofences.import')!;
    const tenant = await stage.tenant();
    const body = { geojson: collection(coordinates(), count) };
    const raw = serialize(operation, { body }, subject.port, tenant.bearers.admin);
    checkResponse(report, await sendRaw(subject.port, raw, READ_MS), name, index);
  },
});

function varint(number: number): number[] {
  return number < 128 ? [number] : [(number & 127) | 128, ...varint(number >>> 7)];
}

const field = (number: number, bytes: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([...varint((number << 3) | 2), ...varint(bytes.length)]), bytes]);

/** Half a million empty messages, two bytes each, in a field of this number. */
const empties = (number: number): Buffer => Buffer.alloc(FRAME_BYTES, Buffer.from([(number << 3) | 2, 0]));

/** A message that holds them as results of a Get that was not sent. */
const crowdedMessage = (): Buffer =>
  Buffer.concat([field(1, field(1, Buffer.from('x'))), field(2, field(2, field(1, empties(1))))]);

function pushOfFixes(endpointId: string): Uint8Array {
  const now = Math.floor(Date.now() / 1_000);
  const fix = (n: number) => `${now - FIXES + n},${(24 + (n % 1_000) * 0.000_1).toFixed(4)},121.0`;
  const rows = Array.from({ length: FIXES / 5_000 }, (_, row) => ({
    'Device.X_HIGHLINE_GPS.Trail': Array.from({ length: 5_000 }, (_item, n) => fix(row * 5_000 + n)).join(';'),
  }));
  const notification = {
    type: 'event' as const,
    objPath: 'Device.BulkData.Profile.1.',
    eventName: 'Push!',
    params: new Map([['Data', JSON.stringify({ Report: rows })]]),
  };
  const body = { type: 'notify' as const, subscriptionId: 'highline-push', sendResp: true, notification };
  return recordOf(endpointId, { msgId: 'trail', body });
}

/** A router of the tenant sends frames of this kind until it is cut off, at the most it may send. */
const frames = (name: string, make: (endpointId: string) => Uint8Array): Case => ({
  entry: name,
  name,
  async run({ port }, report, stage, index) {
    const { secret, endpointId } = (await stage.tenant()).loose;
    const address = `ws://127.0.0.1:${port}/usp/${secret}?eid=${encodeURIComponent(endpointId)}`;
    const socket = new WebSocket(address, ['v1.usp'], { perMessageDeflate: false });
    socket.on('error', () => undefined);
    const closed = new Promise<string>((resolve) => socket.on('close', (code) => resolve(`ws ${code}`)));
    const opened = new Promise<string>((resolve) => socket.once('open', () => resolve('open')));
    if ((await Promise.race([opened, closed])) !== 'open')
      return report.find('leak', `${name}: the router could not connect`, index);
    socket.send(introduction(endpointId));
    const began = performance.now();
    for (let count = 0; count < 4 && socket.readyState === WebSocket.OPEN; count++) {
      socket.send(make(endpointId));
      const read = new Promise<string>((resolve) => socket.once('pong', () => resolve('read')));
      socket.ping();
      const how = await Promise.race([read, closed, pause(READ_MS, 'unread', { ref: false })]);
      report.responded(how, performance.now() - began, name);
      report.count('frames');
    }
    socket.close();
    await closed;
  },
});

const sessionContext = (endpointId: string): Uint8Array =>
  Buffer.concat([field(2, Buffer.from('self::highline')), field(3, Buffer.from(endpointId)), field(8, empties(7))]);

const cases: readonly Case[] = [
  frames('a USP message of half a million empty parts', (endpointId) =>
    encodeRecord({
      toId: 'self::highline',
      fromId: endpointId,
      payload: { type: 'no_session_context', payload: crowdedMessage() },
    }),
  ),
  frames('a session context of half a million payloads', sessionContext),
  importing('geofences that are too many', zigzag, 350),
  importing('nineteen geofences of a thousand corners', ring, 19),
  frames('30,000 positions among nineteen geofences', pushOfFixes),
  ...files,
  ...ofAnonymous,
  ...bodies,
];

/** One case of each way in; which of them, the seed decides. */
function briefOf(seed: number): ReadonlySet<number> {
  const entries = Map.groupBy(cases.keys(), (index) => cases[index]!.entry);
  return new Set(Array.from(entries.values(), (indexes, n) => indexes[(seed + n) % indexes.length]!));
}

/** Each case once, in order. `--first N --count 1` runs one of them. */
export async function fuzzLimits(subject: Subject, report: Report, numbers: CaseNumbers): Promise<void> {
  const stage = await createStage(subject);
  const chosen = report.options.isBrief ? briefOf(report.options.seed) : undefined;
  await runCases(numbers, 1, async (index) => {
    const one = cases[index];
    if (one === undefined) return numbers.stop();
    if (chosen?.has(index) === false) return;
    const before = report.slowestLivezMs;
    await subject.longestStepMs();
    await one.run(subject, report, stage, index);
    report.stepped(await subject.longestStepMs(), `${index}, ${one.name}`, index);
    if (report.slowestLivezMs > Math.max(before, 250))
      report.count(`/livez after ${Math.round(report.slowestLivezMs)} ms in ${index}, ${one.name}; case`);
    report.cases++;
  });
}
