import { expect, test } from 'vitest';
import { addCommand, fitsCommand } from './calls.ts';

test('OLD-03-partial a name of a router has up to 64 characters, where an emoji is one', () => {
  const accepts = (argument: string) => [
    fitsCommand('name', argument),
    addCommand.body.safeParse({ name: 'Name', kind: 'name', argument }).success,
  ];
  expect(accepts('😀'.repeat(64))).toEqual([true, true]);
  expect(accepts('😀'.repeat(65))).toEqual([false, false]);
});
