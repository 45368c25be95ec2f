import { expect, test } from 'vitest';
import { phoneRow } from './phone.ts';

const cell = () => null;
const number = { id: 'number', header: '#', numeric: true, cell };
const serial = { id: 'serial', header: 'Serial', pinned: true, cell };
const vehicle = { id: 'vehicle', header: 'Vehicle', phone: 'title', cell } as const;
const presence = { id: 'presence', header: 'State', phone: 'state', cell } as const;
const carrier = { id: 'carrier', header: 'Carrier', phone: 'aside', cell } as const;
const group = { id: 'group', header: 'Group', phone: 'line', cell } as const;
const seen = { id: 'seen', header: 'Seen', phone: 'line', optional: true, cell } as const;
const tags = { id: 'tags', header: 'Tags', optional: true, cell };

const idsOf = ({ title, aside, state, line }: ReturnType<typeof phoneRow>) =>
  [title, aside, state, ...line].map((column) => column?.id);

test('SAY-09-partial a row on a phone has the columns that its list declares for it, wherever they stand', () => {
  const all = [number, serial, presence, vehicle, group, carrier, seen, tags];
  expect(idsOf(phoneRow(all, {}))).toEqual(['vehicle', 'carrier', 'presence', 'group', 'seen']);
  expect(idsOf(phoneRow(all, { columns: { group: false, vehicle: false, tags: true } }))).toEqual([
    'vehicle',
    'carrier',
    'presence',
    'seen',
    'tags',
  ]);
});

test('SAY-09-partial a list that declares nothing has its pinned column as title, and the next ones below it', () => {
  const plain = ['a', 'b', 'c', 'd'].map((id) => ({ id, header: id, cell }));
  expect(idsOf(phoneRow([number, ...plain.slice(0, 1), serial, ...plain.slice(1)], {}))).toEqual([
    'serial',
    undefined,
    undefined,
    'a',
    'b',
    'c',
  ]);
  expect(idsOf(phoneRow([number, ...plain], { columns: { b: false } }))).toEqual(['a', undefined, undefined, 'c', 'd']);
});
