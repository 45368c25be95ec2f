import type { passkeys as calls } from '@highline/contract';
import { DomainError, required, type Sealing } from '../../kernel/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { sentence } from '../logs/index.ts';
import { enqueueMail } from '../mails/index.ts';
import { personOf, recordOwn } from './account.audit.ts';
import { findLanguage, findOwner, noteSignIn, type AccountRow } from './accounts.store.ts';
import type { BothFactors, Proven, SecondFactor } from './both-factors.ts';
import type { Caller } from './forgotten-password.ts';
import { enrolment, hashRecoveryCode, newRecoveryCodes, newTotpSecret, stepOf } from './one-time-code.ts';
import type { Passkeys } from './passkeys.ts';
import { findPasskeysOf } from './passkeys.store.ts';
import { countCode } from './rate-limit.ts';
import { findSecondFactor, insertRecoveryCodes, lockSecondFactor, putPending, updateConfirmed } from './second-factor.store.ts';
import { hashSecret, newSecret } from './secret.ts';
import { insertSession } from './sessions.store.ts';
import { signInMail } from './sign-in-mails.ts';

export interface SignInDeps extends Pick<Deps, 'database' | 'clock'> {
  readonly factors: BothFactors;
  readonly passkeys: Passkeys;
  /** Encrypts the secrets of second factors. */
  readonly sealing: Sealing;
  readonly checkPassword: (email: string, password: string, caller: Caller) => Promise<AccountRow>;
  readonly clearAttempts: (email: string, caller: Caller) => Promise<void>;
}

/** The credentials of a sign-in. */
export interface SignIn extends SecondFactor {
  readonly email: string;
  readonly password: string;
}

/** A session that began; the bearer is returned once and stored as a hash. */
export interface BegunSession {
  readonly id: string;
  readonly vap: string;
}

/** The ways to sign in that we check ourselves. */
export function createSignIn(deps: SignInDeps) {
  const { database, factors, passkeys, clearAttempts } = deps;
  return {
    /**
     * Sign in with a password.
     * @throws DomainError `account.wrong_password`, `account.too_many_tries`; after the right password `account.no_roles`,
     * `account.provider_required`, `account.address_not_allowed`, `account.otp_needed`, `account.otp_wrong`, `account.passkey_needed`,
     * `account.factor_needed`, `passkey.invalid`, `passkey.counter_fell`
     */
    async signIn(given: SignIn, caller: Caller, origin: string): Promise<BegunSession> {
      const { account, admit } = await factors.checkBoth(given, caller, origin);
      const session = await admit((tx, proven) => begin(deps, tx, account, caller, proven));
      await clearAttempts(given.email, caller);
      return session;
    },

    /**
     * Sign in with a passkey alone, which stands for both factors.
     * @throws DomainError `passkey.invalid`, `passkey.counter_fell`, `account.no_roles`, `account.provider_required`,
     * `account.address_not_allowed`, `account.too_many_tries`
     */
    async signInWithPasskey(assertion: calls.Assertion, caller: Caller, origin: string): Promise<BegunSession> {
      const proven = await passkeys.provePasskey(assertion, origin, caller.address);
      const account = required(
        await findOwner(database.read, { mainAccountId: proven.passkey.main_account_id }, proven.passkey.account_id),
        'passkey.invalid',
      );
      await factors.checkMayBegin(account, caller);
      return factors.takePasskey(account, proven, caller, (tx, how) => begin(deps, tx, account, caller, how));
    },

    ...createEnrolmentAtSignIn(deps),
  };
}

/** Sets up the second factor that a company requires, before a first session. */
function createEnrolmentAtSignIn(deps: SignInDeps) {
  const { database, clock, sealing, factors, checkPassword, clearAttempts } = deps;
  /** @throws DomainError `account.second_factor_on` where none is missing */
  const getUnprotected = async (email: string, password: string, caller: Caller): Promise<AccountRow> => {
    const account = await checkPassword(email, password, caller);
    const rules = await factors.checkMayBegin(account, caller);
    const factor = await findSecondFactor(database.read, account.id);
    const isMissing =
      (factor?.confirmed_at ?? null) === null &&
      (await findPasskeysOf(database.read, { mainAccountId: account.main_account_id }, account.id)).length === 0;
    // A password alone must not add a second one.
    if (!rules.needs_factor || !isMissing) throw new DomainError('account.second_factor_on');
    return account;
  };
  return {
    /**
     * Create a secret for an app.
     * @throws DomainError as `signIn` before its second factor, `account.second_factor_on`
     */
    async beginFactorAtSignIn(email: string, password: string, caller: Caller): Promise<{ uri: string; secret: string }> {
      const account = await getUnprotected(email, password, caller);
      const secret = newTotpSecret();
      await database.write(async (tx) => {
        if (!(await putPending(tx, account.id, sealing.seal(account.id, secret), clock.now())))
          throw new DomainError('account.second_factor_on');
        await recordOwn(tx, personOf(account, caller.address), sentence('factor.began'), {}, clock.now());
      });
      return enrolment(secret, account.email);
    },

    /**
     * Turn it on with a first code, and sign in.
     * @throws DomainError as `beginFactorAtSignIn`, `account.otp_wrong`, `account.second_factor_off` if none was begun
     */
    async confirmFactorAtSignIn(
      { email, password, code }: { readonly email: string; readonly password: string; readonly code: string },
      caller: Caller,
    ): Promise<BegunSession & { readonly recoveryCodes: string[] }> {
      const account = await getUnprotected(email, password, caller);
      await countCode(database, account.email, caller.address, clock.now());
      const begun = await database.write(async (tx) => {
        const factor = required(await lockSecondFactor(tx, account.id), 'account.second_factor_off');
        if (factor.confirmed_at !== null) throw new DomainError('account.second_factor_on');
        const now = clock.now();
        const step = stepOf(sealing.open(account.id, factor.sealed_secret), code, now);
        if (step === undefined) throw new DomainError('account.otp_wrong', { field: 'code' });
        const recoveryCodes = newRecoveryCodes();
        await updateConfirmed(tx, account.id, step, now);
        await insertRecoveryCodes(
          tx,
          account.id,
          recoveryCodes.map((each) => hashRecoveryCode(account.id, each)),
        );
        const person = personOf(account, caller.address);
        await recordOwn(tx, person, sentence('factor.set_up_at_sign_in'), { recoveryCodes: recoveryCodes.length }, now);
        const mail = signInMail(
          'factorSetUp',
          { language: await findLanguage(tx, account.id), name: account.name },
          caller.address,
        );
        await enqueueMail(tx, { to: account.email, ...mail, kind: 'account', organizationId: account.organization_id }, now);
        return { ...(await begin(deps, tx, account, caller, { method: 'code', detail: {} })), recoveryCodes };
      });
      await clearAttempts(email, caller);
      return begun;
    },
  };
}

/** Checking takes a while; a password reset in between ended all sessions, so this one must not be created after it. */
async function begin(
  { clock }: Pick<SignInDeps, 'clock'>,
  tx: Tx,
  account: AccountRow,
  caller: Caller,
  { method, detail }: Proven,
): Promise<BegunSession> {
  const now = clock.now();
  if (!(await noteSignIn(tx, account.id, account.password_hash, now))) throw new DomainError('account.wrong_password');
  const vap = newSecret();
  await insertSession(tx, { bearerHash: hashSecret(vap), accountId: account.id, ...caller, method }, now);
  await recordOwn(tx, personOf(account, caller.address), sentence('session.signed_in'), detail, now);
  return { id: account.id, vap };
}
