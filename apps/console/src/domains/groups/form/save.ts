import { groups, rollouts } from '@highline/contract';
import { call } from '../../../api/client.ts';
import { ApiError } from '../../../api/errors.ts';
import type { Member } from '../move/members.api.ts';
import { changedFiles, sameTags, type GroupValues, type Part } from './values.ts';

/** A save that failed halfway: the parts already saved stay saved. */
export class PartlySaved extends Error {
  override readonly name = 'PartlySaved';
  /** The group, also when it was only just created. */
  readonly group: string | undefined;
  readonly done: readonly Part[];
  readonly missing: readonly Part[];

  constructor(cause: unknown, group: string | undefined, done: readonly Part[], missing: readonly Part[]) {
    super('partly saved', { cause });
    this.group = group;
    this.done = done;
    this.missing = missing;
  }
}

/** The state a save is based on. */
export interface SaveBase {
  /** Undefined: the group is created. */
  readonly group: string | undefined;
  readonly values: GroupValues;
  readonly etag: string | undefined;
}

/** What the user has seen of a save that begins at once, and how to ask when it would by now do something else. */
export interface Confirmation {
  readonly seen?: Readonly<Partial<Record<rollouts.BindingKind, string>>>;
  /** @returns whether to go on with this impact */
  readonly ask?: (kind: rollouts.BindingKind, impact: rollouts.Impact) => Promise<boolean>;
}

const idsOf = (members: readonly Member[]) => members.map(({ device }) => device);

/** Name and description only if they changed; devices as added and removed ones (GRP-08). */
function changeOf({ values: before }: SaveBase, group: string, now: GroupValues) {
  const { add, remove } = now.moves;
  return {
    group,
    is_postpone: now.postpone !== null,
    ...(now.name === before.name ? {} : { name: now.name }),
    ...(now.description === before.description ? {} : { description: now.description }),
    ...(sameTags(now.tags, before.tags) ? {} : { tags: [...now.tags] }),
    ...(add.length === 0 ? {} : { add: idsOf(add) }),
    ...(remove.length === 0 ? {} : { remove: idsOf(remove) }),
  };
}

async function saveGroup(base: SaveBase, now: GroupValues): Promise<string> {
  const { group, etag } = base;
  if (group === undefined) {
    const { name, description, tags, moves } = now;
    const body = { name, description, ...(tags.length === 0 ? {} : { tags: [...tags] }), devices: idsOf(moves.add) };
    return (await call(groups.createGroup, { body })).result.group;
  }
  await call(groups.saveGroup, {
    params: { group },
    body: changeOf(base, group, now),
    ...(etag === undefined ? {} : { ifMatch: etag }),
  });
  return group;
}

/** Bind or, for Undefined, remove every binding of the kind: mode=all (GRP-08). */
async function saveFile(kind: 'firmware' | 'config', group: string, now: GroupValues, confirmed?: string): Promise<void> {
  const { pk } = now[kind];
  const { schedule, postpone, failureThreshold, canaries } = now;
  const when = {
    group,
    schedule,
    // Part 1, section 4: without postpone it is empty.
    postpone: postpone ?? '',
    ...(failureThreshold === null ? {} : { failureThreshold }),
    ...(canaries === null ? {} : { canaries }),
    ...(confirmed === undefined ? {} : { confirmed }),
  };
  const unbinding = { group, postpone: String(when.postpone), mode: 'all' } as const;
  if (kind === 'firmware') {
    if (pk === '') await call(rollouts.unbindFirmware, { query: unbinding });
    else await call(rollouts.bindFirmware, { body: { firmware: pk, ...when } });
  } else if (pk === '') await call(rollouts.unbindConfig, { query: unbinding });
  else await call(rollouts.bindConfig, { body: { config: pk, ...when } });
}

/** Bind as confirmed; a changed impact needs another confirmation. */
async function saveConfirmed(
  kind: 'firmware' | 'config',
  group: string,
  now: GroupValues,
  { seen, ask }: Confirmation,
): Promise<void> {
  for (let confirmed = seen?.[kind]; ;) {
    try {
      // Each question follows from the answer before it.
      // oxlint-disable-next-line no-await-in-loop
      return await saveFile(kind, group, now, confirmed);
    } catch (error) {
      if (!(error instanceof ApiError) || error.key !== 'impact.changed' || ask === undefined) throw error;
      const impact = error.detail as rollouts.Impact;
      // oxlint-disable-next-line no-await-in-loop
      if (!(await ask(kind, impact))) throw error;
      confirmed = impact.confirmation;
    }
  }
}

/**
 * Save all changes: the group first, which also detects another user's save, then its bindings.
 * @returns the group's key
 * @throws PartlySaved with the failure as its cause, and the parts saved before it
 */
export async function saveEverything(base: SaveBase, now: GroupValues, confirmation: Confirmation = {}): Promise<string> {
  const files = changedFiles(base.values, now);
  const done: Part[] = [];
  let { group } = base;
  try {
    group = await saveGroup(base, now);
    done.push('group');
    for (const kind of files) {
      await saveConfirmed(kind, group, now, confirmation);
      done.push(kind);
    }
    return group;
  } catch (error) {
    const missing = (['group', ...files] as const).filter((part) => !done.includes(part));
    throw new PartlySaved(error, group, done, missing);
  }
}
