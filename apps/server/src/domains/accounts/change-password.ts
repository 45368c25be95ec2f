import { DomainError } from '../../kernel/failure.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { personOf, recordOwn } from './account.audit.ts';
import { lockPassword, updatePassword, type AccountRow } from './accounts.store.ts';
import type { Caller } from './forgotten-password.ts';
import { checkNewPassword, type Passwords } from './password.ts';
import type { createSecondFactorCodes } from './second-factor.ts';
import { endEverySession } from './every-session.ts';
import { sentence } from '../logs/index.ts';

export interface ChangePasswordDeps extends Pick<Deps, 'database' | 'clock'> {
  readonly passwords: Passwords;
  readonly codes: ReturnType<typeof createSecondFactorCodes>;
  readonly endStreams: (which: { readonly accountId: string }) => void;
  readonly checkPassword: (email: string, password: string, caller: Caller) => Promise<AccountRow>;
  readonly clearAttempts: (email: string, caller: Caller) => Promise<void>;
}

/** The old password and the new one. */
export interface PasswordChange {
  readonly email: string;
  readonly password: string;
  readonly newPassword: string;
  readonly otp?: string | undefined;
}

/** Changes a password with the old one; on the sign-in page, so that an open console alone is not enough (USR-03). */
export function createChangePassword(deps: ChangePasswordDeps) {
  const { database, clock, passwords, codes, endStreams, checkPassword, clearAttempts } = deps;
  return {
    /**
     * Set a new password, and end every session of the account.
     * @throws DomainError as signing in does, and `account.weak_password`
     */
    async changePassword({ email, password, newPassword, otp }: PasswordChange, caller: Caller): Promise<{ email: string }> {
      const account = await checkPassword(email, password, caller);
      checkNewPassword(newPassword, account.email);
      await codes.admit(account, otp, caller.address, async () => {
        const passwordHash = await passwords.hash(newPassword);
        await database.write(async (tx) => {
          if (!(await lockPassword(tx, account.id, account.password_hash))) throw new DomainError('account.wrong_password');
          await codes.take(tx, account.id, otp);
          await updatePassword(tx, account.id, passwordHash, clock.now());
          const sessions = await endEverySession(tx, account.id);
          await recordOwn(tx, personOf(account, caller.address), sentence('password.changed'), { sessions }, clock.now());
        });
      });
      endStreams({ accountId: account.id });
      await clearAttempts(email, caller);
      return { email: account.email };
    },
  };
}
