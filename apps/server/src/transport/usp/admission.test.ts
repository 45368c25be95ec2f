import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRouterCredentials } from '../../domains/inventory/index.ts';
import type { Database } from '../../platform/ports/database.ts';
import { systemClock } from '../../platform/ports/clock.ts';
import { silentLog } from '../../testing/log.ts';
import { addTestRouters, openRouterDatabase, type RouterDatabase } from '../../testing/routers.ts';
import { until } from '../../testing/call.ts';
import { Admission } from './admission.ts';
import { gatewayDefaults } from './settings.ts';

let fleet: RouterDatabase;

beforeAll(async () => {
  fleet = await openRouterDatabase();
});
afterAll(() => fleet.close());

it('a stop during many connects rejects those in the queue, and runs no query afterwards', async () => {
  let reads = 0;
  const database: Database = {
    ...fleet.database,
    get read() {
      reads++;
      return fleet.database.read;
    },
  };
  const settings = { ...gatewayDefaults, admissionMs: 1, admissionBatch: 1 };
  const admission = new Admission({
    credentials: createRouterCredentials(database),
    clock: systemClock,
    log: silentLog,
    settings,
  });
  const routers = await addTestRouters(fleet, 30);
  const decisions = Promise.all(
    routers.map(({ secret }, index) => admission.admit({ secret, certificate: undefined }, `192.0.2.${index}`)),
  );
  await until(() => reads > 0);
  await admission.close();
  const before = reads;
  const responses = await decisions;
  expect(responses.length).toBe(30);
  expect(responses.at(-1)).toMatchObject({ rejected: 'busy' });
  expect(await admission.admit({ secret: routers[0]!.secret, certificate: undefined }, '192.0.2.1')).toMatchObject({
    rejected: 'busy',
  });
  expect(reads).toBe(before);
  expect(reads).toBeLessThan(30);
});
