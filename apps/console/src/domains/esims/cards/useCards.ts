import type { ConnectionImpact } from '@highline/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { changedEffect } from '../../../api/confirmed.ts';
import { ApiError, endsSession } from '../../../api/errors.ts';
import { highlight } from '../../../api/highlights.ts';
import { useShowError } from '../../../api/useAction.ts';
import { useErrorText } from '../../../api/useErrorText.ts';
import { showMessage } from '../../../ui/dialogs.ts';
import { toast } from '../../../ui/toasts.ts';
import { addFailureOf, detailOf } from '../errors.ts';
import {
  addProfile,
  type Confirmed,
  deleteProfile,
  orderProfiles,
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
import { changedVehicles, useConfirmImpact } from '../useImpact.ts';
import { useCardName } from './useCardName.ts';

/** A place on the page that a save could not pass. */
export interface Fault {
  readonly card: string;
  readonly field?: Field | undefined;
  /** The server's message at that field. */
  readonly text?: string;
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
function fieldFault(error: unknown): Omit<Fault, 'card'> {
  const field = error instanceof ApiError ? apiFields[error.field ?? ''] : undefined;
  return field === undefined ? {} : { field, text: (error as ApiError).message };
}

type ChangingStep = Exclude<Step, { call: 'add' }>;

/** Whether a step may change the connection of the router: the first profile, its APNs, or a deletion. */
function mayChangeConnection(step: Step): step is ChangingStep {
  return step.call === 'order' || step.call === 'delete' || (step.call === 'change' && step.change.apn1 !== undefined);
}

/** Check or make a call that is about profiles the router has. */
async function change(step: ChangingStep, query: Confirmed): Promise<ConnectionImpact> {
  const { pk = '', etag = '' } = step.card.profile ?? {};
  if (step.call === 'order') return orderProfiles(step.order, query);
  return step.call === 'delete' ? deleteProfile(pk, query) : saveProfile(pk, step.change, etag, query);
}

/** Make one call. @returns the pk of the changed or added profile */
async function make(step: Step, router: RouterKey, query: Confirmed): Promise<string | undefined> {
  if (step.call === 'add') return addProfile(router, step.profile);
  await change(step, query);
  const { pk = '' } = step.card.profile ?? {};
  // A corrected ICCID or confirmation code is what a failed profile needs to be retried.
  if (step.call === 'change' && (step.change.iccid !== undefined || step.change.confirmationCode !== undefined))
    await resumeProfile(pk);
  return pk;
}

/** The step of a save that failed. */
class StepFailure extends Error {
  override readonly name = 'StepFailure';
  readonly step: Step;

  constructor(step: Step, cause: unknown) {
    super('a step of the save failed', { cause });
    this.step = step;
  }
}

/** Checks what the steps do to the router's connection, and confirms it with the user unless already confirmed. */
function useConfirmSteps() {
  const { t } = useTranslation();
  const confirm = useConfirmImpact();
  /** Impacts a person has seen, by card. */
  const seen = useRef(new Map<string, string>());
  const isNew = (step: Step, impact: ConnectionImpact) =>
    changedVehicles(impact) > 0 && seen.current.get(step.card.key) !== impact.confirmation;
  return {
    seen: (key: string, confirmation: string) => void seen.current.set(key, confirmation),
    /** @returns the confirmed impact by step; undefined when the user cancels. @throws StepFailure */
    confirm: async (steps: readonly Step[]): Promise<Map<Step, string> | undefined> => {
      const impacts = new Map<Step, ConnectionImpact>();
      for (const step of steps.filter((each) => mayChangeConnection(each))) {
        try {
          // One after another: the save stops at the first failure.
          impacts.set(step, await change(step, { dryRun: '1' }));
        } catch (error) {
          throw new StepFailure(step, error);
        }
      }
      const newImpacts = [...impacts].filter(([step, impact]) => isNew(step, impact)).map(([, impact]) => impact);
      if (newImpacts.length > 0 && !(await confirm(newImpacts, t('ui.save')))) return undefined;
      return new Map([...impacts].map(([step, { confirmation }]) => [step, confirmation]));
    },
    /** An earlier step may have changed the impact. @returns what to send now; undefined: do not send */
    confirmAgain: async (error: unknown): Promise<string | undefined> => {
      const impact = changedEffect<ConnectionImpact>(error);
      if (impact === undefined) throw error;
      return changedVehicles(impact) === 0 || (await confirm([impact], t('ui.save'))) ? impact.confirmation : undefined;
    },
  };
}

/** Make a call as confirmed, and repeat it once if the user confirms a changed impact. @returns undefined: it was not made */
async function makeConfirmed(
  step: Step,
  router: RouterKey,
  confirmed: string | undefined,
  confirmAgain: (error: unknown) => Promise<string | undefined>,
): Promise<{ readonly pk: string | undefined } | undefined> {
  try {
    return { pk: await make(step, router, confirmed === undefined ? {} : { confirmed }) };
  } catch (error) {
    const again = await confirmAgain(error);
    return again === undefined ? undefined : makeConfirmed(step, router, again, confirmAgain);
  }
}

/** The cards of a router with the user's changes. Save sends one call per card and stops at the first failure (SIM-08). */
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
  const confirmation = useConfirmSteps();
  const cards = cardsOf(profiles, edits);

  const edit = (next: (before: Edits) => Partial<Edits>) => {
    // The save in progress would overwrite it.
    if (saving) return;
    setEdits((before) => ({ ...before, ...next(before) }));
    setFault(undefined);
    setEidError(undefined);
  };

  const explain = async ({ card, call }: Step, error: unknown): Promise<void> => {
    setFault({ card: card.key, ...fieldFault(error) });
    if (!(error instanceof ApiError) || endsSession(error.message)) return showError(error);
    if (error.key === 'conflict.stale') {
      const current = client
        .getQueryData(routerProfilesQuery(router).queryKey)
        ?.profiles.find(({ pk }) => pk === card.profile?.pk);
      if (current === undefined) return showError(error);
      const { name, apn, apn2, priority } = current;
      const text = t('esims.save.stale', { name: nameOf(card), esim: name, apn, apn2, priority });
      return showMessage({ title: t('ui.dialog.warningTitle'), text });
    }
    if (call === 'add' && error.status >= 400 && error.status < 500) {
      const detail = detailOf(error);
      const word = addFailureOf(detail ?? error.message);
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
    const steps = stepsOf(profiles, edits);
    let left = edits;
    let failed: { readonly step: Step; readonly error: unknown } | undefined;
    let isStopped = false;
    const done: string[] = [];
    try {
      const confirmed = await confirmation.confirm(steps);
      isStopped = confirmed === undefined;
      for (const step of confirmed === undefined ? [] : steps) {
        try {
          // One after another: a later step must not run after a failure.
          const made = await makeConfirmed(step, router, confirmed?.get(step), confirmation.confirmAgain);
          isStopped = made === undefined;
          if (made === undefined) break;
          if (made.pk !== undefined) done.push(made.pk);
          left = afterStep(left, step, made.pk);
        } catch (error) {
          throw new StepFailure(step, error);
        }
      }
    } catch (error) {
      if (!(error instanceof StepFailure)) throw error;
      failed = { step: error.step, error: error.cause };
    }
    highlight('profiles', done);
    await client.invalidateQueries({ queryKey: ['esims'] });
    setEdits(failed === undefined && !isStopped && left.fresh.length === 0 ? noEdits : left);
    setSaving(false);
    if (isStopped) return false;
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
    seen: confirmation.seen,
    save,
  };
}
