import { makeMac } from '@highline/usp';
import { beforeEach, expect, test } from 'vitest';
import type { Actor, MainScope } from '../../kernel/scope.ts';
import { useTestApp } from '../../testing/test-app.ts';

const PATH = '/data_manager/v1/dm/inventory/model_settings';
const app = useTestApp();
let main: MainScope;
let person: Actor;
let n = 0;

beforeEach(async () => {
  main = (await app.seeding.mainAccount('Home')).scope;
  person = app.person(main, 'main');
  await app.seeding.routers(main, [
    { serial: `A-1-${n}`, mac: makeMac(n++), model: 'HL-9' },
    { serial: `A-2-${n}`, mac: makeMac(n++), model: 'HL-9' },
    { serial: `A-3-${n}`, mac: makeMac(n++), model: 'HL-5' },
    { serial: `A-4-${n}`, mac: makeMac(n++) },
  ]);
  const abroad = (await app.seeding.mainAccount('Abroad')).scope;
  await app.seeding.routers(abroad, [{ serial: `B-1-${n}`, mac: makeMac(n++), model: 'ABROAD' }]);
});

const save = (models: unknown) => app.call('PUT', PATH, { as: person, body: { models } });
const settings = async () => (await app.call('GET', PATH, { as: person })).json.result;

test('NOD-05-partial the models of the inventory have a report interval, which is logged once', async () => {
  expect(await settings()).toEqual({
    models: [
      { model: 'HL-5', reportSeconds: null },
      { model: 'HL-9', reportSeconds: null },
    ],
    reportSeconds: 60,
  });
  const saved = await save([
    { model: 'HL-9', reportSeconds: 600 },
    { model: 'HL-5', reportSeconds: null },
  ]);
  expect([saved.status, saved.json.result]).toEqual([200, await settings()]);
  expect((await settings()).models).toContainEqual({ model: 'HL-9', reportSeconds: 600 });
  const before = await app.logOf(main.mainAccountId);
  expect(before.at(-1)).toBe('Changed the report interval of model HL-9');
  await save([{ model: 'HL-9', reportSeconds: 600 }]);
  expect(await app.logOf(main.mainAccountId)).toEqual(before);
  const { rows } = await app.owner.query('select detail from audit_entries where chain_id = $1 order by seq desc limit 1', [
    main.mainAccountId,
  ]);
  expect(rows).toEqual([{ detail: { before: { 'HL-9': null }, after: { 'HL-9': 600 } } }]);
});

test('the setting of a model without routers stays until it is removed', async () => {
  await save([{ model: 'HL-5', reportSeconds: 20 }]);
  await app.owner.query("update routers set model = 'HL-9' where model = 'HL-5'");
  expect((await settings()).models).toEqual([
    { model: 'HL-5', reportSeconds: 20 },
    { model: 'HL-9', reportSeconds: null },
  ]);
  await save([{ model: 'HL-5', reportSeconds: null }]);
  expect((await settings()).models).toEqual([{ model: 'HL-9', reportSeconds: null }]);
});

test('a list with an unknown model, or that of another main account, changes nothing; intervals have limits', async () => {
  for (const model of ['ABROAD', 'NONE'])
    expect(
      (
        await save([
          { model: 'HL-9', reportSeconds: 600 },
          { model, reportSeconds: 600 },
        ])
      ).status,
      model,
    ).toBe(404);
  for (const reportSeconds of [9, 86_401, 60.5, '60'])
    expect((await save([{ model: 'HL-9', reportSeconds }])).status, String(reportSeconds)).toBe(400);
  expect((await save([{ model: '', reportSeconds: 60 }])).status).toBe(400);
  expect((await settings()).models.map((each: { reportSeconds: number | null }) => each.reportSeconds)).toEqual([null, null]);
});
