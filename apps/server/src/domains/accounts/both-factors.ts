import type { passkeys as calls } from '@highline/contract';
import { DomainError } from '../../kernel/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { homeOf } from './account.audit.ts';
import { findOrganizationName, type AccountRow } from './accounts.store.ts';
import { needsProvider } from './company-sign-in.queries.ts';
import type { Caller } from './forgotten-password.ts';
import type { Passkeys, ProvenPasskey } from './passkeys.ts';
import { findPasskeysOf } from './passkeys.store.ts';
import type { createSecondFactorCodes } from './second-factor.ts';
import type { NewSession } from './sessions.store.ts';
import { checkAddress } from './sign-in-policy.ts';
import type { SignInRules } from './sign-in-policy.queries.ts';
import { roleOf } from './standing.ts';

/** What a person gives after the password. */
export interface SecondFactor {
  /** The code of the second factor, if it is on. */
  readonly otp?: string | undefined;
  /** In place of the code. */
  readonly passkey?: calls.Assertion | undefined;
}

/** How a person proved who it is. */
export interface Proven {
  readonly method: NewSession['method'];
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface BothFactorsDeps extends Pick<Deps, 'database'> {
  readonly codes: ReturnType<typeof createSecondFactorCodes>;
  readonly passkeys: Passkeys;
  readonly checkPassword: (email: string, password: string, caller: Caller) => Promise<AccountRow>;
}

export type BothFactors = ReturnType<typeof createBothFactors>;

/** The rules of signing in, for everything that a person may do with the password but without a session. */
export function createBothFactors({ database, codes, passkeys, checkPassword }: BothFactorsDeps) {
  /** @throws DomainError `account.no_roles`, `account.provider_required`, `account.address_not_allowed` */
  const checkMayBegin = async (account: AccountRow, caller: Caller): Promise<SignInRules> => {
    const { organization_id: organizationId, main_account_id: mainAccountId } = account;
    const isGone = organizationId !== null && (await findOrganizationName(database.read, organizationId)) === undefined;
    if (roleOf(account) === undefined || isGone) throw new DomainError('account.no_roles');
    if (await needsProvider(database.read, homeOf({ mainAccountId, organizationId }), account.email))
      throw new DomainError('account.provider_required');
    return checkAddress(database.read, account, caller.address);
  };

  const takePasskey = <T>(account: AccountRow, proven: ProvenPasskey, caller: Caller, work: Work<T>): Promise<T> =>
    passkeys.admitPasskey(proven, account, caller.address, () =>
      database.write(async (tx) => {
        await passkeys.takePasskey(tx, proven);
        return work(tx, { method: 'passkey', detail: { passkey: proven.passkey.name } });
      }),
    );

  return {
    checkMayBegin,
    takePasskey,

    /**
     * Check the password and the rules of the company.
     * @returns what does some work in a transaction, once the second factor was proven too
     * @throws DomainError `account.wrong_password`, `account.too_many_tries`, as `checkMayBegin`; the returned function
     * `account.otp_needed`, `account.otp_wrong`, `account.passkey_needed`, `account.factor_needed`, `passkey.invalid`,
     * `passkey.counter_fell`
     */
    async checkBoth(
      { email, password, otp, passkey }: SecondFactor & { readonly email: string; readonly password: string },
      caller: Caller,
      origin: string,
    ) {
      const account = await checkPassword(email, password, caller);
      const rules = await checkMayBegin(account, caller);
      const admit = async <T>(work: Work<T>): Promise<T> => {
        if (passkey !== undefined) {
          const proven = await passkeys.provePasskey(passkey, origin, caller.address);
          if (proven.passkey.account_id !== account.id) throw new DomainError('passkey.invalid');
          return takePasskey(account, proven, caller, work);
        }
        return codes.admit(account, otp, caller.address, () =>
          database.write(async (tx) => {
            const proof = await codes.take(tx, account.id, otp);
            if (proof === undefined && rules.needs_factor) throw new DomainError(await missingFactor(tx, account));
            return work(
              tx,
              proof === undefined ? { method: 'password', detail: {} } : { method: 'code', detail: { secondFactor: proof } },
            );
          }),
        );
      };
      return { account, admit };
    },
  };
}

type Work<T> = (tx: Tx, proven: Proven) => Promise<T>;

/** What a person lacks whose password alone is not enough. */
async function missingFactor(tx: Tx, account: AccountRow): Promise<'account.passkey_needed' | 'account.factor_needed'> {
  return (await findPasskeysOf(tx, { mainAccountId: account.main_account_id }, account.id)).length > 0
    ? 'account.passkey_needed'
    : 'account.factor_needed';
}
