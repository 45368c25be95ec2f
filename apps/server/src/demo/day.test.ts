import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { alerts, usage, webhooks } from '@highline/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, signInToDemo, until } from '../testing/call.ts';
import { startServerProcess, type ServerProcess } from '../testing/process.ts';
import { demoOrganizations, demoOutage } from './fleet-data.ts';

// The whole demo, 20 times as fast: its carrier is away after 15 s, and "lost" is a vehicle after 6 s.

let folder: string;
let server: ServerProcess;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'highline-day-'));
  server = await startServerProcess(folder, 4, ['--without-past', '--demo-pace=20']);
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const DM = '/data_manager/v1';
const vehicles = demoOrganizations[0]!.vehicles.filter(({ carrier }) => carrier === demoOutage.carrier);

test('ALR-06-partial HKS-01-partial USE-03-partial a carrier of the demo is away by itself: one storm, one message to the local receiver, one mail; and a SIM is near its cap', async () => {
  const { vap: bearer } = await signInToDemo(server.url, 'admin');
  const get = <Body>(path: string) => ask<Body>(`${server.url}${DM}${path}`, { bearer });

  // Its vehicles are lost together, and are one storm.
  expect(vehicles).toHaveLength(5);
  // One that loses power by itself would be lost earlier, in a message of its own.
  expect(vehicles.filter(({ flaky }) => flaky !== undefined)).toEqual([]);
  let lost: readonly alerts.Alert[] = [];
  await until(async () => {
    const all = await get<readonly alerts.Alert[]>('/alerts?limit=100');
    lost = all.filter(({ ruleName, storm }) => ruleName === 'Vehicle lost' && storm !== null);
    return lost.length >= vehicles.length - 1;
  });
  expect(new Set(lost.map(({ storm }) => storm?.id)).size).toBe(1);
  const serials = new Set(vehicles.map(({ serial }) => serial));
  for (const { serial_number: serial } of lost) expect(serials).toContain(serial);

  // The receiver on this machine confirmed it, as one event with counts.
  const hooks = await get<readonly webhooks.Webhook[]>('/dm/webhooks?limit=10');
  expect(hooks.map(({ name, url }) => [name, new URL(url).hostname])).toEqual([['Dispatch display', '127.0.0.1']]);
  const log = `/dm/webhooks/${hooks[0]!.id}/deliveries`;
  let bodies: { readonly data: { readonly count?: number; readonly carriers?: string } }[] = [];
  await until(async () => {
    const fired = (await get<readonly webhooks.WebhookDelivery[]>(`${log}?limit=100&state=delivered`)).filter(
      ({ type }) => type === 'alert.fired',
    );
    const details = await Promise.all(fired.map(({ id }) => get<webhooks.WebhookDeliveryDetail>(`${log}/${id}`)));
    expect(details.every(({ status, tries }) => status === 200 && tries.at(-1)!.answer.includes('received'))).toBe(true);
    bodies = details.map(({ body }) => JSON.parse(body) as (typeof bodies)[number]);
    return bodies.some(({ data }) => data.count !== undefined);
  });
  const storms = bodies.filter(({ data }) => data.count !== undefined);
  expect(storms).toHaveLength(1);
  expect(storms[0]!.data.carriers).toBe(`${demoOutage.carrier}: ${storms[0]!.data.count}`);
  const { text } = await fetch(`${server.url}/demo/outbox`).then(async (response) => ({ text: await response.text() }));
  expect(text).toMatch(/<h2>Critical alert: Vehicle lost: [45] devices/u);

  // They come back, and the alerts are over.
  await until(async () => (await get<readonly alerts.Alert[]>('/alerts?limit=100&state=firing')).every(({ ruleName }) => ruleName !== 'Vehicle lost')); // prettier-ignore

  // The first vehicle of the organization has used nearly all of its plan.
  const used = await get<readonly usage.UsageRow[]>('/dm/usage?by=vehicles&limit=20');
  expect(used[0]!.device).not.toBe('');
  expect(used[0]!.total).toBeGreaterThan(4.9e9);
});
