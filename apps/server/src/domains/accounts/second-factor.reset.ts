import { tidyEmail } from '@highline/contract';
import { DomainError, isId, type Actor } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Database, Tx } from '../../platform/ports/database.ts';
import { type AuditActor, recordAudit, sentence } from '../logs/index.ts';
import { enqueueMail } from '../mails/index.ts';
import { homeOf } from './account.audit.ts';
import { findLanguage, lockByEmail, lockVisible, type AccountRow } from './accounts.store.ts';
import { factorResetMail } from './factor-mails.ts';
import { deletePasskeysOf } from './passkeys.store.ts';
import { deleteSecondFactor } from './second-factor.store.ts';
import { endEverySession } from './every-session.ts';

export interface SecondFactorResetDeps extends Pick<Deps, 'database' | 'clock'> {
  readonly endStreams: (which: { readonly accountId: string }) => void;
}

/** An operator on the server itself; there is no account to name. */
const operator: AuditActor = { accountId: null, email: 'Command line', role: 'system', address: '' };

/** Resets a second factor whose phone and recovery codes are lost, by another user. */
export function createSecondFactorReset({ database, clock, endStreams }: SecondFactorResetDeps) {
  return {
    /**
     * Turn off a colleague's second factor, and remove their passkeys; all their sessions end, and they get a mail.
     * @throws DomainError `account.not_found`, `account.is_self`, `account.second_factor_off`
     */
    async resetSecondFactor(actor: Actor, id: string): Promise<void> {
      if (id === actor.accountId) throw new DomainError('account.is_self');
      await database.write(async (tx) => {
        const account = isId(id) ? await lockVisible(tx, actor, id) : undefined;
        await reset(tx, account, actor, clock.now());
      });
      endStreams({ accountId: id });
    },
  };
}

/**
 * The same from the server's command line, for the only user of a main account. Consoles get the event from the outbox.
 * @param email as it was typed
 * @throws DomainError `account.not_found`, `account.second_factor_off`
 */
export function resetSecondFactorOffline(database: Database, email: string, now: Date): Promise<void> {
  return database.write(async (tx) => reset(tx, await lockByEmail(tx, tidyEmail(email)), operator, now));
}

async function reset(tx: Tx, account: AccountRow | undefined, actor: AuditActor, now: Date): Promise<void> {
  if (account === undefined) throw new DomainError('account.not_found');
  const hadApp = await deleteSecondFactor(tx, account.id);
  const passkeys = await deletePasskeysOf(tx, { mainAccountId: account.main_account_id }, account.id);
  if (!hadApp && passkeys === 0) throw new DomainError('account.second_factor_off');
  const sessions = await endEverySession(tx, account.id);
  const home = { mainAccountId: account.main_account_id, organizationId: account.organization_id };
  const language = await findLanguage(tx, account.id);
  const mail = factorResetMail(language, account.name, actor.email);
  await enqueueMail(tx, { to: account.email, ...mail, kind: 'account', organizationId: home.organizationId }, now);
  await announce(tx, homeOf(home), 'accounts', [account.id]);
  const action = sentence('factor.reset', account.email);
  const event = { action, subject: { kind: 'account', id: account.id }, detail: { name: account.name, sessions, passkeys } };
  await recordAudit(tx, home.organizationId ?? home.mainAccountId, actor, event, now);
}
