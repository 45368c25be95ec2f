import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { chineseTerms, logSentences, renderLogSentence } from './log-texts.ts';
import { viewLists } from './views/calls.ts';

const places = (text: string) => [...text.matchAll(/\{\d\}/gu)].map(([place]) => place).toSorted();

test('LOG-01 every sentence of the log has a text in both languages, with the same parameters in each', () => {
  for (const [key, [english, chinese]] of Object.entries(logSentences)) {
    expect([key, places(chinese)]).toEqual([key, places(english)]);
    expect(chinese, key).toMatch(/\p{Script=Han}/u);
    expect(places(english), key).toEqual(places(english).map((_, index) => `{${index}}`));
  }
  // Standards name these; there is no other word.
  const same = Object.entries(chineseTerms).filter(([english, chinese]) => english === chinese);
  expect(same.map(([term]) => term)).toEqual(['APN 1', 'APN 2', 'ICCID']);
});

test('LOG-01 names stand as they were typed, terms and parts are translated, and an unknown key has no text', () => {
  const renamed = { key: 'device.changed', params: [{ terms: ['vehicle number', 'tags', 'other'] }, 'HL-{0}'] };
  expect(renderLogSentence('en-US', renamed)).toBe('Changed vehicle number, tags, other of device HL-{0}');
  expect(renderLogSentence('zh-TW', renamed)).toBe('已變更裝置 HL-{0} 的車輛編號、標籤、other');
  const moved = { key: 'devices.moved', params: [{ key: 'part.devices', params: [12] }, '北站'] };
  expect(renderLogSentence('en-US', moved)).toBe('Moved 12 devices to group 北站');
  expect(renderLogSentence('zh-TW', moved)).toBe('已將 12 台裝置移到群組 北站');
  expect(renderLogSentence('zh-TW', { key: 'toString', params: [] })).toBe('');
  expect(renderLogSentence('en-US', { key: 'device.added', params: [] })).toBe('Added device ');
});

test('LOG-01 the Chinese texts have the terms of the glossary, also for the lists of views', () => {
  const glossary = readFileSync(new URL('../../../docs/glossary.md', import.meta.url), 'utf8').split('\n## ');
  const rows = glossary.find((part) => part.startsWith('Terms in Traditional Chinese'))!.split('\n');
  const rejected = rows.flatMap((row) => (/^\|(?:[^|]+\|){3}$/u.test(row) ? row.split('|')[3]!.split('、') : []));
  // A single character is part of other terms.
  const others = rejected.map((word) => word.trim()).filter((word) => /^\p{Script=Han}{2,}$/u.test(word));
  expect(others).toContain('設備');
  // 用戶端 is the client of a protocol.
  const texts = [...Object.values(logSentences).map(([, chinese]) => chinese), ...Object.values(chineseTerms)].map((text) =>
    text.replaceAll('用戶端', ''),
  );
  for (const text of texts) expect(others.filter((word) => text.includes(word))).toEqual([]);
  for (const list of viewLists) expect(chineseTerms, list).toHaveProperty([list]);
});
