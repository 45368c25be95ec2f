import { describe, expect, test } from 'vitest';
import type { Member } from './members.api.ts';
import { leavesEmpty, matching, moveIn, moveOut, noMoves, pageOfBoth, sameMoves, withoutMove } from './moves.ts';

const member = (device: string): Member => ({
  device,
  serial_number: `SN-${device}`,
  vehicle_number: `Bus ${device}`,
  model: null,
  presence: 'online',
  subscription_status: 'In Warranty',
  movable: true,
  presence_since: null,
  offline_expected: null,
});
const [a, b, c] = [member('a'), member('b'), member('c')];

describe('moves between a group and the default group', () => {
  test('GRP-09-partial moving in and back again is no move, whichever way it began', () => {
    const there = moveIn(noMoves, [a, b]);
    expect(there).toEqual({ add: [a, b], remove: [] });
    expect(moveOut(there, [a])).toEqual({ add: [b], remove: [] });
    expect(sameMoves(moveOut(there, [b, a]), noMoves)).toBe(true);
    expect(moveIn(moveOut(noMoves, [c]), [c])).toEqual(noMoves);
  });

  test('GRP-09-partial the move of one device is undone in either direction', () => {
    const both = { add: [a, b], remove: [c] };
    expect(withoutMove(both, a)).toEqual({ add: [b], remove: [c] });
    expect(withoutMove(both, c)).toEqual({ add: [a, b], remove: [] });
  });

  test('a device moved twice is moved once', () => {
    expect(moveIn(moveIn(noMoves, [a]), [a]).add).toEqual([a]);
  });

  test('the order of moving makes no difference', () => {
    expect(sameMoves({ add: [a, b], remove: [c] }, { add: [b, a], remove: [c] })).toBe(true);
    expect(sameMoves({ add: [a], remove: [] }, { add: [b], remove: [] })).toBe(false);
  });

  test('GRP-09-partial a group becomes empty when its last device leaves and none joins', () => {
    expect(leavesEmpty({ add: [], remove: [a, b] }, 2)).toBe(true);
    expect(leavesEmpty({ add: [c], remove: [a, b] }, 2)).toBe(false);
    expect(leavesEmpty({ add: [], remove: [a] }, 2)).toBe(false);
    expect(leavesEmpty(noMoves, 0)).toBe(false);
  });

  test('joining devices are searched like the rest: a case-sensitive substring of the chosen field', () => {
    expect(matching([a, b], { search: 'SN-a', field: 'serial', ignoreCase: undefined })).toEqual([a]);
    expect(matching([a, b], { search: 'bus', field: 'vehicle', ignoreCase: undefined })).toEqual([]);
    expect(matching([a, b], { search: 'bus A', field: 'vehicle', ignoreCase: 'true' })).toEqual([a]);
    expect(matching([a, b], { search: undefined, field: 'serial', ignoreCase: undefined })).toEqual([a, b]);
  });

  test("pages continue from joining devices to the server's rows, each exactly once", () => {
    expect(pageOfBoth([a, b, c], 1, 2)).toEqual({ first: [a, b], offset: 0, limit: 0 });
    expect(pageOfBoth([a, b, c], 2, 2)).toEqual({ first: [c], offset: 0, limit: 1 });
    expect(pageOfBoth([a, b, c], 3, 2)).toEqual({ first: [], offset: 1, limit: 2 });
    expect(pageOfBoth([], 2, 10)).toEqual({ first: [], offset: 10, limit: 10 });
  });
});
