import { createNode } from '../platform/nodes/index.ts';
import type { alerts } from '@highline/contract';
import { expect } from 'vitest';
import { newId, type Actor } from '../kernel/index.ts';
import {
  compareCrossings,
  comparePositions,
  comparePresence,
  createReadingAlerts,
  fireAndResolve,
} from '../domains/alerts/index.ts';
import { createGeofenceEvaluation } from '../domains/geofences/index.ts';
import { createPositions } from '../domains/positions/index.ts';
import { createPresence, createTelemetry, type ReadingKey, type Telemetry } from '../domains/router-state/index.ts';
import { silentLog } from './log.ts';
import type { TestApp } from './test-app.ts';

// Rules, routers and what these report, for tests of alerts.

export const alertsPath = '/data_manager/v1/alerts';
export const MINUTE_MS = 60_000;

/** A rule that most tests add, as it is saved. */
export const weakSignal = {
  name: 'Weak signal',
  enabled: true,
  severity: 'warning',
  condition: { kind: 'reading', reading: 'rsrp', operator: 'below', threshold: -110, clear: -105 },
  forSeconds: 60,
  scope: { kind: 'all' },
  hours: null,
  channels: { mails: [], escalation: null, quiet: null },
} as const;

export interface TestRouter {
  readonly routerId: string;
  readonly deviceId: string;
  readonly serial: string;
}

/** What routers of organizations report, and what the alerts are. */
export function useAlertFleet(app: TestApp) {
  /** An organization with an admin, a group, and devices; what its routers measure and how they connect. */
  async function open(devices: number) {
    const { scope: main } = await app.seeding.mainAccount('Main');
    const scope = await app.seeding.organization(main, 'Own');
    const group = await app.seeding.group(scope, 'Buses');
    const mark = newId().slice(-8).toUpperCase();
    const registered = await app.seeding.routers(
      main,
      Array.from({ length: devices }, (_, index) => ({
        serial: `AL${mark}${index}`,
        mac: `02${mark}${(16 + index).toString(16)}`.toUpperCase(),
      })),
    );
    const ids = await app.seeding.devices(
      scope,
      registered.map(({ serial, mac }) => ({ serial, mac })),
    );
    const routers = registered.map(({ id, serial }, index): TestRouter => ({ routerId: id, deviceId: ids[index]!, serial }));
    return { main, scope, group, routers, admin: app.person(scope, 'admin'), user: app.person(scope, 'user') };
  }

  const later = (ms: number) => app.clock.set(new Date(app.clock.now().getTime() + ms).toISOString());
  const run = () => fireAndResolve({ ...app }, app.clock.now());

  async function withTelemetry(work: (telemetry: Telemetry) => Promise<void>): Promise<void> {
    const lookAt = createReadingAlerts({ clock: app.clock });
    const telemetry = createTelemetry({ ...app, log: silentLog, retentionDays: 30, lookAt, settings: { collectMs: 1 } });
    await telemetry.start();
    await work(telemetry);
    await telemetry.stop();
  }

  const measure = (telemetry: Telemetry, { routerId }: TestRouter, value: number, parameter: ReadingKey = 'rsrp', ageMs = 0) =>
    telemetry.write(routerId, [{ at: app.clock.now().getTime() - ageMs, parameter, value }]);

  async function addRule(admin: Actor, more: Partial<Record<keyof alerts.RuleInput, unknown>> = {}): Promise<alerts.Rule> {
    const response = await app.call('POST', `${alertsPath}/rules`, { as: admin, body: { ...weakSignal, ...more } });
    expect(response.text).toContain('"result"');
    return response.json.result;
  }

  const listed = async (as: Actor, query: Record<string, string> = {}): Promise<alerts.Alert[]> =>
    (await app.call('GET', alertsPath, { as, query: { limit: 50, ...query } })).json.result;
  const statesOf = async (as: Actor) => (await listed(as)).map(({ state, resolution }) => resolution ?? state);

  /** Connect or disconnect routers, as their sockets do. */
  async function withPresence(work: (presence: ReturnType<typeof createPresence>) => Promise<void>): Promise<void> {
    const shared = { database: app.database, log: silentLog };
    const node = createNode({ ...shared, shared: { bus: true, files: true }, name: 'test', host: 'test', version: 'test' });
    await node.start();
    const presence = createPresence({
      ...shared,
      clock: app.clock,
      node,
      settings: { collectMs: 1 },
      compare: (tx, ids) => comparePresence(tx, ids, app.clock.now()),
    });
    await presence.start();
    await work(presence);
    await presence.stop();
    await node.stop();
  }

  /** A geofence of 200 m around a place on the meridian of London. */
  async function addFence(as: Actor, name: string, latitude: number): Promise<string> {
    const body = { name, shape: { kind: 'circle', latitude, longitude: 0, radius: 200 } };
    return (await app.call('POST', '/data_manager/v1/dm/geofences', { as, body })).json.result.id;
  }

  /** Report positions on that meridian, 40 s apart, the last one now. */
  async function drive({ routerId }: TestRouter, latitudes: readonly number[]): Promise<void> {
    const positions = createPositions({
      ...app,
      log: silentLog,
      retentionDays: 30,
      settings: { collectMs: 1 },
      onStored: createGeofenceEvaluation((tx, ids) => compareCrossings(tx, ids, app.clock.now())),
      compare: (tx, ids) => comparePositions(tx, ids, app.clock.now()),
    });
    await positions.start();
    const now = Math.floor(app.clock.now().getTime() / 1_000);
    const trail = latitudes.map((latitude, index) => `${now - (latitudes.length - 1 - index) * 40},${latitude},0`);
    await positions.pushed(routerId, [{ values: [['Device.X_HIGHLINE_GPS.Trail', trail.join(';')]] }]);
    await positions.stop();
  }

  return { open, later, run, withTelemetry, measure, addRule, listed, statesOf, withPresence, addFence, drive };
}
