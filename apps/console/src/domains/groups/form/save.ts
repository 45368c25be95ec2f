import { groups, type rollouts } from '@highline/contract';
import { callTagged } from '../../../api/client.ts';
import { changedEffect } from '../../../api/confirmed.ts';
import type { ApiError } from '../../../api/errors.ts';
import type { Member } from '../move/members.api.ts';
import type { RolloutInput } from './rollout-draft.ts';
import { changedFiles, type GroupValues, sameTags, versionOf } from './values.ts';

/** The state a save is based on. */
export interface SaveBase {
  /** Undefined: the group is created. */
  readonly group: string | undefined;
  readonly values: GroupValues;
  readonly etag?: string | undefined;
}

/** What the user confirms in a save: the effect of each file, and of what is bound where devices join or leave. */
export type SeenPart = rollouts.BindingKind | 'joining' | 'leaving';
/** `confirmation` of each effect. */
type Seen = Readonly<Partial<Record<SeenPart, string>>>;

/** What the user has seen of a save that begins at once, and how to ask when it would by now do something else. */
export interface Confirmation {
  readonly seen?: Seen;
  /** The options of the rollout that begins. */
  readonly rollout?: RolloutInput | undefined;
  /** @returns whether to go on with this effect */
  readonly ask?: (part: SeenPart, effect: rollouts.Impact | rollouts.Arrivals) => Promise<boolean>;
}

const idsOf = (members: readonly Member[]) => members.map(({ device }) => device);

/** The changed files with their schedule; an empty one is Undefined, which removes its binding with mode=all (GRP-08). */
function filesOf({ values: before }: SaveBase, now: GroupValues, rollout: RolloutInput) {
  const files = changedFiles(before, now);
  const { schedule, postpone, failureThreshold, canaries } = now;
  const when = {
    schedule,
    // Part 1, section 4: without postpone it is empty.
    postpone: postpone ?? '',
    ...(failureThreshold === null ? {} : { failureThreshold }),
    // Those that are chosen to go first are counted by the server.
    ...(canaries === null || rollout.first !== undefined ? {} : { canaries }),
    ...rollout,
  };
  return {
    ...Object.fromEntries(files.map((kind) => [kind, now[kind].pk])),
    ...versionOf(files, now),
    ...(files.some((kind) => now[kind].pk === '') ? { mode: 'all' as const } : {}),
    ...(files.some((kind) => now[kind].pk !== '') ? when : {}),
  };
}

/** Name and description only if they changed; devices as added and removed ones (GRP-08). */
function changesOf({ values: before }: SaveBase, group: string, now: GroupValues) {
  const { add, remove } = now.moves;
  return {
    group,
    is_postpone: now.postpone !== null,
    ...(now.name === before.name ? {} : { name: now.name }),
    ...(now.description === before.description ? {} : { description: now.description }),
    ...(sameTags(now.tags, before.tags) ? {} : { tags: [...now.tags] }),
    ...(now.reportSeconds === before.reportSeconds ? {} : { reportSeconds: now.reportSeconds }),
    ...(add.length === 0 ? {} : { add: idsOf(add) }),
    ...(remove.length === 0 ? {} : { remove: idsOf(remove) }),
  };
}

function send(base: SaveBase, now: GroupValues, rollout: RolloutInput, confirmed: Seen) {
  const { group, etag } = base;
  const more = { ...filesOf(base, now, rollout), ...(Object.keys(confirmed).length === 0 ? {} : { confirmed }) };
  if (group === undefined) {
    const { name, description, tags, reportSeconds, moves } = now;
    const interval = reportSeconds === null ? {} : { reportSeconds };
    const labels = tags.length === 0 ? {} : { tags: [...tags] };
    const body = { name, description, ...labels, ...interval, devices: idsOf(moves.add), ...more };
    return callTagged(groups.createGroup, { body });
  }
  return callTagged(groups.saveWholeGroup, {
    params: { group },
    body: { ...changesOf(base, group, now), ...more },
    ...(etag === undefined ? {} : { ifMatch: etag }),
  });
}

/**
 * Save all changes in one call: the group, its devices and its files, or nothing. If the save would by now update other vehicles than
 * the user has seen, the question is shown again.
 * @returns the group's key and new tag; undefined when the user declined, and nothing was saved
 */
export async function saveEverything(base: SaveBase, now: GroupValues, { seen = {}, ask, rollout = {} }: Confirmation = {}) {
  for (let confirmed = seen; ;) {
    try {
      // Each question follows from the response before it.
      const { response, etag } = await send(base, now, rollout, confirmed);
      return { group: response.result.group, etag };
    } catch (error) {
      const effect = changedEffect<rollouts.Impact | rollouts.Arrivals>(error);
      if (effect === undefined || ask === undefined) throw error;
      const part = (error as ApiError).field as SeenPart;
      if (!(await ask(part, effect))) return undefined;
      confirmed = { ...confirmed, [part]: effect.confirmation };
    }
  }
}
