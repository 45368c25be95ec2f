import { required } from '../../kernel/failure.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Language } from '@highline/contract';
import { cancelLinkMails, enqueueMail } from '../mails/index.ts';
import { personOf, recordOwn } from './account.audit.ts';
import { findInvitation, insertLink, lockByEmail, takeLink, updatePassword, type LinkPurpose } from './accounts.store.ts';
import { checkNewPassword, type Passwords } from './password.ts';
import { countTry, limits, addressKeyOf, trustNetwork } from './rate-limit.ts';
import { resetMail } from './reset-mail.ts';
import { hashSecret, newSecret } from './secret.ts';
import { endEverySession } from './every-session.ts';
import { sentence, type AuditAction } from '../logs/index.ts';

const actions: Readonly<Record<LinkPurpose, AuditAction>> = {
  'reset-password': sentence('password.reset'),
  invitation: sentence('password.invited'),
};

const LINK_LIFETIME_MS = 3_600_000;
/**
 * Writing a mail takes a fraction of it, an unknown address even less: a response at a multiple of it does not reveal which
 * happened.
 */
const BEAT_MS = 250;

export interface ForgottenPasswordDeps extends Pick<Deps, 'database' | 'clock' | 'mailSealing'> {
  readonly passwords: Passwords;
  readonly endStreams: (which: { readonly accountId: string }) => void;
  readonly pause: (milliseconds: number) => Promise<void>;
}

/** The client of a call. */
export interface Caller {
  readonly address: string;
  readonly userAgent: string;
}

/** Password resets by mailed links. */
export function createForgottenPassword({ database, clock, passwords, mailSealing, endStreams, pause }: ForgottenPasswordDeps) {
  const mailLink = async (email: string, language: Language, origin: string, address: string, now: Date): Promise<void> => {
    const secret = newSecret();
    const secretHash = hashSecret(secret);
    const link = `${origin}/account.html?reset=${secret}`;
    await database.write(async (tx) => {
      // Locked, since a change of the address ends the links to the one of before.
      const account = await lockByEmail(tx, email);
      if (account === undefined) return;
      await insertLink(tx, {
        secretHash,
        accountId: account.id,
        purpose: 'reset-password',
        createdAt: now,
        expiresAt: new Date(now.getTime() + LINK_LIFETIME_MS),
      });
      const mail = resetMail(language, account.name, link);
      await enqueueMail(
        tx,
        { to: account.email, ...mail, kind: 'account', organizationId: null, link: { secretHash, sealing: mailSealing } },
        now,
      );
      await recordOwn(tx, personOf(account, address), sentence('password.requested'), {}, now);
    });
  };

  return {
    /**
     * Mail a link, if the address has an account. Neither the response nor its time reveals whether it has one.
     * @throws DomainError `account.too_many_tries`, alike for every address
     */
    async forgotPassword(email: string, language: Language, origin: string, caller: Caller): Promise<void> {
      const now = clock.now();
      await countTry(database, limits.forgotAddress, addressKeyOf(caller.address), now);
      await countTry(database, limits.forgotAccount, email, now);
      await onBeat(pause, mailLink(email, language, origin, caller.address, now));
    },

    /**
     * What the page of an invitation says before a password is set; the link stays valid.
     * @throws DomainError `account.link_invalid` alike for a link that is unknown, used or expired
     */
    async readInvitationLink(
      secret: string,
      caller: Caller,
    ): Promise<{ email: string; organization: string; inviter: string | null }> {
      const now = clock.now();
      await countTry(database, limits.openedAddress, addressKeyOf(caller.address), now);
      const found = required(await findInvitation(database.read, hashSecret(secret), now), 'account.link_invalid');
      return { email: found.email, organization: found.tenant, inviter: found.inviter };
    },

    /**
     * Set a password by a mailed link, and end every session of the account.
     * @throws DomainError `account.link_invalid`, `account.weak_password` (the link stays valid)
     */
    async resetPassword(secret: string, password: string, caller: Caller): Promise<{ email: string }> {
      const now = clock.now();
      await countTry(database, limits.resetAddress, addressKeyOf(caller.address), now);
      const passwordHash = await passwords.hash(password);
      const account = await database.write(async (tx) => {
        const secretHash = hashSecret(secret);
        const taken = required(await takeLink(tx, secretHash, now), 'account.link_invalid');
        await cancelLinkMails(tx, [secretHash]);
        const { owner, purpose } = taken;
        checkNewPassword(password, owner.email);
        await updatePassword(tx, owner.id, passwordHash, now);
        const sessions = await endEverySession(tx, owner.id);
        await trustNetwork(tx, owner.email, caller.address, now);
        await recordOwn(tx, personOf(owner, caller.address), actions[purpose], { sessions }, now);
        return owner;
      });
      endStreams({ accountId: account.id });
      return { email: account.email };
    },
  };
}

/** Wait for some work and then for the next full tick, so that the duration shows only in whole ticks. */
async function onBeat(pause: ForgottenPasswordDeps['pause'], work: Promise<void>): Promise<void> {
  const done = work.then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  for (;;) {
    await pause(BEAT_MS);
    const outcome = await Promise.race([done, Promise.resolve('still at work' as const)]);
    if (outcome === 'still at work') continue;
    if (outcome !== undefined) throw outcome.error;
    return;
  }
}
