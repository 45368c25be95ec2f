import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, endsSession } from '../../../api/errors.ts';
import { highlight } from '../../../api/highlights.ts';
import { useShowError } from '../../../api/useAction.ts';
import { useErrorText } from '../../../api/useErrorText.ts';
import { showMessage } from '../../../ui/dialogs.ts';
import { toast } from '../../../ui/toasts.ts';
import { addWordOf, detailOf } from '../esim.ts';
import {
  addProfile,
  deleteProfile,
  type Profile,
  resumeProfile,
  type RouterKey,
  routerProfilesQuery,
  saveProfile,
} from '../esims.api.ts';
import {
  afterStep,
  type Card,
  cardsOf,
  type Edits,
  type Field,
  isDirty,
  isWaiting,
  missingOf,
  moved,
  noEdits,
  type Step,
  stepsOf,
} from './cards.ts';
import { useCardName } from './useCardName.ts';

/** A place on the page that a save could not pass. */
export interface Fault {
  readonly card: string;
  readonly field?: Field | undefined;
  /** What the server says of that field. */
  readonly text?: string;
}

/** The cards of a router, what a person does with them, and their save. */
export interface Cards {
  readonly cards: readonly Card[];
  readonly dirty: boolean;
  readonly saving: boolean;
  /** The card a save stopped at; for a field, the first that is missing. */
  readonly fault: Fault | undefined;
  /** Why a profile was not added: it stands under the EID (SIM-09). */
  readonly eidError: string | undefined;
  /** True once a save was asked for: what is missing shows. */
  readonly checked: boolean;
  readonly add: () => void;
  readonly type: (key: string, field: Field, value: string) => void;
  readonly move: (key: string, place: number) => void;
  readonly remove: (card: Card) => void;
  readonly keep: (key: string) => void;
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

const wireFields: Readonly<Record<string, Field>> = {
  ac: 'ac',
  confirmationCode: 'confirmation',
  iccid: 'iccid',
  apn: 'apn',
  apn1: 'apn',
  apn2: 'apn2',
  name: 'name',
};

/** Where a refusal belongs to one field of the card, it stands there too. */
function fieldFault(error: unknown): Omit<Fault, 'card'> {
  const field = error instanceof ApiError ? wireFields[error.field ?? ''] : undefined;
  return field === undefined ? {} : { field, text: (error as ApiError).message };
}

/** Make one call. @returns the pk of what was changed or added */
async function make(step: Step, router: RouterKey): Promise<string | undefined> {
  if (step.call === 'add') return addProfile(router, step.profile);
  const { pk = '', etag = '' } = step.card.profile ?? {};
  if (step.call === 'delete') await deleteProfile(pk);
  else {
    await saveProfile(pk, step.change, etag);
    // The right ICCID, or the right confirmation code, is what a failed profile was waiting for.
    if (step.change.iccid !== undefined || step.change.confirmationCode !== undefined) await resumeProfile(pk);
  }
  return pk;
}

/** The cards of a router with what a person changed; Save sends one call per card and stops at the first that fails (SIM-08). */
export function useCards(router: RouterKey, profiles: readonly Profile[]): Cards {
  const { t } = useTranslation();
  const client = useQueryClient();
  const showError = useShowError();
  const errorText = useErrorText();
  const nameOf = useCardName();
  const counter = useRef(0);
  const [edits, setEdits] = useState<Edits>(noEdits);
  const [saving, setSaving] = useState(false);
  const [checked, setChecked] = useState(false);
  const [fault, setFault] = useState<Fault>();
  const [eidError, setEidError] = useState<string>();
  const cards = cardsOf(profiles, edits);

  const change = (next: (before: Edits) => Partial<Edits>) => {
    // What is being sent now would overwrite it.
    if (saving) return;
    setEdits((before) => ({ ...before, ...next(before) }));
    setFault(undefined);
    setEidError(undefined);
  };

  const explain = async ({ card, call }: Step, error: unknown): Promise<void> => {
    setFault({ card: card.key, ...fieldFault(error) });
    if (!(error instanceof ApiError) || endsSession(error.message)) return showError(error);
    if (error.key === 'conflict.stale') {
      const current = client.getQueryData(routerProfilesQuery(router).queryKey)?.find(({ pk }) => pk === card.profile?.pk);
      if (current === undefined) return showError(error);
      const { name, apn, apn2, priority } = current;
      const text = t('esims.save.stale', { name: nameOf(card), esim: name, apn, apn2, priority });
      return showMessage({ title: t('ui.dialog.warningTitle'), text });
    }
    if (call === 'add' && error.status >= 400 && error.status < 500) {
      const detail = detailOf(error);
      const word = addWordOf(detail ?? error.message);
      setEidError(word === undefined ? (detail ?? errorText(error)) : t(`esims.failure.${word}`));
      return undefined;
    }
    return showError(error);
  };

  const save = async (): Promise<boolean> => {
    setChecked(true);
    setEidError(undefined);
    const missing = firstMissing(cards);
    setFault(missing);
    if (missing !== undefined) return false;
    setSaving(true);
    let left = edits;
    let failed: { readonly step: Step; readonly error: unknown } | undefined;
    const done: string[] = [];
    for (const step of stepsOf(profiles, edits)) {
      try {
        // One after the other: a failure must not be overtaken by what comes after it.
        // oxlint-disable-next-line no-await-in-loop
        const pk = await make(step, router);
        if (pk !== undefined) done.push(pk);
        left = afterStep(left, step, pk);
      } catch (error) {
        failed = { step, error };
        break;
      }
    }
    highlight('profiles', done);
    await client.invalidateQueries({ queryKey: ['esims'] });
    setEdits(failed === undefined && left.fresh.length === 0 ? noEdits : left);
    setSaving(false);
    if (failed !== undefined) {
      await explain(failed.step, failed.error);
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
      change((before) => ({ fresh: [...before.fresh, key] }));
    },
    type: (key, field, value) =>
      change((before) => ({ typed: { ...before.typed, [key]: { ...before.typed[key], [field]: value } } })),
    move: (key, place) => change(() => ({ order: moved(cards, key, place) })),
    remove: ({ key, kind }) =>
      change((before) =>
        kind === 'new' ? { fresh: before.fresh.filter((other) => other !== key) } : { removed: [...before.removed, key] },
      ),
    keep: (key) => change((before) => ({ removed: before.removed.filter((other) => other !== key) })),
    save,
  };
}
