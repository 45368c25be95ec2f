import { rollouts } from '@highline/contract';
import type { Group } from '../../../entities/groups/group.api.ts';
import type { Member } from '../move/members.api.ts';
import { type Moves, noMoves, sameMoves } from '../move/moves.ts';
import { emptyRollout, parseRollout, type RolloutDraft } from './rollout-draft.ts';

/** A firmware or config file that is chosen; `pk` '' is Undefined. */
export interface Chosen {
  readonly pk: string;
  readonly name: string;
  /** Number of a config file's version; null for firmware and Undefined. */
  readonly version: number | null;
  /** The model a firmware is for, where it is known. */
  readonly model?: string | undefined;
}

export const unchosen: Chosen = { pk: '', name: '', version: null };

/** The values of the group form (GRP-06, GRP-08). */
export interface GroupValues {
  readonly name: string;
  readonly description: string;
  readonly firmware: Chosen;
  readonly config: Chosen;
  /** Files that are rolled out again as they are: their rollout was cancelled. */
  readonly again: readonly rollouts.BindingKind[];
  readonly schedule: rollouts.Schedule;
  /** The box is ticked (GRP-07). */
  readonly postponed: boolean;
  /** Epoch seconds; null = not postponed, or no date was entered yet. */
  readonly postpone: number | null;
  readonly tags: readonly string[];
  /** Seconds between two reports; null = as the installation sets. */
  readonly reportSeconds: number | null;
  readonly moves: Moves;
  /** Of the next binding: percent of finished routers that may fail before it pauses itself; null = the usual. */
  readonly failureThreshold: number | null;
  /** Of the next binding: how many routers go first; null = the usual. */
  readonly canaries: number | null;
  /** Of the next binding: what goes first, and how it goes on. */
  readonly rollout: RolloutDraft;
}

export const emptyValues: GroupValues = {
  name: '',
  description: '',
  firmware: unchosen,
  config: unchosen,
  again: [],
  schedule: 'immediate',
  postponed: false,
  postpone: null,
  tags: [],
  reportSeconds: null,
  moves: noMoves,
  failureThreshold: null,
  canaries: null,
  rollout: emptyRollout,
};

function chosenOf(entry: rollouts.GroupBind['firmware'][number] | undefined): Chosen {
  return entry === undefined ? unchosen : { pk: entry.profile, name: entry.name, version: entry.version };
}

/** The form of a stored group. */
export function valuesOf({ groupName, description, tags, reportSeconds, bind, schedule, postpone }: Group): GroupValues {
  const files = { firmware: chosenOf(bind.firmware[0]), config: chosenOf(bind.config[0]) };
  const values = { name: groupName, description, tags, reportSeconds, ...files };
  return normalized({ ...emptyValues, ...values, schedule, postponed: postpone !== null, postpone });
}

/** Derived values: without a file the schedule is immediate, and only bootup can be postponed (GRP-07). */
export function normalized(values: GroupValues): GroupValues {
  const schedule = hasFile(values) ? values.schedule : 'immediate';
  const postponed = schedule === 'bootup' && values.postponed;
  return { ...values, schedule, postponed, postpone: postponed ? values.postpone : null };
}

/** True when firmware or config is chosen; both Undefined forces immediate (GRP-07). */
export function hasFile({ firmware, config }: Pick<GroupValues, 'firmware' | 'config'>): boolean {
  return firmware.pk !== '' || config.pk !== '';
}

/** The same tags in the same order. */
export function sameTags(one: readonly string[], other: readonly string[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The same file in the same version. */
export function sameFile(one: Chosen, other: Chosen): boolean {
  return one.pk === other.pk && one.version === other.version;
}

/** The files to send: changed, removed, rolled out again, or with a changed schedule. */
export function changedFiles(base: GroupValues, now: GroupValues): readonly ('firmware' | 'config')[] {
  const rescheduled = base.schedule !== now.schedule || base.postpone !== now.postpone;
  return (['firmware', 'config'] as const).filter(
    (kind) => !sameFile(base[kind], now[kind]) || ((rescheduled || now.again.includes(kind)) && now[kind].pk !== ''),
  );
}

/** The version that the form shows, where the config file is one of the files sent: a newer one that was uploaded since is not meant. */
export function versionOf(files: readonly rollouts.BindingKind[], { config }: GroupValues) {
  return files.includes('config') && config.version !== null ? { configVersion: config.version } : {};
}

/** True when name, description, tags, report interval or membership differ. */
export function groupChanged(base: GroupValues, now: GroupValues): boolean {
  const isRetagged = !sameTags(base.tags, now.tags);
  const isSame = (['name', 'description', 'reportSeconds'] as const).every((field) => base[field] === now[field]);
  return !isSame || isRetagged || !sameMoves(base.moves, now.moves);
}

/** True when anything differs from the stored values (GRP-08: Save on any change). */
export function isDirty(base: GroupValues, now: GroupValues): boolean {
  return groupChanged(base, now) || changedFiles(base, now).length > 0;
}

const isText = (value: unknown): value is string => typeof value === 'string';

function parseChosen(stored: unknown): Chosen | undefined {
  const { pk, name, version, model } = (stored ?? {}) as Partial<Record<keyof Chosen, unknown>>;
  if (!isText(pk) || !isText(name)) return undefined;
  return { pk, name, version: typeof version === 'number' ? version : null, ...(isText(model) ? { model } : {}) };
}

/** The fields a restored device needs to be shown and moved; the rest is loaded when it is saved. */
function isMember(stored: unknown): stored is Member {
  const { device, serial_number: serial, vehicle_number: vehicle } = (stored ?? {}) as Partial<Record<keyof Member, unknown>>;
  return isText(device) && isText(serial) && isText(vehicle);
}

function parseMoves(stored: unknown): Moves {
  const { add, remove } = (stored ?? {}) as Partial<Record<keyof Moves, unknown>>;
  const membersOf = (value: unknown) => (Array.isArray(value) ? value.filter(isMember) : []);
  return { add: membersOf(add), remove: membersOf(remove) };
}

const parseText = (stored: unknown) => (isText(stored) ? stored : undefined);
const parseNumber = (stored: unknown) => (typeof stored === 'number' || stored === null ? stored : undefined);

/** Each field of a draft; undefined for one that is none. */
const parsers: { readonly [Field in keyof GroupValues]: (stored: unknown) => GroupValues[Field] | undefined } = {
  name: parseText,
  description: parseText,
  firmware: parseChosen,
  config: parseChosen,
  again: (stored) => (Array.isArray(stored) ? rollouts.bindingKinds.filter((kind) => stored.includes(kind)) : undefined),
  schedule: (stored) => rollouts.schedules.find((schedule) => schedule === stored),
  postponed: (stored) => (typeof stored === 'boolean' ? stored : undefined),
  postpone: parseNumber,
  tags: (stored) => (Array.isArray(stored) ? stored.filter(isText) : undefined),
  reportSeconds: parseNumber,
  moves: parseMoves,
  failureThreshold: parseNumber,
  canaries: parseNumber,
  rollout: parseRollout,
};

/** The fields of a draft from the browser's storage: those that were changed, and no others. */
export function parseDraft(kept: object): Partial<GroupValues> | undefined {
  const stored = Object.entries(kept).filter(([field]) => Object.hasOwn(parsers, field));
  const fields = stored
    .map(([field, value]) => [field, parsers[field as keyof GroupValues](value)] as const)
    .filter(([, value]) => value !== undefined);
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
}
