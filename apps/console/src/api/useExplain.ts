import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '#i18n';
import { showMessage } from '../ui/dialogs.ts';
import { sentences } from '../ui/sentences.ts';
import type { Stored } from './entity-form.ts';
import { ApiError, explanationOf, isNetworkFault } from './errors.ts';
import { useShowError } from './useAction.ts';
import { useErrorText } from './useErrorText.ts';
import { useFaults, type Faults } from './useFaults.ts';
import { type InputOptions, isSame } from './useKeptDraft.ts';

export const unchangedValue = <Values>(values: Values): Values => values;

/** The input and what it is based on; without changes it follows what is stored. */
export function useInput<Values extends object>(options: InputOptions<Values>, saving: boolean) {
  const { stored, alsoDirty, normalize = unchangedValue, derive = unchangedValue, afterSave = unchangedValue } = options;
  const [{ base, shown, values }, setState] = useState({ base: stored, shown: stored.etag, values: stored.values });
  const isEqual = options.isSame ?? ((one: Values, other: Values) => isSame(normalize(one), normalize(other)));
  const dirty = !isEqual(values, base.values) || alsoDirty?.(values) === true;
  const follow = () => setState({ base: stored, shown: stored.etag, values: stored.values });
  if (!saving && stored.etag !== shown) {
    // Without changes, follow what other users save. With changes, keep them: saving detects the difference.
    if (!dirty) follow();
    // What was changed is nothing of this form, or it is a save of our own: its tag is known now.
    else if (isEqual(stored.values, base.values)) setState({ base: stored, shown: stored.etag, values });
    // Another user has saved since a save of our own.
    else if (base.etag === undefined) setState({ base: { ...base, etag: shown }, shown: stored.etag, values });
  }
  return {
    base,
    values,
    dirty,
    follow,
    change: (part: Partial<Values>) => setState((before) => ({ ...before, values: derive({ ...before.values, ...part }) })),
    /** Keep the input, and base it on what another user saved. */
    rebase: (current: Stored<Values>) => setState((before) => ({ ...before, base: current })),
    /** Base the input on what was saved; the loaded entity is still the previous one. */
    saved: (sent: Values) =>
      setState((before) => ({ base: { values: afterSave(sent) }, shown: stored.etag, values: afterSave(before.values) })),
  };
}

/** Shows why a save failed: the values of another user, a message at a field, or a dialog. */
export function useExplain<Values extends object>(
  options: InputOptions<Values>,
  input: ReturnType<typeof useInput<Values>>,
  faults: ReturnType<typeof useFaults<Values>>,
): (error: unknown) => Promise<void> {
  const { t } = useTranslation();
  const client = useQueryClient();
  const errorText = useErrorText();
  const showError = useShowError(options.gone);
  return async (error) => {
    if (error instanceof ApiError) {
      const current = error.key === 'conflict.stale' ? await options.stale?.(error, client) : undefined;
      if (current !== undefined) {
        input.rebase(current);
        return showMessage({ title: t('ui.dialog.warningTitle'), text: current.text });
      }
      const field = options.fieldOf?.(error);
      const text = sentences([errorText(error), explanationOf(error)]);
      const found = typeof field === 'string' ? (field in input.values ? { [field]: text } : undefined) : field;
      if (found !== undefined) return void faults.check(found as Faults<Values>);
    }
    await showError(error);
    if (options.startsOver !== true || isNetworkFault(error)) return;
    input.follow();
    faults.untouch();
  };
}
