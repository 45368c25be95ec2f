import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from '#i18n';
import { ApiError, endsSession } from '../../../api/errors.ts';
import { highlight } from '../../../api/highlights.ts';
import { useShowError } from '../../../api/useAction.ts';
import { useErrorText } from '../../../api/useErrorText.ts';
import { showMessage } from '../../../ui/dialogs.ts';
import { toast } from '../../../ui/toasts.ts';
import { addFailureOf, detailOf } from '../errors.ts';
import { type Profile, type RouterKey, routerProfilesQuery } from '../esims.api.ts';
import { type Card, cardsOf, type Edits, type Field, isWaiting, moved, noEdits } from './cards.ts';
import { isDirty, missingOf, stepsOf } from './save.ts';
import { useCardName } from './useCardName.ts';
import { type FailedStep, useSave } from './useSave.ts';

/** A place on the page that a save could not pass. */
export interface Fault {
  readonly card: string;
  readonly field?: Field | undefined;
  /** The server's message at that field. */
  readonly text?: string;
  /** Other changes of the same save were stored before. */
  readonly isLater?: boolean;
}

/** The cards of a router, the user's changes, and their save. */
export interface Cards {
  readonly cards: readonly Card[];
  readonly dirty: boolean;
  readonly saving: boolean;
  /** The card a save stopped at; for a field, the first that is missing. */
  readonly fault: Fault | undefined;
  /** Why a profile was not added, shown under the EID (SIM-09). */
  readonly eidError: string | undefined;
  /** True once a save was requested: missing fields are marked. */
  readonly checked: boolean;
  readonly add: () => void;
  readonly type: (key: string, field: Field, value: string) => void;
  readonly move: (key: string, position: number) => void;
  readonly remove: (card: Card) => void;
  readonly keep: (key: string) => void;
  /** The user has confirmed the consequence of deleting this card; Save does not ask again. */
  readonly seen: (key: string, confirmation: string) => void;
  /** @returns whether everything is saved */
  readonly save: () => Promise<boolean>;
}

const fieldOrder: readonly Field[] = ['ac', 'confirmation', 'iccid', 'name', 'apn', 'apn2'];

function firstMissing(cards: readonly Card[]): Fault | undefined {
  for (const card of cards) {
    const missing = missingOf(card);
    const field = fieldOrder.find((one) => missing.includes(one));
    if (field !== undefined) return { card: card.key, field };
  }
  return undefined;
}

const apiFields: Readonly<Record<string, Field>> = {
  ac: 'ac',
  confirmationCode: 'confirmation',
  iccid: 'iccid',
  apn: 'apn',
  apn1: 'apn',
  apn2: 'apn2',
  name: 'name',
};

/** A failure that belongs to one field of the card is shown there too. */
function fieldFault(error: unknown, errorText: (error: unknown) => string): Omit<Fault, 'card'> {
  const field = error instanceof ApiError ? apiFields[error.field ?? ''] : undefined;
  return field === undefined ? {} : { field, text: errorText(error) };
}

/** Explains why a step failed, in a dialog. @returns the text to show under the EID instead, if it was not a dialog (SIM-09) */
function useExplain(router: RouterKey): (failed: FailedStep) => Promise<string | undefined> {
  const { t } = useTranslation();
  const client = useQueryClient();
  const showError = useShowError();
  const errorText = useErrorText();
  const nameOf = useCardName();
  return async ({ step: { card, call }, error }) => {
    if (error instanceof ApiError && !endsSession(error.message)) {
      const stored = client.getQueryData(routerProfilesQuery(router).queryKey)?.profiles;
      const current = stored?.find(({ pk }) => pk === card.profile?.pk);
      if (error.key === 'conflict.stale' && current !== undefined) {
        const { name, apn, apn2, priority } = current;
        const text = t('esims.save.stale', { name: nameOf(card), esim: name, apn, apn2, priority });
        await showMessage({ title: t('ui.dialog.warningTitle'), text });
        return undefined;
      }
      if (error.key !== 'conflict.stale' && call === 'add' && error.status >= 400 && error.status < 500) {
        const detail = detailOf(error);
        const failure = addFailureOf(detail ?? error.message);
        return failure === undefined ? (detail ?? errorText(error)) : t(`esims.failure.${failure}`);
      }
    }
    await showError(error);
    return undefined;
  };
}

/** The cards of a router with the user's changes. Save sends one call per card and stops at the first failure (SIM-08). */
export function useCards(router: RouterKey, profiles: readonly Profile[]): Cards {
  const { t } = useTranslation();
  const client = useQueryClient();
  const explain = useExplain(router);
  const errorText = useErrorText();
  const nameOf = useCardName();
  const counter = useRef(0);
  const [edits, setEdits] = useState<Edits>(noEdits);
  const [saving, setSaving] = useState(false);
  const [checked, setChecked] = useState(false);
  const [fault, setFault] = useState<Fault>();
  const [eidError, setEidError] = useState<string>();
  const sending = useSave(router);
  const cards = cardsOf(profiles, edits);

  const edit = (next: (before: Edits) => Partial<Edits>) => {
    // The save in progress would overwrite it.
    if (saving) return;
    setEdits((before) => ({ ...before, ...next(before) }));
    setFault(undefined);
    setEidError(undefined);
  };

  const save = async (): Promise<boolean> => {
    setChecked(true);
    setEidError(undefined);
    const missing = firstMissing(cards);
    setFault(missing);
    if (missing !== undefined) return false;
    setSaving(true);
    const { done, left, stopped, failed } = await sending.save(stepsOf(profiles, edits), edits);
    highlight('profiles', done);
    await client.invalidateQueries({ queryKey: ['esims'] });
    setEdits(failed === undefined && !stopped && left.fresh.length === 0 ? noEdits : left);
    setSaving(false);
    if (stopped) return false;
    if (failed !== undefined) {
      setFault({ card: failed.step.card.key, isLater: left !== edits, ...fieldFault(failed.error, errorText) });
      setEidError(await explain(failed));
      return false;
    }
    const waiting = cards.find(isWaiting);
    if (waiting === undefined) {
      toast(t('ui.done.edited'));
      return true;
    }
    toast(t('esims.save.kept', { name: nameOf(waiting) }));
    setFault({ card: waiting.key, field: 'iccid' });
    return false;
  };

  return {
    cards,
    dirty: isDirty(profiles, edits),
    saving,
    fault,
    eidError,
    checked,
    add: () => {
      counter.current += 1;
      const key = `new-${counter.current}`;
      edit((before) => ({ fresh: [...before.fresh, key] }));
    },
    type: (key, field, value) =>
      edit((before) => ({ typed: { ...before.typed, [key]: { ...before.typed[key], [field]: value } } })),
    move: (key, position) => edit(() => ({ order: moved(cards, key, position) })),
    remove: ({ key, kind }) =>
      edit((before) =>
        kind === 'new' ? { fresh: before.fresh.filter((other) => other !== key) } : { removed: [...before.removed, key] },
      ),
    keep: (key) => edit((before) => ({ removed: before.removed.filter((other) => other !== key) })),
    seen: sending.seen,
    save,
  };
}
