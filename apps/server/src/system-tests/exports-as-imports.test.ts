import { expect, test } from 'vitest';
import { addDevice, openHome, routersNamed } from '../testing/home.ts';
import { useTestApp } from '../testing/test-app.ts';

const app = useTestApp();
const fresh = routersNamed('XI');
const DM = '/data_manager/v1/dm';

/** Every file of ours that has the columns of an import, by the call that writes it and the call that reads it. */
const pairs = [
  ['inventory', `${DM}/inventory/export`, {}, 'an inventory', `${DM}/inventory/batch`, {}],
  ['inventory', `${DM}/inventory/export`, {}, 'devices of a new organization', `${DM}/devices/batch`, { layout: 'organization' }],
  ['devices', `${DM}/devices/export`, {}, 'an inventory', `${DM}/inventory/batch`, {}],
  ['devices', `${DM}/devices/export`, {}, 'devices', `${DM}/devices/batch`, {}],
] as const;

test.each(pairs.flatMap((pair) => (['en-US', 'zh-TW'] as const).map((language) => [...pair, language] as const)))(
  'BLK-05-partial the file of %s (%s %o) is read as one of %s (%s %o) with its titles in %s',
  async (_from, exported, query, _to, imported, fields, language) => {
    const { own, main, mainPerson } = await openHome(app);
    const stocked = fresh();
    const claimed = await addDevice(app, own, fresh(), { started: '01/01/2026', expired: '12/31/2027' });
    await app.seeding.routers(main, [stocked]);
    const file = await app.call('GET', exported, { as: mainPerson, query: { ...query, language } });
    expect(file.status).toBe(200);
    const org = imported.includes('devices') ? { org: own.organizationId } : {};
    const { json } = await app.call('POST', imported, {
      as: mainPerson,
      query: { dryRun: 'true' },
      body: { ...org, ...fields },
      file: file.bytes as Uint8Array<ArrayBuffer>,
    });
    // Its rows are understood: a router that is there already is the only fault.
    const result = json.result ?? json.error.detail;
    const faults = (result.fail as { error: string }[]).map(({ error }) => error);
    expect(new Set(faults)).toEqual(
      new Set(imported.includes('inventory') ? ['This serial number is already in the inventory.'] : ['Existing serial number']),
    );
    const rows = exported.includes('devices') ? [claimed] : [claimed, stocked];
    expect(result.total).toBe(rows.length);
  },
);
