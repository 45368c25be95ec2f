import { allOperations } from '@highline/contract/all-operations';
import { describeApi } from '@highline/contract/openapi';
import { describe, expect, test } from 'vitest';
import * as chinese from './calls.zh-TW.ts';
import { descriptionOf, fieldsOf, matches } from './description.ts';
import { translatorFor } from './translate.ts';

const english = descriptionOf(describeApi(allOperations, '1.0.0') as unknown as Parameters<typeof descriptionOf>[0]).calls;
const translate = await translatorFor('zh-TW');
const translated = english.map(translate);
const inOrder = (names: readonly string[]) => [...new Set(names)].toSorted();

describe('texts of the calls in Chinese', () => {
  test('HKS-03-partial every call has a summary in Chinese, and every summary has a call', () => {
    expect(inOrder(Object.keys(chinese.summaries))).toEqual(inOrder(allOperations.map(({ id }) => id)));
    const { summaries } = chinese;
    for (const { id, summary } of english) {
      expect([id, summaries[id]]).not.toEqual([id, summary]);
      expect([id, summaries[id]]).toEqual([id, expect.stringMatching(/[㐀-鿿].*。$/u)]);
    }
  });

  test('HKS-03-partial every area, what a call applies to and every role are in Chinese, and no more than these', () => {
    expect(inOrder(Object.keys(chinese.areas))).toEqual(inOrder(english.map(({ area }) => area)));
    const parts = english.map(({ description }) => description.split(' Roles: '));
    expect(inOrder(Object.keys(chinese.scopes))).toEqual(inOrder(parts.map(([scope = '']) => scope)));
    expect(inOrder(Object.keys(chinese.roles))).toEqual(inOrder(allOperations.flatMap(({ roles }) => roles)));
    for (const { id, description } of translated)
      expect([id, description]).toEqual([id, expect.not.stringMatching(/Applies|Roles|main|admin|user/u)]);
  });

  test('HKS-03-partial what the page says of a field is in Chinese, and every text of that is of a field', () => {
    const said = new Map(
      translated.flatMap(({ parameters, body, response, noteOf }) => {
        const schemas = [
          ...parameters.map(({ name, description, schema }) => ({ properties: { [name]: { description, ...schema } } })),
          body?.schema ?? {},
          response.schema,
        ];
        return schemas
          .flatMap((schema) => fieldsOf(schema))
          .filter(({ note }) => note !== '')
          .map(({ note }) => [note, noteOf(note)] as const);
      }),
    );
    expect(Array.from(said).flatMap(([note, text]) => (/[㐀-鿿]/u.test(text) ? [] : [note]))).toEqual([]);
    const unused = Object.keys(chinese.notes).filter(
      (note) => ![...said.keys()].some((each) => each === note || each.startsWith(`${note}: `)),
    );
    expect(unused).toEqual([]);
    expect([...said.keys()].filter((note) => /epoch (?:milli)?seconds/iu.test(note)).length).toBeGreaterThan(3);
  });

  test('HKS-03-partial fields and names in the code of a summary are the same in both languages', () => {
    const codesOf = (text: string) => inOrder([...text.matchAll(/`[^`]+`/gu)].map(([code]) => code));
    for (const [index, { id, summary }] of english.entries())
      expect([id, codesOf(translated[index]?.summary ?? '')]).toEqual([id, codesOf(summary)]);
  });

  test('Chinese characters and Latin letters or digits are separated, and characters are those of Taiwan', () => {
    const tight = /[㐀-鿿][A-Za-z0-9`]|[A-Za-z0-9%`][㐀-鿿]/u;
    const simplified = /[设备组织网络连录户浏览击择认导页书这为时应关闭个]/u;
    const ofFields = Object.values(chinese.notes);
    for (const { id, summary, description, areaName } of translated)
      for (const text of [summary, description, areaName, ...ofFields])
        expect([id, tight.exec(text)?.[0], simplified.exec(text)?.[0]]).toEqual([id, undefined, undefined]);
  });

  test('HKS-03-partial a call is found by its summary and area in both languages, in any order', () => {
    const found = (search: string) => translated.filter((call) => matches(call, search)).map(({ id }) => id);
    expect(found('move the given devices')).toEqual(['groups.create']);
    expect(found('建立群組')).toEqual(['groups.create']);
    expect(found('post\u3000建立群組')).toEqual(['groups.create']);
    expect(found('資費方案 usagePlans.add')).toEqual(['usagePlans.add']);
    expect(found('沒有這個')).toEqual([]);
  });

  test('HKS-03-partial API-03-partial the fields of a call are shown with what they refer to, nulls, and the units of `on`', () => {
    const fieldsIn = (id: string) => fieldsOf(english.find((call) => call.id === id)!.response.schema);
    const on = (id: string) => fieldsIn(id).find(({ name }) => name === 'result[].on');
    expect(on('reports.records')).toMatchObject({ type: 'number', note: 'Epoch milliseconds (last_query has seconds).' });
    expect(on('devices.lastQuery')).toMatchObject({ type: 'number | null', note: expect.stringContaining('epoch seconds') });
    const names = fieldsIn('devices.get').map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['result.vehicle_number', 'result.agent.url', 'result.properties[].value']));
    expect(fieldsIn('devices.get').find(({ name }) => name === 'result.vehicle_number')?.note).toContain('`vehicleNumber`');
    expect(english.find(({ id }) => id === 'devices.list')!.parameters.map(({ name }) => name)).toContain('limit');
  });

  test('in English nothing changes', async () => {
    const same = await translatorFor('en-US');
    expect(english.map(same)).toEqual(english);
  });
});
