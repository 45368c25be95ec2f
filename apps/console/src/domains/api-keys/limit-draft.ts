import type { accounts } from '@highline/contract';

/** The vehicles that a person, a role or a key is limited to, as a person chooses them. */
export interface LimitDraft {
  readonly sees: 'all' | 'some';
  readonly groups: readonly accounts.PersonLimit['groups'][number][];
  readonly tags: readonly string[];
}

export const noLimit: LimitDraft = { sees: 'all', groups: [], tags: [] };

/** A stored limit as its fields have it; null = every vehicle. */
export const draftOfLimit = (limit: accounts.PersonLimit | null): LimitDraft =>
  limit === null ? noLimit : { sees: 'some', groups: limit.groups, tags: limit.tags };

/** The limit as a call sends it; null = every vehicle. */
export const limitOf = ({ sees, groups, tags }: LimitDraft): accounts.LimitInput | null =>
  sees === 'all' ? null : { groups: groups.map(({ id }) => id), tags: [...tags] };
