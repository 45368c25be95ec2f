import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../api/errors.ts';
import { highlight } from '../../../api/highlights.ts';
import { useShowError } from '../../../api/useAction.ts';
import { useSession } from '../../../session/session.ts';
import { dropDraft, useDraft } from '../../../ui/form/drafts.ts';
import { useUnsavedChanges } from '../../../ui/form/useUnsavedChanges.ts';
import { showMessage } from '../../../ui/dialogs.ts';
import { type GroupDetails, groupQuery } from '../groups.api.ts';
import { noMoves } from '../move/moves.ts';
import { type Confirmation, type SaveBase, saveEverything } from './save.ts';
import { type GroupValues, isDirty, parseDraft, normalized, valuesOf } from './values.ts';

interface Base extends SaveBase {
  /** Tag of the version that the page last followed. */
  readonly shown: string | undefined;
}

export interface GroupFormOptions {
  /** Names the draft. */
  readonly form: string;
  /** The stored values; undefined for a new group. */
  readonly stored: { readonly group: GroupDetails; readonly etag: string | undefined } | undefined;
  readonly empty: GroupValues;
  readonly onSaved: (group: string) => void;
}

/** The form of a group: stored values, input, and saving (GRP-06, GRP-08). */
export function useGroupForm({ form, stored, empty, onSaved }: GroupFormOptions) {
  const { t } = useTranslation();
  const { id: owner } = useSession();
  const client = useQueryClient();
  const showError = useShowError({ when: 'group.not_found', to: '/groups/list' });
  const etag = stored?.etag;
  const [base, setBase] = useState<Base>(() => ({
    group: stored?.group.group,
    values: stored === undefined ? empty : valuesOf(stored.group),
    etag,
    shown: etag,
  }));
  const [values, setValues] = useState(base.values);
  const [saving, setSaving] = useState(false);
  const [saved, setSaved] = useState(false);
  const [taken, setTaken] = useState<string>();
  const dirty = !saved && isDirty(base.values, values);
  const draft = useDraft(owner, form, values, dirty, parseDraft);
  useUnsavedChanges(dirty);

  // Without input, follow what other users save. With input, keep it; Save detects the difference.
  if (stored !== undefined && !dirty && !saving && etag !== base.shown) {
    const theirs = valuesOf(stored.group);
    setBase({ group: stored.group.group, values: theirs, etag, shown: etag });
    setValues(theirs);
  }

  /** Rebase the input on the values stored now. */
  const follow = async (group: string) => {
    const current = await client.fetchQuery({ ...groupQuery(group), staleTime: 0 });
    if (current === null) return undefined;
    setBase({ group, values: valuesOf(current.group), etag: current.etag, shown: current.etag });
    return current.group;
  };
  const explainStale = async (group: string) => {
    const theirs = await follow(group);
    if (theirs === undefined) return showMessage({ title: t('ui.dialog.warningTitle'), text: t('groups.form.gone') });
    const named = (name: string) => (name === '' ? t('groups.undefined') : name);
    await showMessage({
      title: t('ui.dialog.warningTitle'),
      text: t('groups.form.stale', {
        name: theirs.groupName,
        description: theirs.description,
        firmware: named(theirs.firmware),
        config: named(theirs.config),
      }),
    });
  };
  const explain = async (error: unknown) => {
    const key = error instanceof ApiError ? error.key : undefined;
    if (key === 'conflict.stale' && base.group !== undefined) return explainStale(base.group);
    return key === 'group.name_taken' ? setTaken(values.name) : showError(error);
  };
  const save = async (confirmation?: Confirmation) => {
    setSaving(true);
    try {
      const done = await saveEverything(base, values, confirmation);
      if (done === undefined) return;
      const { group, etag: tag } = done;
      dropDraft(owner, form);
      highlight('groups', [group]);
      // The form now shows what was saved; the loaded group is still the previous one.
      setBase({ group, values: { ...values, moves: noMoves }, etag: tag, shown: etag });
      setValues({ ...values, moves: noMoves });
      if (stored === undefined) setSaved(true);
      onSaved(group);
      await client.invalidateQueries({ queryKey: ['groups'] });
      await client.invalidateQueries({ queryKey: ['rollouts'] });
    } catch (error) {
      await explain(error);
    } finally {
      setSaving(false);
    }
  };
  return {
    base,
    values,
    dirty,
    saving,
    saved,
    /** Another group has this name (SHR-09). */
    isTaken: values.name === taken,
    set: (part: Partial<GroupValues>) => setValues((before) => normalized({ ...before, ...part })),
    save,
    /** The group was deleted on purpose, so there is no warning about unsaved changes. */
    abandon: () => {
      dropDraft(owner, form);
      setSaved(true);
    },
    draft: useMemo(
      () => ({
        found: dirty ? undefined : draft.found,
        restore: () => {
          if (draft.found !== undefined) setValues(draft.found);
          draft.discard();
        },
        discard: () => {
          dropDraft(owner, form);
          draft.discard();
        },
      }),
      [dirty, draft, owner, form],
    ),
  };
}
