import { expect, test } from 'vitest';
import { ownFileName } from './fileName.ts';

test('ORG-03-partial an example is named after its organization, in characters that every file system takes', () => {
  expect(ownFileName('Devices_template', '台北 Buses')).toBe('Devices_template_台北 Buses.csv');
  expect(ownFileName('Devices_template', ' a/b\\c:d\n ')).toBe('Devices_template_a_b_c_d_.csv');
  expect(ownFileName('Devices_template', '漢'.repeat(200))).toBe(`Devices_template_${'漢'.repeat(60)}.csv`);
  for (const none of ['', '  ', undefined]) expect(ownFileName('Devices_template', none)).toBe('Devices_template.csv');
});
