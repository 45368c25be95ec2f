import { expect, test } from 'vitest';
import { cssWidth, growing, resized, validWidth, widthOf } from './widths.ts';

const name = { id: 'name', header: 'Name', pinned: true, width: 200 };
const state = { id: 'state', header: 'State' };
const note = { id: 'note', header: 'Note', grow: true };
const count = { id: 'count', header: 'Devices', numeric: true };
const columns = [name, state, note, count];

test('a column is as wide as it is declared, or as its header, or as a person chose', () => {
  expect(widthOf(name, undefined)).toBe(200);
  expect(widthOf(state, undefined)).toBe(150);
  expect(widthOf(state, { state: 90 })).toBe(90);
  const long = { id: 'x', header: 'Offline for more than one day', width: 80, sort: 'x' };
  expect(widthOf(long, undefined)).toBeGreaterThan(200);
  expect(widthOf({ ...long, header: '離線超過一天' }, undefined)).toBe(6 * 13 + 28 + 18);
  expect(cssWidth(name, undefined)).toBe('min(200px, 55vw)');
  expect([validWidth(1), validWidth(120.4), validWidth(5000)]).toEqual([56, 120, 800]);
});

test('the space that is left over goes to one column, and to another once a person chose the width of that one', () => {
  expect(growing(columns, undefined)).toBe(note);
  expect(growing(columns, { note: 100 })).toBe(state);
  expect(growing([name, state, count], undefined)).toBe(state);
  expect(growing([count], { count: 90 })).toBe(count);
});

test('a changed column stays where it is: the growing one before it keeps its width on the screen', () => {
  const shown = { name: 200, state: 150, note: 612.4, count: 90 };
  expect(resized(columns, undefined, { id: 'count', width: 140 }, shown)).toEqual({ note: 612, count: 140 });
  expect(resized(columns, { name: 180 }, { id: 'state', width: 10 }, shown)).toEqual({ name: 180, state: 56 });
});
