import { esims } from '@highline/contract';
import type { EsimReport, Row } from '../../platform/ports/index.ts';
import { freePriority } from './slots.ts';

/** A status that is stored; a placeholder is not. */
export type StoredStatus = Exclude<esims.ProfileStatus, 'Not Purchased'>;

/** The fields of a profile that order and use are derived from. */
export interface LineupProfile extends Row<'esim_profiles', 'id' | 'is_preloaded' | 'priority' | 'name' | 'carrier' | 'iccid'> {
  readonly status: StoredStatus;
  /** Its path on the eUICC; null = it is not there. */
  readonly path: string | null;
  /** The step of the router that is under way; left out = none. */
  readonly step?: string | null;
}

/** The profiles of one router in their order, including the preloaded one even before it is set up. */
export interface Lineup {
  readonly profiles: readonly LineupProfile[];
  /** The one in use; undefined = the router has not reported any. */
  readonly inUse: LineupProfile | undefined;
  /** The one in use once the router has done what was requested of it: the switch under way, and the deletion of the one in use. */
  readonly expected: LineupProfile | undefined;
}

/** Id of a preloaded profile that was not set up: it has a position in the order and no row. */
export const PLACEHOLDER = '';

/** Combine the stored profiles of a router with its report. Pure. */
export function lineupOf(rows: readonly LineupProfile[], reported: EsimReport | null): Lineup {
  const profiles = [...rows, ...placeholder(rows, reported)].toSorted((a, b) => a.priority - b.priority);
  const inUse = findInUse(profiles, reported);
  return { profiles, inUse, expected: findExpected(profiles, inUse) };
}

function findExpected(profiles: readonly LineupProfile[], inUse: LineupProfile | undefined): LineupProfile | undefined {
  const next = profiles.find(({ step }) => step === 'enable') ?? inUse;
  return next?.status === 'Deleting...' ? successorOf({ profiles }, next.id) : next;
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

/** By the router's report; without an eUICC report since, by the last stored use. */
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

/** Whether a router can continue with this profile: it is on its eUICC, and did not fail there. */
export function isUsable({ path, status }: LineupProfile): boolean {
  return path !== null && (status === 'Activated' || status === 'In Use' || status === 'Assigning...');
}

/** Whether a user requested this profile: the only rule by which a router is ever switched. */
export function isUseRequested({ status, path }: Pick<LineupProfile, 'status' | 'path'>): boolean {
  return status === 'Assigning...' && path !== null;
}

/** Whether that request waits: the router has not begun. */
export function isUseWaiting(profile: Pick<LineupProfile, 'status' | 'path' | 'step'>): boolean {
  return isUseRequested(profile) && (profile.step ?? null) === null;
}

const firstUsable = ({ profiles }: Lineup) => profiles.find((profile) => isUsable(profile));

/** Whether the router uses this profile, or will without another request. */
export function isInUse({ inUse, expected }: Lineup, id: string): boolean {
  return inUse?.id === id || expected?.id === id;
}

/** Whether the router may be using this profile, as far as is known. */
function mayBeInUse(lineup: Lineup, profile: LineupProfile): boolean {
  if (lineup.inUse !== undefined) return isInUse(lineup, profile.id);
  return profile.is_preloaded || profile.path !== null;
}

/** Numbers of an order after a profile was inserted. */
export interface Insertion {
  readonly priority: number;
  /** New numbers of others, by id. */
  readonly moves: ReadonlyMap<string, number>;
}

/**
 * The position of an added profile: as requested, but always below the one in use or, while that is unknown, below all that may
 * be in use. Others keep their sequence.
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

/** Each keeps its number if possible; all are numbered from 1 if the last would exceed the number of slots. */
function numbered(sequence: readonly Pick<LineupProfile, 'priority'>[]): number[] {
  let last = 0;
  const numbers = sequence.map(({ priority }) => {
    last = Math.max(last + 1, priority);
    return last;
  });
  return last > esims.MAX_PROFILES ? sequence.map((_, index) => index + 1) : numbers;
}

/** The effect of a changed order on the profile in use. */
export type OrderEffect =
  /** The router must use another one. */
  | { readonly type: 'switch'; readonly to: LineupProfile }
  /** It keeps the one in use, also when a switch was pending. */
  | { readonly type: 'keep' }
  | { readonly type: 'none' };

/**
 * Whether a changed order switches a router: only when another profile becomes the first usable one, and never while the router
 * has not reported which one it uses.
 */
export function effectOfOrder(before: Lineup, after: Lineup): OrderEffect {
  const [was, first] = [firstUsable(before), firstUsable(after)];
  if (first === undefined || first.id === was?.id) return { type: 'none' };
  if (first.id === before.expected?.id) return { type: 'keep' };
  return after.inUse === undefined || first.id === PLACEHOLDER ? { type: 'none' } : { type: 'switch', to: first };
}

/** The profile a router continues with when this one is deleted: the next usable one in its order. */
export function successorOf({ profiles }: Pick<Lineup, 'profiles'>, id: string): LineupProfile | undefined {
  return profiles.find((profile) => profile.id !== id && isUsable(profile));
}

/**
 * The profile that a router is switched to from this one without a person: the next usable one in its order, after the last the first.
 * A preloaded one that was not set up cannot be requested.
 * @param isLeftOut by its ICCID
 */
export function nextOf(
  { profiles }: Pick<Lineup, 'profiles'>,
  current: LineupProfile | undefined,
  isLeftOut: (iccid: string) => boolean,
): LineupProfile | undefined {
  const position = profiles.findIndex(({ id }) => id === current?.id);
  return [...profiles.slice(position + 1), ...profiles.slice(0, Math.max(position, 0))].find(
    (profile) => profile.id !== PLACEHOLDER && isUsable(profile) && !isLeftOut(profile.iccid),
  );
}
