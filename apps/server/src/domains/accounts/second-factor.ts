import {
  createSealing,
  DomainError,
  openedOrNone,
  required,
  type Actor,
  type MasterKey,
  type Sealing,
} from '../../kernel/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { homeOf, recordOwn } from './account.audit.ts';
import { enrolment, hashRecoveryCode, newRecoveryCodes, newTotpSecret, stepOf } from './one-time-code.ts';
import { findLanguage, type AccountRow } from './accounts.store.ts';
import { wrongCodesMail } from './factor-mails.ts';
import { countCode, countWrongCode } from './rate-limit.ts';
import {
  countRecoveryCodes,
  deleteSecondFactor,
  findSecondFactor,
  lockSecondFactor,
  insertRecoveryCodes,
  putPending,
  takeRecoveryCode,
  updateConfirmed,
  updateLastStep,
} from './second-factor.store.ts';
import { findSignInRules, hasOtherFactor } from './sign-in-policy.queries.ts';
import { sentence } from '../logs/index.ts';
import { enqueueMail } from '../mails/index.ts';

export interface SecondFactorDeps extends Pick<Deps, 'database' | 'clock'> {
  /** Encrypts the secrets shared with authenticator apps. */
  readonly sealing: Sealing;
  /** @throws DomainError `account.wrong_password`, `account.too_many_tries` */
  readonly checkPassword: (actor: Actor, password: string) => Promise<void>;
}

/** @param masterKey 32 bytes */
export function createSecondFactorSealing(masterKey: MasterKey): Sealing {
  return createSealing(masterKey, 'highline second factors 1');
}

type Person = Pick<AccountRow, 'id' | 'email' | 'name' | 'organization_id'>;

/** The proof of the second factor; undefined if none is required. */
export type Proof = 'code' | 'recovery code' | undefined;

type SecondFactorCodes = ReturnType<typeof createSecondFactorCodes>;

/** Verifies what a user typed against the account's second factor. */
export function createSecondFactorCodes({ database, clock, sealing }: Pick<SecondFactorDeps, 'database' | 'clock' | 'sealing'>) {
  return {
    /**
     * Do what may need a code, which it takes in a transaction, if another attempt is allowed. It is counted before, because a rejected
     * attempt counts; a wrong code is counted after it.
     * @throws DomainError `account.otp_needed`, `account.too_many_tries`
     */
    async admit<T>(account: Person, typed: string | undefined, address: string, work: () => Promise<T>): Promise<T> {
      const factor = await findSecondFactor(database.read, account.id);
      if (factor === undefined || factor.confirmed_at === null) return work();
      if (typed === undefined || typed === '') throw new DomainError('account.otp_needed', { field: 'otp' });
      await countCode(database, account.email, address, clock.now());
      try {
        return await work();
      } catch (error) {
        if (error instanceof DomainError && error.key === 'account.otp_wrong')
          await database.write((tx) => noteWrongCode(tx, account, address, clock.now()));
        throw error;
      }
    },

    /**
     * Accept a code, which cannot be used again.
     * @throws DomainError `account.otp_needed`, `account.otp_wrong`, `secret.unreadable`
     */
    async take(tx: Tx, accountId: string, typed: string | undefined): Promise<Proof> {
      const factor = await lockSecondFactor(tx, accountId);
      if (factor === undefined || factor.confirmed_at === null) return undefined;
      if (typed === undefined || typed === '') throw new DomainError('account.otp_needed', { field: 'otp' });
      const now = clock.now();
      const secret = openedOrNone(() => sealing.open(accountId, factor.sealed_secret));
      const step = secret === undefined ? undefined : stepOf(secret, typed, now);
      if (step !== undefined && step > factor.last_step) {
        await updateLastStep(tx, accountId, step);
        return 'code';
      }
      if (await takeRecoveryCode(tx, accountId, hashRecoveryCode(accountId, typed), now)) return 'recovery code';
      // Recovery codes are stored as hashes: they work all the same.
      if (secret === undefined) throw new DomainError('secret.unreadable', { field: 'otp' });
      throw new DomainError('account.otp_wrong', { field: 'otp' });
    },
  };
}

async function noteWrongCode(tx: Tx, { id, email, name, organization_id: organizationId }: Person, address: string, now: Date) {
  if (!(await countWrongCode(tx, id, now))) return;
  const mail = wrongCodesMail(await findLanguage(tx, id), name, address);
  await enqueueMail(tx, { to: email, ...mail, kind: 'account', organizationId }, now);
}

/** Switches the user's own second factor on and off. */
export function createSecondFactor(deps: SecondFactorDeps, codes: SecondFactorCodes) {
  const { database, clock, sealing, checkPassword } = deps;
  return {
    /** Whether a person has an authenticator app or a passkey. */
    hasSecondFactor: (accountId: string) => hasOtherFactor(database.read, accountId, ''),

    async readSecondFactor(accountId: string): Promise<{ enabled: boolean; since: number | null; recoveryCodes: number }> {
      const confirmedAt = (await findSecondFactor(database.read, accountId))?.confirmed_at ?? null;
      if (confirmedAt === null) return { enabled: false, since: null, recoveryCodes: 0 };
      const recoveryCodes = await countRecoveryCodes(database.read, accountId);
      return { enabled: true, since: Math.floor(confirmedAt.getTime() / 1000), recoveryCodes };
    },

    /**
     * Create a secret for an app. It counts once a code of it was confirmed, so that an unfinished enrolment locks no one out.
     * @throws DomainError `account.wrong_password`, `account.second_factor_on`
     */
    async beginSecondFactor(actor: Actor, password: string): Promise<{ uri: string; secret: string }> {
      await checkPassword(actor, password);
      const secret = newTotpSecret();
      const sealed = sealing.seal(actor.accountId, secret);
      await database.write(async (tx) => {
        const isKept = await putPending(tx, actor.accountId, sealed, clock.now());
        if (!isKept) throw new DomainError('account.second_factor_on');
        await recordOwn(tx, actor, sentence('factor.began'), {}, clock.now());
      });
      return enrolment(secret, actor.email);
    },

    /**
     * Turn it on with a first code. @returns recovery codes, which are stored as hashes and shown only once
     * @throws DomainError `account.otp_wrong`, `account.second_factor_on`, `account.second_factor_off` if none was begun,
     * `account.too_many_tries`
     */
    async confirmSecondFactor(actor: Actor, typed: string): Promise<string[]> {
      const { accountId } = actor;
      const begun = await findSecondFactor(database.read, accountId);
      // Before the transaction: a rejected attempt counts.
      if (begun !== undefined && begun.confirmed_at === null) await countCode(database, actor.email, actor.address, clock.now());
      return database.write(async (tx) => {
        const factor = required(await lockSecondFactor(tx, accountId), 'account.second_factor_off');
        if (factor.confirmed_at !== null) throw new DomainError('account.second_factor_on');
        const now = clock.now();
        const step = stepOf(sealing.open(accountId, factor.sealed_secret), typed, now);
        if (step === undefined) throw new DomainError('account.otp_wrong', { field: 'code' });
        const recoveryCodes = newRecoveryCodes();
        await updateConfirmed(tx, accountId, step, now);
        await insertRecoveryCodes(
          tx,
          accountId,
          recoveryCodes.map((code) => hashRecoveryCode(accountId, code)),
        );
        await recordOwn(tx, actor, sentence('factor.on'), { recoveryCodes: recoveryCodes.length }, now);
        return recoveryCodes;
      });
    },

    /**
     * Turn it off; an open console alone is not enough.
     * @throws DomainError `account.wrong_password`, `account.otp_wrong`, `account.second_factor_off`, `account.factor_required`, `account.too_many_tries`
     */
    async endSecondFactor(actor: Actor, password: string, typed: string): Promise<void> {
      await checkPassword(actor, password);
      const account = { id: actor.accountId, email: actor.email, name: actor.name, organization_id: actor.organizationId };
      await codes.admit(account, typed, actor.address, () =>
        database.write(async (tx) => {
          const proof = required(await codes.take(tx, actor.accountId, typed), 'account.second_factor_off');
          const rules = await findSignInRules(tx, homeOf(actor), actor);
          if (rules.needs_factor && !(await hasOtherFactor(tx, actor.accountId, 'app')))
            throw new DomainError('account.factor_required');
          await deleteSecondFactor(tx, actor.accountId);
          await recordOwn(tx, actor, sentence('factor.off'), { proof }, clock.now());
        }),
      );
    },
  };
}
