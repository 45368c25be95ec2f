import type { ConnectionImpact } from '@highline/contract';
import { useRef } from 'react';
import { useTranslation } from '#i18n';
import { changedEffect } from '../../../api/confirmed.ts';
import {
  addProfile,
  type Confirmed,
  deleteProfile,
  orderProfiles,
  resumeProfile,
  type RouterKey,
  saveProfile,
} from '../esims.api.ts';
import { useConfirmIccid } from '../useConfirmIccid.ts';
import { changedVehicles, useConfirmImpact } from '../useImpact.ts';
import type { Edits } from './cards.ts';
import { afterStep, type Step } from './save.ts';

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

/** The user did not confirm an ICCID. */
class Declined extends Error {
  override readonly name = 'Declined';
}

/** Makes calls about an ICCID as the user has confirmed it, and asks for each doubtful one once. */
function useDoubtfulIccids() {
  const confirm = useConfirmIccid();
  /** By card and typed number. */
  const confirmed = useRef(new Map<string, string>());
  const withIccid = <S extends Step>(step: S): { readonly key: string; readonly step: S } => {
    const typed = step.call === 'add' ? step.profile.iccid : step.call === 'change' ? step.change.iccid : undefined;
    const key = `${step.card.key} ${typed}`;
    const iccidConfirmed = confirmed.current.get(key);
    if (iccidConfirmed === undefined) return { key, step };
    if (step.call === 'add') return { key, step: { ...step, profile: { ...step.profile, iccidConfirmed } } };
    return { key, step: step.call === 'change' ? { ...step, change: { ...step.change, iccidConfirmed } } : step };
  };
  /** @throws Declined, or as `run` for any other reason */
  return async function make<S extends Step, Result>(step: S, run: (step: S) => Promise<Result>): Promise<Result> {
    const known = withIccid(step);
    try {
      return await run(known.step);
    } catch (error) {
      const iccid = await confirm(error);
      if (iccid === undefined) throw new Declined('the ICCID was not confirmed', { cause: error });
      confirmed.current.set(known.key, iccid);
      return make(step, run);
    }
  };
}

type MakeStep = ReturnType<typeof useDoubtfulIccids>;

/** Checks what the steps do to the router's connection, and confirms it with the user unless already confirmed. */
function useConfirmSteps(makeStep: MakeStep) {
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
          impacts.set(step, await makeStep(step, (each) => change(each, { dryRun: '1' })));
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

export interface FailedStep {
  readonly step: Step;
  readonly error: unknown;
}

/** How far a save came. */
export interface Saved {
  /** The pks of the changed and added profiles. */
  readonly done: readonly string[];
  /** The edits that are not saved. */
  readonly left: Edits;
  /** The user did not confirm a step. */
  readonly stopped: boolean;
  readonly failed?: FailedStep;
}

/** Sends the steps of a save one after another, once their impact is confirmed, and stops at the first failure (SIM-08). */
export function useSave(router: RouterKey) {
  const makeStep = useDoubtfulIccids();
  const confirmation = useConfirmSteps(makeStep);
  const save = async (steps: readonly Step[], edits: Edits): Promise<Saved> => {
    let left = edits;
    const done: string[] = [];
    try {
      const confirmed = await confirmation.confirm(steps);
      if (confirmed === undefined) return { done, left, stopped: true };
      for (const step of steps) {
        try {
          // One after another: a later step must not run after a failure.
          const made = await makeStep(step, (each) =>
            makeConfirmed(each, router, confirmed.get(step), confirmation.confirmAgain),
          );
          if (made === undefined) return { done, left, stopped: true };
          if (made.pk !== undefined) done.push(made.pk);
          left = afterStep(left, step, made.pk);
        } catch (error) {
          throw new StepFailure(step, error);
        }
      }
    } catch (error) {
      if (!(error instanceof StepFailure)) throw error;
      if (error.cause instanceof Declined) return { done, left, stopped: true };
      return { done, left, stopped: false, failed: { step: error.step, error: error.cause } };
    }
    return { done, left, stopped: false };
  };
  return { seen: confirmation.seen, save };
}
