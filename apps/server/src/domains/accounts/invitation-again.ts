import type { accounts } from '@highline/contract';
import { DomainError } from '../../failure.ts';
import { isId } from '../../ids.ts';
import { announce } from '../../live/announce.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Database, Tx } from '../../ports/database.ts';
import type { Sealing } from '../../sealing.ts';
import type { Actor } from '../../scope.ts';
import { recordAudit } from '../logs/index.ts';
import { homeOf } from './account.audit.ts';
import { invitationWire } from './account.wire.ts';
import {
  findLanguage,
  findMainAccountName,
  findOrganizationName,
  findVisible,
  holdVisible,
  type AccountRow,
} from './accounts.store.ts';
import { holdMember } from './held-people.ts';
import { mailInvitation } from './invitation.ts';
import { findOpenInvitation } from './people.queries.ts';
import { countTry, limits } from './rate-limit.ts';
import { roleOf } from './standing.ts';

export interface InvitationAgainDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly mailSealing: Sealing;
}

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
      const seen = isId(id) ? await findVisible(database.read, actor, id) : undefined;
      if (seen === undefined) throw new DomainError('account.not_found');
      const now = clock.now();
      await countTry(database, limits.invitation, seen.email, now);
      return database.write(async (tx) => {
        const account = await holdInvited(tx, actor, seen);
        const language = await findLanguage(tx, id);
        const expires = await mailInvitation(
          tx,
          account,
          { language, place: await placeNameOf(tx, account), origin, mailSealing },
          now,
        );
        const home = { mainAccountId: account.main_account_id, organizationId: account.organization_id };
        await announce(tx, homeOf(home), 'accounts', [id]);
        const action = `Sent the invitation of ${account.email} again`;
        const event = { action, subject: { kind: 'account', id }, detail: { name: account.name } };
        await recordAudit(tx, home.organizationId ?? home.mainAccountId, actor, event, now);
        return invitationWire({ is_invited: true, invited_at: now, link_ends_at: expires })!;
      });
    },
  };
}

/** @throws DomainError `account.not_found` also for an account without organization and role: it has no invitation */
async function holdInvited(tx: Tx, actor: Actor, { id, organization_id: org }: AccountRow): Promise<AccountRow> {
  const account = org === null ? await holdVisible(tx, actor, id) : (await holdMember(tx, actor, id)).member;
  if (account === undefined || roleOf(account) === undefined) throw new DomainError('account.not_found');
  if (account.password_hash !== null) throw new DomainError('account.invitation_accepted');
  return account;
}

/** The name of what a user is invited to. */
async function placeNameOf(tx: Tx, { organization_id: org, main_account_id: main }: AccountRow): Promise<string> {
  return org === null ? findMainAccountName(tx, main) : ((await findOrganizationName(tx, org)) ?? '');
}
