import type { accounts } from '@highline/contract';
import { DomainError, required, isId, type Actor, type MainScope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Database, Tx } from '../../platform/ports/database.ts';
import { type AuditAction, recordAudit, sentence } from '../logs/index.ts';
import { toAccountDto } from './account.dto.ts';
import { deleteAccountRow } from './accounts.store.ts';
import { keepBreakGlass } from './keep-break-glass.ts';
import { findColleague, lockMainAccount, MAIN_ROLE } from './colleagues.store.ts';
import { keepWhole } from './own-role.ts';
import { endMailsOf } from './mail-lists.ts';
import { countTry, limits } from './rate-limit.ts';
import { mailInvitation, takeIn, type Invitation } from './invitation.ts';

export interface ColleaguesDeps extends Pick<Deps, 'database' | 'clock' | 'mailSealing'> {
  readonly endStreams: (which: { readonly accountId: string }) => void;
}

/** Users of the main account itself. A single user who loses the second factor needs the server's operator. */
export function createColleagues({ database, clock, mailSealing, endStreams }: ColleaguesDeps) {
  /** Write into the main account's log and notify its consoles. */
  const record = async (tx: Tx, scope: MainScope, actor: Actor, id: string, action: AuditAction, detail: object) => {
    await announce(tx, scope, 'accounts', [id]);
    const event = { action, subject: { kind: 'account', id }, detail: { ...detail } };
    await recordAudit(tx, scope.mainAccountId, actor, event, clock.now());
  };

  return {
    /**
     * Create a user of the main account and mail an invitation.
     * @throws DomainError `account.exists`, `account.too_many_tries` after some hundred in a day
     */
    async inviteColleague(
      actor: Actor,
      scope: MainScope,
      { email, name, language, origin }: Pick<Invitation, 'email' | 'name' | 'language' | 'origin'>,
    ): Promise<accounts.Account> {
      const now = clock.now();
      await countTry(database, limits.peopleOfActor, actor.accountId, now);
      const account = await database.write(async (tx) => {
        const mainAccount = await lockMainAccount(tx, scope);
        const membership = { organizationId: null, roles: [MAIN_ROLE], name, isContact: false };
        const taken = await takeIn(tx, scope, email, membership, now);
        await mailInvitation(tx, taken, { language, tenantName: mainAccount, inviter: actor, origin, mailSealing }, now);
        await record(tx, scope, actor, taken.id, sentence('colleague.invited', email), { name });
        return taken;
      });
      return toAccountDto(account);
    },

    /**
     * Delete a user of the main account; sessions, streams, links and mails of every organization end at once.
     * @throws DomainError `account.not_found`, `account.is_self`, `account.last_colleague`
     */
    async removeColleague(actor: Actor, scope: MainScope, id: string, writer: Pick<Database, 'write'> = database): Promise<void> {
      if (id === actor.accountId) throw new DomainError('account.is_self');
      await writer.write(async (tx) => {
        await lockMainAccount(tx, scope);
        const colleague = required(isId(id) ? await findColleague(tx, scope, id) : undefined, 'account.not_found');
        await keepBreakGlass(tx, scope, { id });
        await keepWhole(tx, scope, actor);
        await endMailsOf(tx, scope, { id, email: colleague.email }, clock.now());
        await deleteAccountRow(tx, id);
        await record(tx, scope, actor, id, sentence('colleague.deleted', colleague.email), { name: colleague.name });
      });
      endStreams({ accountId: id });
    },
  };
}
