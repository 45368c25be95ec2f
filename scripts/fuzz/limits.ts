import { allOperations } from '@highline/contract/all-operations';
import { fixtures } from '@highline/testkit/calls';
import { encodeRecord } from '@highline/usp';
import { ofAnonymous, READ_MS, type Case } from './anonymous-limits.ts';
import { serialize } from './api-requests.ts';
import { checkResponse } from './api.ts';
import { runCases, type CaseNumbers } from './cases.ts';
import { costlyBodies } from './costly-bodies.ts';
import { frameCases } from './frame-limits.ts';
import { importingCases } from './map-limits.ts';
import { sendRaw, type RawRequest } from './raw-call.ts';
import type { Report } from './report.ts';
import { createStage, type Stage } from './stage.ts';
import type { Subject } from './subject.ts';
import { recordOf } from './usp-frames.ts';

// The largest input that each way into the server takes, made to be as costly as it can be. One case at a time: what matters is how
// long the process answers nothing else, which the report measures at /livez.

const FRAME_BYTES = 1_040_000;
const FIXES = 30_000;

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

const sessionContext = (endpointId: string): Uint8Array =>
  Buffer.concat([field(2, Buffer.from('self::highline')), field(3, Buffer.from(endpointId)), field(8, empties(7))]);

const cases: readonly Case[] = [
  frameCases('a USP message of half a million empty parts', (endpointId) =>
    encodeRecord({
      toId: 'self::highline',
      fromId: endpointId,
      payload: { type: 'no_session_context', payload: crowdedMessage() },
    }),
  ),
  frameCases('a session context of half a million payloads', sessionContext),
  importingCases('geofences that are too many', zigzag, 350),
  importingCases('nineteen geofences of a thousand corners', ring, 19),
  frameCases('30,000 positions among nineteen geofences', pushOfFixes),
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
