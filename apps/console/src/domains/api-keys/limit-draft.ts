/** The vehicles that a key or a role is limited to, as a person chooses them. */
export interface LimitDraft {
  readonly sees: 'all' | 'some';
  /** Ids of groups. */
  readonly groups: readonly string[];
  readonly tags: readonly string[];
}

export const noLimit: LimitDraft = { sees: 'all', groups: [], tags: [] };

/** The limit as a call sends it; null = every vehicle. */
export const limitOf = ({ sees, groups, tags }: LimitDraft) => (sees === 'all' ? null : { groups: [...groups], tags: [...tags] });
