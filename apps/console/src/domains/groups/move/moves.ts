import type { Member, MemberView } from './members.api.ts';

/** Devices that change their group when it is saved: in from the default group, out to it (GRP-09). */
export interface Moves {
  readonly add: readonly Member[];
  readonly remove: readonly Member[];
}

export const noMoves: Moves = { add: [], remove: [] };

const idsOf = (members: readonly Member[]) => new Set(members.map(({ device }) => device));

/** Add devices to one direction; a device already in the other direction is removed from it: moving back undoes the move. */
function moved(devices: readonly Member[], there: readonly Member[], back: readonly Member[]) {
  const [picked, undone] = [idsOf(devices), idsOf(back)];
  const before = idsOf(there);
  return {
    there: [...there, ...devices.filter(({ device }) => !undone.has(device) && !before.has(device))],
    back: back.filter(({ device }) => !picked.has(device)),
  };
}

/** The moves after devices went into the group. */
export function moveIn(moves: Moves, devices: readonly Member[]): Moves {
  const { there, back } = moved(devices, moves.add, moves.remove);
  return { add: there, remove: back };
}

/** The moves after devices went back to the default group. */
export function moveOut(moves: Moves, devices: readonly Member[]): Moves {
  const { there, back } = moved(devices, moves.remove, moves.add);
  return { add: back, remove: there };
}

/** The moves without that of one device. */
export function withoutMove({ add, remove }: Moves, { device }: Member): Moves {
  const others = (members: readonly Member[]) => members.filter((member) => member.device !== device);
  return { add: others(add), remove: others(remove) };
}

/** True when two sets of moves do the same. */
export function sameMoves(one: Moves, other: Moves): boolean {
  const same = (a: readonly Member[], b: readonly Member[]) => {
    const ids = idsOf(b);
    return a.length === b.length && a.every(({ device }) => ids.has(device));
  };
  return same(one.add, other.add) && same(one.remove, other.remove);
}

/** True when the moves would leave a group of this size without devices (GRP-09). */
export function leavesEmpty(moves: Moves, deviceCount: number): boolean {
  return moves.remove.length > 0 && deviceCount - moves.remove.length + moves.add.length <= 0;
}

/** The joining devices that match the list's search, by the server's rule (SHR-05). */
export function matching(
  members: readonly Member[],
  { search, field, ignoreCase }: Pick<MemberView, 'search' | 'field' | 'ignoreCase'>,
): readonly Member[] {
  if (search === undefined) return members;
  const comparable = (text: string) => (ignoreCase === undefined ? text : text.toLowerCase());
  const textOf = (member: Member) => (field === 'serial' ? member.serial_number : member.vehicle_number);
  return members.filter((member) => comparable(textOf(member)).includes(comparable(search)));
}

/**
 * One page of a list that starts with the joining devices and continues with the server's rows.
 * @returns the joining rows of the page, and the range of the server's rows that fills the rest
 */
export function pageOfBoth(arriving: readonly Member[], page: number, size: number) {
  const from = (page - 1) * size;
  const first = arriving.slice(from, from + size);
  return { first, offset: Math.max(0, from - arriving.length), limit: size - first.length };
}
