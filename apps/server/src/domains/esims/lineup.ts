import { esims } from '@highline/contract';
import type { EsimReport } from '../../ports/device-link.ts';
import { freePriority } from './places.ts';
import type { StoredStatus } from './profile.wire.ts';

/** What the order and the use of a router's profiles are derived from. */
export interface LineupProfile {
  readonly id: string;
  readonly is_preloaded: boolean;
  readonly priority: number;
  readonly name: string;
  readonly carrier: string;
  readonly iccid: string;
  readonly status: StoredStatus;
  /** Where it is on the eUICC; null = it is not there. */
  readonly path: string | null;
}

/** The profiles of one router in their order, the preloaded one included although no one has set it up. */
export interface Lineup {
  readonly profiles: readonly LineupProfile[];
  /** The one in use; undefined = the router has not reported any. */
  readonly inUse: LineupProfile | undefined;
}

/** Id of the preloaded profile that no one has set up: it has a place in the order and no row. */
export const PLACEHOLDER = '';

/** Put what is kept of a router's profiles and what the router reports together. Pure. */
export function lineupOf(rows: readonly LineupProfile[], reported: EsimReport | null): Lineup {
  const profiles = [...rows, ...placeholder(rows, reported)].toSorted((a, b) => a.priority - b.priority);
  return { profiles, inUse: findInUse(profiles, reported) };
}

function placeholder(rows: readonly LineupProfile[], reported: EsimReport | null): LineupProfile[] {
  if (rows.some((row) => row.is_preloaded)) return [];
  const own = reported?.profiles.find(({ preloaded }) => preloaded);
  return [
    {
      id: PLACEHOLDER,
      is_preloaded: true,
      priority: freePriority(rows),
      name: esims.PRELOADED_NAME,
      carrier: own?.carrier ?? '',
      iccid: own?.iccid ?? '',
      status: own?.active === true ? 'In Use' : 'Activated',
      path: own?.path ?? null,
    },
  ];
}

/** By what the router reports; one that has not reported its eUICC since, by what it used last. */
function findInUse(profiles: readonly LineupProfile[], reported: EsimReport | null): LineupProfile | undefined {
  if (reported === null) return profiles.find(({ status }) => status === 'In Use');
  const active = reported.profiles.find((profile) => profile.active);
  if (active === undefined) return undefined;
  return (
    profiles.find(({ path }) => path === active.path) ??
    profiles.find(({ is_preloaded: isPreloaded, iccid }) =>
      active.preloaded ? isPreloaded : !isPreloaded && active.iccid !== null && iccid === active.iccid,
    )
  );
}

/** Whether a router can go on over this profile: it is on its eUICC, and did not fail there. */
export function isUsable({ path, status }: LineupProfile): boolean {
  return path !== null && (status === 'Activated' || status === 'In Use' || status === 'Assigning...');
}

/** Whether a person asked for this profile to be used: the one rule by which a router is ever switched. */
export function isUseRequested({ status, path }: Pick<LineupProfile, 'status' | 'path'>): boolean {
  return status === 'Assigning...' && path !== null;
}

const firstUsable = ({ profiles }: Lineup) => profiles.find((profile) => isUsable(profile));

/** Whether this may be what the router uses, as far as is known. */
function mayBeInUse({ inUse }: Lineup, profile: LineupProfile): boolean {
  if (inUse !== undefined) return profile.id === inUse.id;
  return profile.is_preloaded || profile.path !== null;
}

/** Numbers of an order after a profile was put into it. */
export interface Insertion {
  readonly priority: number;
  /** New numbers of others, by id. */
  readonly moves: ReadonlyMap<string, number>;
}

/**
 * Where a profile that is added stands: as wished, but always below what the router uses or, while that is not known, below all that it
 * may use. Others keep their sequence.
 * @param wished undefined = after the others
 */
export function insertBelowInUse(lineup: Lineup, wished: number | undefined): Insertion {
  const { profiles } = lineup;
  const floor = profiles.findLastIndex((profile) => mayBeInUse(lineup, profile));
  const before = wished === undefined ? profiles.length : profiles.filter(({ priority }) => priority < wished).length;
  const index = Math.max(before, floor + 1);
  const sequence = profiles.toSpliced(index, 0, { ...added, priority: index === before ? (wished ?? 0) : 0 });
  const numbers = numbered(sequence);
  const moves = profiles.flatMap(({ id, priority }): [string, number][] => {
    const next = numbers[sequence.findIndex((each) => each.id === id)]!;
    return next === priority || id === PLACEHOLDER ? [] : [[id, next]];
  });
  return { priority: numbers[index]!, moves: new Map(moves) };
}

const added: LineupProfile = {
  id: 'added',
  is_preloaded: false,
  priority: 0,
  name: '',
  carrier: '',
  iccid: '',
  status: 'Assigning...',
  path: null,
};

/** Each keeps its number where it can; all are numbered from 1 where the last would be beyond the number of places. */
function numbered(sequence: readonly Pick<LineupProfile, 'priority'>[]): number[] {
  let last = 0;
  const numbers = sequence.map(({ priority }) => {
    last = Math.max(last + 1, priority);
    return last;
  });
  return last > esims.MAX_PROFILES ? sequence.map((_, index) => index + 1) : numbers;
}

/** What a changed order means for the profile in use. */
export type OrderEffect =
  /** The router shall use another one. */
  | { readonly type: 'switch'; readonly to: LineupProfile }
  /** It keeps the one in use, also when it was about to be switched. */
  | { readonly type: 'keep' }
  | { readonly type: 'none' };

/**
 * Whether a changed order switches a router: only when it makes another profile the first that can be used, and never while the router
 * has not reported which one it uses.
 */
export function effectOfOrder(before: Lineup, after: Lineup): OrderEffect {
  const [was, first] = [firstUsable(before), firstUsable(after)];
  if (first === undefined || first.id === was?.id) return { type: 'none' };
  if (first.id === after.inUse?.id) return { type: 'keep' };
  return after.inUse === undefined || first.id === PLACEHOLDER ? { type: 'none' } : { type: 'switch', to: first };
}

/** The profile a router goes on with when this one is deleted: the next in its order that it can use. */
export function successorOf({ profiles }: Lineup, id: string): LineupProfile | undefined {
  return profiles.find((profile) => profile.id !== id && isUsable(profile));
}
