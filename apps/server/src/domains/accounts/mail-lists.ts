import { alerts, summaryKinds, summaryRights, type Right } from '@highline/contract';
import type { OrganizationScope, Scope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { scopeOfOwner } from '../../platform/resources/resource.ts';
import { dropPerson, movePerson } from '../alerts/index.ts';
import { deleteAddress, moveAddress } from '../notifications/index.ts';
import { leaveSummaries, moveRecipient } from '../summaries/recipients/index.ts';
import { updateEmail, type AccountRow } from './accounts.store.ts';
import { listInforming } from './mail-lists.queries.ts';
import { listHosts } from './visits.queries.ts';

// The lists of addresses that mails about devices go to: notifications, alerts and their rules, browsers, summaries. All that changes whose they are
// goes through here.

interface Listed {
  readonly id: string;
  readonly email: string;
}

/**
 * A person leaves an organization, or a main account with all of its organizations: the address is on no list any more, and what waits for it is not
 * sent.
 */
export async function endMailsOf(tx: Tx, scope: Scope, person: Listed, now: Date): Promise<void> {
  await leaveLists(tx, scope, person, now);
  await leaveSummaries(tx, scope, person.email, { kinds: summaryKinds, savedBy: null }, now);
}

/** The same for an account that is deleted, or has no role any more: also where it is a guest. */
export async function endAllMailsOf(tx: Tx, scope: Scope, person: Listed, now: Date): Promise<void> {
  for (const each of [scope, ...(await listHosts(tx, scope, person.id))]) await endMailsOf(tx, each, person, now);
}

/**
 * The same of what a person may not see from now on. Summaries that the person saved last have no more than that, and stay.
 * @param may whether the person may still make a call, and for every device
 */
export async function endMailsBeyond(
  tx: Tx,
  scope: Scope,
  person: Listed,
  may: (right: Right) => boolean,
  now: Date,
): Promise<void> {
  if (!may(alerts.listAlerts)) await leaveLists(tx, scope, person, now);
  const kinds = summaryKinds.filter((kind) => !may(summaryRights[kind]));
  await leaveSummaries(tx, scope, person.email, { kinds, savedBy: person.id }, now);
}

/**
 * Change the address of a locked account. What went to the one of before goes to the new one, also where the account is a guest; what waits for it is
 * not sent.
 * @returns the row after it
 */
export async function changeEmail(tx: Tx, account: AccountRow, to: string, now: Date): Promise<AccountRow> {
  const { id, email: from } = account;
  for (const scope of [scopeOfOwner(account), ...(await listHosts(tx, { mainAccountId: account.main_account_id }, id))]) {
    for (const each of await placesOf(tx, scope, account)) {
      await moveAddress(tx, each, from, to);
      await movePerson(tx, each, from, to, now);
    }
    await moveRecipient(tx, scope, from, to);
  }
  return updateEmail(tx, id, to, now);
}

async function leaveLists(tx: Tx, scope: Scope, person: Listed, now: Date): Promise<void> {
  const { id: accountId, email: mail } = person;
  for (const each of await placesOf(tx, scope, person)) {
    await deleteAddress(tx, each, mail, true);
    await dropPerson(tx, each, { mail, accountId }, now);
  }
}

const placesOf = async (tx: Tx, scope: Scope, person: Listed): Promise<OrganizationScope[]> =>
  scope.kind === 'organization' ? [scope] : listInforming(tx, scope, person);
