import { alerts, summaryKinds, summaryRights, type Right } from '@highline/contract';
import type { OrganizationScope, Scope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { scopeOfOwner } from '../../platform/resources/resource.ts';
import { dropPerson, movePerson } from '../alerts/index.ts';
import { deleteAddress, moveAddress } from '../notifications/index.ts';
import { cancelLinkMails } from '../mails/index.ts';
import { leaveSummaries, moveRecipient } from '../summaries/recipients/index.ts';
import { endLinks, linkPurposes, updateAccount, type AccountRow } from './accounts.store.ts';
import { listInforming, type Listed } from './mail-lists.queries.ts';
import { listHosts } from './visits.queries.ts';

// The lists of addresses that mails about devices go to: notifications, alerts and their rules, browsers, summaries. All that changes whose they are
// goes through here.

/**
 * A person leaves an organization, or a main account with all of its organizations: the address is on no list any more, and what waits for it is not
 * sent.
 */
export async function endMailsOf(tx: Tx, scope: Scope, person: Listed, now: Date): Promise<void> {
  await leaveLists(tx, scope, [person], now);
  await leaveSummaries(tx, scope, person.email, { kinds: summaryKinds, savedBy: null }, now);
}

/** The same for an account that is deleted, or has no role any more: also where it is a guest. */
export async function endAllMailsOf(tx: Tx, scope: Scope, person: Listed, now: Date): Promise<void> {
  for (const each of [scope, ...(await listHosts(tx, scope, person.id))]) await endMailsOf(tx, each, person, now);
}

/**
 * The same of what people may not see from now on. Summaries that one of them saved last have no more than that, and stay.
 * @param may whether they may still make a call, and for every device
 */
export async function endMailsBeyond(
  tx: Tx,
  scope: Scope,
  people: readonly Listed[],
  may: (right: Right) => boolean,
  now: Date,
): Promise<void> {
  if (!may(alerts.listAlerts)) await leaveLists(tx, scope, people, now);
  const kinds = summaryKinds.filter((kind) => !may(summaryRights[kind]));
  for (const { id, email } of people) await leaveSummaries(tx, scope, email, { kinds, savedBy: id }, now);
}

/**
 * Change the address of a locked account. What went to the one of before goes to the new one, also where the account is a guest; what waits for it is
 * not sent, and links that were mailed to it become invalid: they would set the password for anyone who reads that mailbox.
 * @returns the row after it
 */
export async function changeEmail(tx: Tx, account: AccountRow, to: string, now: Date): Promise<AccountRow> {
  const { id, email: from } = account;
  for (const scope of [scopeOfOwner(account), ...(await listHosts(tx, { mainAccountId: account.main_account_id }, id))]) {
    for (const { place } of await listPlaces(tx, scope, [account])) {
      await moveAddress(tx, place, from, to);
      await movePerson(tx, place, from, to, now);
    }
    await moveRecipient(tx, scope, from, to);
  }
  await cancelLinkMails(tx, await endLinks(tx, id, linkPurposes, now));
  return updateAccount(tx, id, { email: to }, now);
}

async function leaveLists(tx: Tx, scope: Scope, people: readonly Listed[], now: Date): Promise<void> {
  for (const { person, place } of await listPlaces(tx, scope, people)) {
    await deleteAddress(tx, place, person.email, true);
    await dropPerson(tx, place, { mail: person.email, accountId: person.id }, now);
  }
}

async function listPlaces(
  tx: Tx,
  scope: Scope,
  people: readonly Listed[],
): Promise<{ readonly person: Listed; readonly place: OrganizationScope }[]> {
  return scope.kind === 'organization' ? people.map((person) => ({ person, place: scope })) : listInforming(tx, scope, people);
}
