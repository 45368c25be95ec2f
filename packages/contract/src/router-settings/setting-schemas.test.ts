import { expect, test } from 'vitest';
import { saveSchemaFile } from './setting-schemas.ts';

const setting = { path: 'X_ACME_Gps.Mode', label: { en: 'Mode' }, type: 'choice', options: ['fast'] };
const read = (file: object, more: object) =>
  saveSchemaFile.body.safeParse({ schema: { name: 'Acme', models: ['A10*'], settings: [{ ...setting, ...more }], ...file } });

test('TPL-01-partial texts of a schema file are taken as what people type: composed, and with no lost or invisible character', () => {
  const { data } = read({ name: ' Mu\u0308ller\u00a0 A10 ' }, { label: { en: 'Mo\u0308de' }, help: { en: 'One\r\nTwo' } });
  expect(data?.schema).toMatchObject({ name: 'Müller A10', settings: [{ label: { en: 'Möde' }, help: { en: 'One\nTwo' } }] });
  for (const bad of ['A\u200b', 'A\u202eB', 'A\u0007', 'Pr\ufffdfung', 'A\ud800', 'A\u0093', ' ']) {
    const label = JSON.stringify(bad);
    expect(read({ name: bad }, {}).success, label).toBe(false);
    expect(read({ models: [bad] }, {}).success, label).toBe(false);
    for (const field of ['label', 'help'])
      for (const text of [{ en: bad }, { en: 'A', zh: bad }]) expect(read({}, { [field]: text }).success, label).toBe(false);
    expect(read({}, { options: [bad] }).success, label).toBe(false);
  }
});
