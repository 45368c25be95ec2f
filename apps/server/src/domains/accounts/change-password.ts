import { DomainError } from '../../kernel/failure.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { personOf, recordOwn } from './account.audit.ts';
import { findLanguage, lockPassword, updatePassword } from './accounts.store.ts';
import type { BothFactors, SecondFactor } from './both-factors.ts';
import type { Caller } from './forgotten-password.ts';
import { checkNewPassword, type Passwords } from './password.ts';
import { endEverySession } from './every-session.ts';
import { signInMail } from './sign-in-mails.ts';
import { sentence } from '../logs/index.ts';
import { enqueueMail } from '../mails/index.ts';

export interface ChangePasswordDeps extends Pick<Deps, 'database' | 'clock'> {
  readonly passwords: Passwords;
  readonly factors: BothFactors;
  readonly endStreams: (which: { readonly accountId: string }) => void;
  readonly clearAttempts: (email: string, caller: Caller) => Promise<void>;
}

/** The old password, what proves the second factor, and the new password. */
export interface PasswordChange extends SecondFactor {
  readonly email: string;
  readonly password: string;
  readonly newPassword: string;
}

/** Changes a password with the old one; on the sign-in page, so that an open console alone is not enough (USR-03). */
export function createChangePassword({ clock, passwords, factors, endStreams, clearAttempts }: ChangePasswordDeps) {
  return {
    /**
     * Set a new password, and end every session of the account, whose owner gets a mail.
     * @throws DomainError as signing in does, and `account.weak_password`
     */
    async changePassword(change: PasswordChange, caller: Caller, origin: string): Promise<{ email: string }> {
      const { account, admit } = await factors.checkBoth(change, caller, origin);
      checkNewPassword(change.newPassword, account.email);
      const passwordHash = await passwords.hash(change.newPassword);
      await admit(async (tx) => {
        if (!(await lockPassword(tx, account.id, account.password_hash))) throw new DomainError('account.wrong_password');
        const now = clock.now();
        await updatePassword(tx, account.id, passwordHash, now);
        const sessions = await endEverySession(tx, account.id);
        await recordOwn(tx, personOf(account, caller.address), sentence('password.changed'), { sessions }, now);
        const reader = { language: await findLanguage(tx, account.id), name: account.name };
        const mail = signInMail('passwordChanged', reader, caller.address);
        await enqueueMail(tx, { to: account.email, ...mail, kind: 'account', organizationId: account.organization_id }, now);
      });
      endStreams({ accountId: account.id });
      await clearAttempts(change.email, caller);
      return { email: account.email };
    },
  };
}
