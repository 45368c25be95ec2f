import type { accounts } from '@highline/contract';
import { DomainError, required, isId, type Actor } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { isUniqueViolation, type Tx } from '../../platform/ports/database.ts';
import { type AuditAction, recordAudit, sentence } from '../logs/index.ts';
import { homeOf } from './account.audit.ts';
import { toInvitationDto } from './account.dto.ts';
import {
  findLanguage,
  findMainAccountName,
  findOrganizationName,
  findVisible,
  lockByEmail,
  lockVisible,
  type AccountRow,
} from './accounts.store.ts';
import { lockMember } from './locked-users.ts';
import { changeEmail } from './mail-lists.ts';
import { mailInvitation } from './invitation.ts';
import { findOpenInvitation } from './users.queries.ts';
import { countTry, limits } from './rate-limit.ts';
import { roleOf } from './standing.ts';

export type InvitationAgainDeps = Pick<Deps, 'database' | 'clock' | 'mailSealing'>;

/** Invitations that were mailed and not accepted yet. */
export function createInvitationAgain({ database, clock, mailSealing }: InvitationAgainDeps) {
  return {
    /** The invitation of an account that the actor may see; null once a password was set. */
    readInvitation: (actor: Actor, id: string): Promise<accounts.OpenInvitation | null> =>
      findOpenInvitation(database.read, { kind: 'main', mainAccountId: actor.mainAccountId }, id),

    /**
     * Mail the invitation of a user without a password again, in the language of the first one.
     * @param origin scheme, name and port of the link
     * @throws DomainError `account.not_found`, `account.invitation_accepted`, `account.too_many_tries`
     */
    async sendInvitation(actor: Actor, id: string, origin: string): Promise<accounts.OpenInvitation> {
      const seen = required(isId(id) ? await findVisible(database.read, actor, id) : undefined, 'account.not_found');
      const now = clock.now();
      await countTry(database, limits.invitation, seen.email, now);
      return database.write(async (tx) => {
        const account = await lockInvited(tx, actor, seen);
        const event = { action: sentence('invitation.sent_again', account.email), detail: { name: account.name } };
        return mailAndRecord(tx, actor, account, event, origin, now);
      });
    },

    /**
     * Give an invited user without a password another e-mail address, and mail the invitation to it: the repair for a mistyped
     * address of a first admin (docs/domains/accounts.md). Links of the old address become invalid.
     */
    async correctInvitation(actor: Actor, id: string, email: string, origin: string): Promise<accounts.OpenInvitation> {
      const now = clock.now();
      // Only of an account that is the actor's: no account uses up the limit of another.
      if (!isId(id) || (await findVisible(database.read, actor, id)) === undefined) throw new DomainError('account.not_found');
      await countTry(database, limits.peopleOfActor, actor.accountId, now);
      await countTry(database, limits.invitation, id, now);
      const taken = new DomainError('account.exists', { field: 'email' });
      const work = database.write(async (tx) => {
        const { member, scope } = await lockMember(tx, actor, id);
        if (member.password_hash !== null) throw new DomainError('account.invitation_accepted');
        // Also the same address again: there is another call for that.
        if ((await lockByEmail(tx, email)) !== undefined) throw taken;
        const account = await changeEmail(tx, member, email, now);
        await announce(tx, scope, 'organizations', [scope.organizationId]);
        const action = sentence('invitation.corrected', member.email, email);
        const event = { action, detail: { from: member.email, to: email } };
        return mailAndRecord(tx, actor, account, event, origin, now);
      });
      // Two corrections to one address at once: the second one finds it only as it writes.
      return work.catch((error: unknown) => Promise.reject(isUniqueViolation(error) ? taken : error));
    },
  };

  /** The mail with its new link, and the entry of the log. */
  async function mailAndRecord(
    tx: Tx,
    actor: Actor,
    account: AccountRow,
    { action, detail }: { readonly action: AuditAction; readonly detail: Record<string, unknown> },
    origin: string,
    now: Date,
  ): Promise<accounts.OpenInvitation> {
    const { id } = account;
    const language = await findLanguage(tx, id);
    const letter = { language, tenantName: await tenantNameOf(tx, account), inviter: actor, origin, mailSealing };
    const expires = await mailInvitation(tx, account, letter, now);
    const home = { mainAccountId: account.main_account_id, organizationId: account.organization_id };
    await announce(tx, homeOf(home), 'accounts', [id]);
    const event = { action, subject: { kind: 'account', id }, detail };
    await recordAudit(tx, home.organizationId ?? home.mainAccountId, actor, event, now);
    return toInvitationDto({ is_invited: true, invited_at: now, link_ends_at: expires })!;
  }
}

/** @throws DomainError `account.not_found` also for an account without organization and role: it has no invitation */
async function lockInvited(tx: Tx, actor: Actor, { id, organization_id: org }: AccountRow): Promise<AccountRow> {
  const account = org === null ? await lockVisible(tx, actor, id) : (await lockMember(tx, actor, id)).member;
  if (account === undefined || roleOf(account) === undefined) throw new DomainError('account.not_found');
  if (account.password_hash !== null) throw new DomainError('account.invitation_accepted');
  return account;
}

/** The name of what a user is invited to. */
async function tenantNameOf(tx: Tx, { organization_id: org, main_account_id: main }: AccountRow): Promise<string> {
  return org === null ? findMainAccountName(tx, main) : ((await findOrganizationName(tx, org)) ?? '');
}
