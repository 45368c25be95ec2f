import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../kernel/ids.ts';
import type { ReadingSink, SinkMessage } from '../../../platform/ports/reading-sink.ts';
import { eventually } from '../../../testing/eventually.ts';
import { createLogBook, silentLog } from '../../../testing/log.ts';
import { addTestRouters, openRouterDatabase, type RouterDatabase } from '../../../testing/routers.ts';
import { findOwnersAt } from '../../inventory/index.ts';
import { createTelemetry, createTelemetrySink, type Telemetry } from '../index.ts';
import type { SinkTimeouts } from './sink.service.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
let fleet: RouterDatabase;
let telemetry: Telemetry;

beforeAll(async () => {
  fleet = await openRouterDatabase();
  const clock = { now: () => NOW };
  const settings = { collectMs: 1, batchRows: 1_000 };
  telemetry = createTelemetry({ database: fleet.database, clock, log: silentLog, retentionDays: 30, hasSink: true, settings });
  await telemetry.start();
});
afterAll(async () => {
  await telemetry.stop();
  await fleet.close();
});
afterEach(async () => {
  await fleet.pool.query('delete from telemetry_sink_batches');
  await fleet.pool.query("update telemetry_sink set lease_until = '-infinity'");
});

interface Line {
  readonly schema: number;
  readonly id: string;
  readonly router: string;
  readonly at: string;
  readonly readings: Readonly<Record<string, number>>;
}

const linesOf = (messages: readonly SinkMessage[]): Line[] =>
  messages.flatMap(({ lines }) =>
    lines
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line),
  );

/** A sink in memory: what is taken is confirmed, unless `take` rejects. */
function createSink(take: (lines: readonly Line[], signal: AbortSignal) => Promise<unknown> = async () => {}) {
  const confirmed: Line[] = [];
  const sink: ReadingSink = {
    async send(messages, signal) {
      await take(linesOf(messages), signal);
      confirmed.push(...linesOf(messages));
    },
    close: async () => {},
  };
  return { sink, confirmed };
}

const open = (sink: ReadingSink, node = 'one', timeouts: Partial<SinkTimeouts> = {}, log = silentLog) =>
  createTelemetrySink({
    database: fleet.database,
    log,
    sink,
    node,
    hours: 24,
    findOwners: (reports) => findOwnersAt(fleet.database.read, reports),
    timeouts,
  });
const write = (router: string, count: number) =>
  Promise.all(
    Array.from({ length: count }, (_, index) =>
      telemetry.write(router, [{ at: NOW.getTime() - index * 1_000, parameter: 'rssi', value: -index }]),
    ),
  );
const waiting = async () =>
  Number((await fleet.pool.query('select coalesce(sum(reports), 0) as n from telemetry_sink_batches')).rows[0].n);
const valuesOf = (lines: readonly Line[]) => lines.map(({ readings }) => readings['rssi']!).toSorted((a, b) => b - a);
const all = (count: number) => Array.from({ length: count }, (_, index) => (index === 0 ? 0 : -index));

describe('the telemetry sink', () => {
  test('NOD-05-partial gets each stored report with its router and its owner of that time, and then nothing waits', async () => {
    const [router] = await addTestRouters(fleet, 1);
    const { id, serial, deviceId } = router!;
    await fleet.pool.query(
      `insert into router_ownership (router_id, owned_from, owned_until, organization_id, device_id)
       values ($1, '2026-11-20T11:00Z', '2026-11-20T12:00Z', $2, $3)`,
      [id, fleet.organizationId, deviceId],
    );
    await telemetry.write(id, [
      { at: NOW.getTime() - 1, parameter: 'voltage', value: 13.4 },
      { at: NOW.getTime() - 1, parameter: 'battery', value: 90 },
      { at: NOW.getTime(), parameter: 'rssi', value: -70.25 },
    ]);
    const { sink, confirmed } = createSink();
    const copying = open(sink);
    await copying.jobs[0]!.run(NOW);
    const common = { schema: 1, router: id, serial };
    expect(confirmed).toEqual([
      {
        ...common,
        id: confirmed[0]!.id,
        organization: fleet.organizationId,
        device: deviceId,
        at: '2026-11-20T11:59:59.999Z',
        readings: { voltage: 13.4, battery: 90 },
      },
      {
        ...common,
        id: confirmed[1]!.id,
        organization: null,
        device: null,
        at: '2026-11-20T12:00:00.000Z',
        readings: { rssi: -70.25 },
      },
    ]);
    expect([await waiting(), copying.stats()]).toEqual([0, { lagSeconds: 0, sent: 2, failures: 0, lost: 0 }]);
    await copying.stop();
  });

  test('NOD-05-partial an outage of the sink loses nothing and does not stop the ingest; lines that arrive twice have the same id', async () => {
    const { log, sentences } = createLogBook();
    let attempts = 0;
    const seen: Line[] = [];
    const { sink, confirmed } = createSink(async (lines) => {
      seen.push(...lines);
      if (++attempts <= 3) throw new Error('disk full');
    });
    const copying = open(sink, 'one', { pauseMs: 0 }, log);
    const router = newId();
    await write(router, 700);
    for (let run = 0; run < 3; run++) await copying.jobs[0]!.run(NOW);
    expect([await waiting(), copying.stats().failures]).toEqual([700, 3]);
    expect(copying.stats().lagSeconds).toBeGreaterThan(0);
    await copying.jobs[0]!.run(NOW);
    expect(await waiting()).toBe(0);
    expect(valuesOf(confirmed)).toEqual(all(700));
    expect(new Set(seen.map(({ id }) => id)).size).toBe(700);
    expect(sentences).toEqual([
      'The telemetry sink does not take readings; they wait and are sent again.',
      'The telemetry sink takes readings again.',
    ]);
    await copying.stop();
  });

  test('NOD-05-partial one process sends at a time; another continues where it was killed', async () => {
    const router = newId();
    await write(router, 300);
    const receiver = createServer();
    const arrived: Line[] = [];
    let responses = false;
    receiver.on('request', (request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        arrived.push(...linesOf([{ id: '', lines: Buffer.concat(parts).toString() }]));
        if (responses) response.writeHead(200).end();
      });
    });
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    const program = fileURLToPath(new URL('../../../testing/sink-worker.ts', import.meta.url));
    const child = spawn(process.execPath, [program, JSON.stringify(fleet.test.settings), url], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    try {
      // It has sent something that was not confirmed yet.
      await eventually(() => expect(arrived.length).toBeGreaterThan(0));
      child.kill('SIGKILL');
      await once(child, 'exit');
      const before = arrived.length;
      const { sink, confirmed } = createSink();
      const other = open(sink, 'two');
      await other.jobs[0]!.run(NOW);
      expect([confirmed.length, await waiting()]).toEqual([0, 300]);
      await fleet.pool.query("update telemetry_sink set lease_until = clock_timestamp() where node = 'killed'");
      await other.jobs[0]!.run(NOW);
      expect([valuesOf(confirmed), await waiting()]).toEqual([all(300), 0]);
      expect(new Set([...arrived, ...confirmed].map(({ id }) => id)).size).toBe(300);
      expect(arrived.length).toBe(before);
      await other.stop();
    } finally {
      responses = true;
      child.kill('SIGKILL');
      receiver.closeAllConnections();
      receiver.close();
    }
  });

  test('NOD-05-partial what waits too long is given up and counted; a sink that never answers is left after its time', async () => {
    await write(newId(), 10);
    const { sink } = createSink((_, signal) => once(signal, 'abort').then(() => Promise.reject(new Error('timeout'))));
    const copying = open(sink, 'one', { sendMs: 50, pauseMs: 0 });
    await copying.jobs[0]!.run(NOW);
    expect(copying.stats().failures).toBe(1);
    await copying.jobs[1]!.run(new Date());
    expect([await waiting(), copying.stats().lost]).toEqual([10, 0]);
    await fleet.pool.query("update telemetry_sink_batches set created_at = now() - interval '25 hours'");
    await copying.jobs[1]!.run(new Date());
    expect([await waiting(), copying.stats().lost]).toEqual([0, 10]);
    await copying.stop();
  });
});
