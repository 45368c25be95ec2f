import { useRef } from 'react';
import { useTranslation } from '#i18n';
import type { ApiError } from '../../../api/errors.ts';
import { highlight } from '../../../api/highlights.ts';
import { reload, useEntityForm } from '../../../api/useEntityForm.ts';
import { type GroupDetails, groupQuery } from '../../../entities/groups/group.api.ts';
import { noMoves } from '../move/moves.ts';
import { emptyRollout } from './rollout-draft.ts';
import { type Confirmation, saveEverything } from './save.ts';
import { emptyValues, type GroupValues, isDirty, normalized, parseDraft, valuesOf } from './values.ts';

export interface GroupFormOptions {
  /** Undefined for a new group. */
  readonly stored: { readonly group: GroupDetails; readonly etag: string | undefined } | undefined;
  readonly onSaved: () => void;
}

/** The form of a group: stored values, input, and saving (GRP-06, GRP-08). */
export function useGroupForm({ stored, onSaved }: GroupFormOptions) {
  const { t } = useTranslation();
  const group = stored?.group.group;
  const confirmation = useRef<Confirmation>(undefined);
  const values = stored === undefined ? emptyValues : valuesOf(stored.group);
  const field = t('groups.form.name');
  const fieldOf = ({ key }: ApiError) =>
    key === 'group.name_taken' ? { name: t('ui.form.exists', { field }) } : key === 'binding.schedule' ? 'postpone' : undefined;
  const named = (name: string) => (name === '' ? t('groups.undefined') : name);
  const form = useEntityForm<GroupValues, string>({
    stored: { values, etag: stored?.etag },
    isSame: (now, base) => !isDirty(base, now),
    derive: normalized,
    required: { name: field },
    fieldOf,
    save: async (input, base) => (await saveEverything({ ...base, group }, input, confirmation.current))?.group ?? false,
    afterSave: (input) => ({ ...input, moves: noMoves, again: [], canaries: null, rollout: emptyRollout }),
    onSaved: (key) => {
      highlight('groups', [key]);
      onSaved();
    },
    refresh: ['groups', 'rollouts'],
    stale: reload(groupQuery(group ?? ''), ({ group: theirs, etag }) => {
      const { groupName: name, description, firmware, config } = theirs;
      const text = t('groups.form.stale', { name, description, firmware: named(firmware), config: named(config) });
      return { values: valuesOf(theirs), etag, text };
    }),
    gone: { when: 'group.not_found', to: '/groups/list' },
    leave: 'ask',
    draft: group === undefined ? 'group-add' : `group-${group}`,
    parseDraft,
  });
  const save = (confirmed?: Confirmation) => {
    confirmation.current = confirmed;
    return form.save();
  };
  return { ...form, group, save };
}
