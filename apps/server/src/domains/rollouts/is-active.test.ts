import { makeMac } from '@highline/usp';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { newId } from '../../kernel/ids.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { findConfig, type ConfigRecord } from '../configs/index.ts';
import { projectReported } from '../router-state/index.ts';
import { findFirmware, type FirmwareRecord } from '../firmware/index.ts';
import { subscriptionDay } from '../subscriptions/index.ts';
import { lockRollouts, type RolloutWork } from './engine/engine.store.ts';
import { configImpact, firmwareImpact, members } from './impact.queries.ts';
import { isActive, type ReportedFiles } from './is-active.ts';
import { insertTargets } from './targets.store.ts';

const ROUTERS = 60;
const VERSION = '2.0';
const MODEL = 'HL';
const CONFIG = 'north.cfg';

const app = useTestApp();
let scope: OrganizationScope;
let group: string;
let routerIds: string[];
let firmware: FirmwareRecord;
let config: ConfigRecord;

/** A group of routers that have reported nothing, with firmware and a config file bound to it. */
beforeAll(async () => {
  const main = (await app.seeding.mainAccount('Active')).scope;
  scope = await app.seeding.organization(main, 'Active');
  group = await app.seeding.group(scope, 'North');
  const routers = Array.from({ length: ROUTERS }, (_, index) => ({ serial: `AC${index}`, mac: makeMac(0x91000 + index), group }));
  routerIds = (await app.seeding.routers(main, routers)).map(({ id }) => id);
  await app.seeding.devices(scope, routers);
  firmware = (await findFirmware(
    app.database.read,
    scope,
    await app.seeding.firmware(main, { model: MODEL, version: VERSION }),
  ))!;
  config = (await findConfig(app.database.read, scope, await app.seeding.config(scope, { name: CONFIG })))!;
  await app.seeding.binding(scope, { kind: 'firmware', group, file: firmware.id, schedule: 'immediate' });
  await app.seeding.binding(scope, { kind: 'config', group, file: config.id, schedule: 'immediate' });
});

/** Every router has reported something else. @returns its targets as the engine reads them, made again by the bulk statement */
async function targetsAfter(reports: readonly ReportedFiles[]): Promise<RolloutWork[]> {
  const rows = routerIds.map((id, index) => ({ id, reported: reports[index] }));
  return app.database.write(async (tx) => {
    await sql`delete from rollout_targets where organization_id = ${scope.organizationId}::uuid`.execute(tx);
    await sql`update routers r set reported = n.reported from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as n (id uuid, reported jsonb) where r.id = n.id`.execute(tx);
    await projectReported(tx, routerIds);
    await insertTargets(tx, scope, sql`d.group_key = ${group}`, ROUTERS, app.clock.now());
    return lockRollouts(tx, newId(), routerIds, subscriptionDay(app.clock.now(), app.expiringDays));
  });
}

/** Reported values at and around the bound one. */
function around(...values: readonly string[]): fc.Arbitrary<string | null> {
  const other = fc.string({ unit: 'grapheme', maxLength: 60 }).filter((text) => !text.includes('\0'));
  return fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...values, null) }, { weight: 1, arbitrary: other });
}

test('GRP-10 whether a bound file is active is the same decision in the engine, in the first targets and in the impact', async () => {
  const sha256 = config.sha256.toString('hex');
  const report: fc.Arbitrary<ReportedFiles> = fc.record(
    {
      model: around(MODEL, MODEL.toLowerCase(), ''),
      firmware: around(VERSION, `v${VERSION}`, `${VERSION} `, ''),
      config: around(CONFIG, CONFIG.toUpperCase(), ''),
      config_version: around(sha256, sha256.toUpperCase(), sha256.slice(1), '20261122', ''),
    },
    { requiredKeys: [] },
  );
  const seen = new Set<boolean | undefined>();
  await fc.assert(
    fc.asyncProperty(fc.array(report, { minLength: ROUTERS, maxLength: ROUTERS }), async (reports) => {
      const works = await targetsAfter(reports);
      expect(works).toHaveLength(2 * ROUTERS);
      const decided = works.map((work) => ({ work, active: isActive(work.desired, work.reported) }));
      for (const { work, active } of decided) {
        seen.add(active);
        expect(work.target.state, JSON.stringify(work)).toBe(active === true ? 'successful' : 'waiting');
      }
      const count = (kind: string) => decided.filter(({ work, active }) => work.desired.kind === kind && active === true).length;
      const devices = members(scope, { group, add: [], remove: [] });
      expect((await firmwareImpact(app.reader, devices, firmware)).already).toBe(count('firmware'));
      expect((await configImpact(app.reader, devices, config)).already).toBe(count('config'));
    }),
    { numRuns: 20 },
  );
  expect(seen).toEqual(new Set([true, false, undefined]));
});
