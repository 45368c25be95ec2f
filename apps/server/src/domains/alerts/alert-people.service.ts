import { alertPeople, alerts } from '@highline/contract';
import { checkZone, DomainError, required, requireRight, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { type AuditAction, recordAudit, sentence } from '../logs/index.ts';
import { readersOf } from '../notifications/index.ts';
import { removeBrowsersAt, removeBrowsersOf } from '../webhooks/index.ts';
import { isMember } from './alert-people.queries.ts';
import { versionOfPerson } from './alert-person.version.ts';
import {
  findPerson,
  lockDeletedRulesNaming,
  lockPeople,
  lockRulesNaming,
  movePersonRow,
  putPerson,
  removePeople,
  saveChannels,
  saveDeletedChannels,
  type StoredPerson,
} from './alert-people.store.ts';
import { lockRules } from './alert-rules.store.ts';
import { checkHours } from './hours.ts';

export interface PeopleDeps extends Pick<Deps, 'database' | 'clock'> {
  /** Counts addresses that an account enters; throws `account.too_many_tries` beyond its daily limit. */
  readonly countPerson: (tx: Tx, accountId: string, now: Date, people: number) => Promise<void>;
}

/** Which alerts an address is to get; without language and zone it keeps its own. */
export type PersonInput = Omit<StoredPerson, 'language' | 'zone'> & {
  readonly [Key in 'language' | 'zone']?: StoredPerson[Key] | undefined;
};

/**
 * Set which alerts an address gets (SAY-05). Without push messages, or without severities, its browsers show none any more.
 * @throws DomainError `permission.denied` for a user who names another address, `notification.too_many`, `request.invalid` for an unknown
 * zone, `key.not_allowed`, `account.too_many_tries` after several hundred new addresses in a day, `conflict.stale`
 * @param isCurrent whether the caller's version, from If-Match, is the current one
 */
export async function savePerson(
  deps: PeopleDeps,
  scope: OrganizationScope,
  actor: Actor,
  person: PersonInput,
  isCurrent: (version: string) => boolean,
): Promise<void> {
  rejectOthers(actor, [person.mail]);
  requireRight(actor, alerts.listAlerts);
  checkHours(person.hours, 'hours');
  if (person.zone !== undefined) checkZone(person.zone, 'zone');
  const now = deps.clock.now();
  await deps.database.write((tx) => put(tx, deps, scope, actor, person, now, isCurrent));
}

export async function put(
  tx: Tx,
  { countPerson }: Pick<PeopleDeps, 'countPerson'>,
  scope: OrganizationScope,
  actor: Actor,
  { language, zone, ...input }: PersonInput,
  now: Date,
  isCurrent: (version: string) => boolean = () => true,
): Promise<void> {
  const { mail, ...set } = input;
  const count = await lockPeople(tx, scope);
  const before = await findPerson(tx, scope, mail);
  if (!isCurrent(versionOfPerson(before))) throw new DomainError('conflict.stale');
  if (before === undefined && count >= alertPeople.MOST_PEOPLE_OF_ORGANIZATION)
    throw new DomainError('notification.too_many', { field: 'mail' });
  if (before === undefined && !(await isMember(tx, scope, mail))) await countPerson(tx, actor.accountId, now, 1);
  const known = before ?? required((await readersOf(tx, scope, [mail]))[0], 'not_found');
  const locale = { language: language ?? known.language, zone: zone ?? known.zone };
  await putPerson(tx, scope, { ...input, ...locale }, now);
  if (!input.channels.includes('push') || input.severities.length === 0) await removeBrowsersAt(tx, scope, [mail]);
  const detail = { before: before ?? null, after: { mail, ...set, ...locale } };
  await recordPerson(tx, scope, actor, mail, sentence('alert_person.changed', mail), detail, now);
}

/** End the alerts of addresses, also in browsers. @returns how many had some @throws DomainError `permission.denied` for a user who names another address */
export async function deletePeople(
  { database, clock }: Pick<PeopleDeps, 'database' | 'clock'>,
  scope: OrganizationScope,
  actor: Actor,
  mails: readonly string[],
): Promise<number> {
  rejectOthers(actor, mails);
  const now = clock.now();
  return database.write(async (tx) => {
    const ended = (await removePeople(tx, scope, [...new Set(mails)])).toSorted();
    await removeBrowsersAt(tx, scope, mails);
    for (const mail of ended) await recordPerson(tx, scope, actor, mail, sentence('alert_person.ended', mail), { mail }, now);
    return ended.length;
  });
}

/**
 * A person leaves the organization: nothing more is sent to the address or its browsers, also by rules that name it. A rule that informs no
 * one then says so in the list of rules.
 */
export async function dropPerson(
  tx: Tx,
  scope: OrganizationScope,
  { mail, accountId }: { readonly mail: string; readonly accountId: string },
  now: Date,
): Promise<void> {
  await removePeople(tx, scope, [mail]);
  await removeBrowsersOf(tx, scope, accountId);
  await replaceInRules(tx, scope, mail, [], now);
}

/** A person has another address: alerts, and rules that name the one of before, go there. */
export async function movePerson(tx: Tx, scope: OrganizationScope, from: string, to: string, now: Date): Promise<void> {
  await lockPeople(tx, scope);
  await movePersonRow(tx, scope, from, to);
  await removePeople(tx, scope, [from]);
  await replaceInRules(tx, scope, from, [to], now);
}

/** Replace an address in rules, and in those that were deleted while the end of their alerts waits to be sent. */
async function replaceInRules(
  tx: Tx,
  scope: OrganizationScope,
  mail: string,
  instead: readonly string[],
  now: Date,
): Promise<void> {
  // Before any rule, as all who change rules: others would wait for each other in a circle.
  await lockRules(tx, scope);
  const naming = await lockRulesNaming(tx, scope, mail);
  for (const { id, channels } of naming) await saveChannels(tx, scope, id, replaceMail(channels, mail, instead), now);
  for (const { rule_id: id, channels } of await lockDeletedRulesNaming(tx, scope, mail))
    await saveDeletedChannels(tx, scope, id, replaceMail(channels, mail, instead));
  if (naming.length > 0) await announce(tx, scope, 'alerts', []);
}

function replaceMail({ escalation, ...channels }: alerts.Channels, mail: string, instead: readonly string[]): alerts.Channels {
  const rest = (mails: readonly string[]) => [...new Set(mails.flatMap((each) => (each === mail ? instead : [each])))];
  const escalated = escalation === null ? null : { ...escalation, mails: rest(escalation.mails) };
  const isEmpty = escalated !== null && escalated.mails.length + (escalated.webhooks ?? []).length === 0;
  return { ...channels, mails: rest(channels.mails), escalation: isEmpty ? null : escalated };
}

/** @throws DomainError `permission.denied` */
function rejectOthers({ role, email }: Actor, mails: readonly string[]): void {
  if (role === 'user' && mails.some((mail) => mail !== email)) throw new DomainError('permission.denied', { field: 'mail' });
}

export async function recordPerson(
  tx: Tx,
  scope: OrganizationScope,
  actor: Actor,
  mail: string,
  action: AuditAction,
  detail: Readonly<Record<string, unknown>>,
  now: Date,
): Promise<void> {
  await announce(tx, scope, 'alerts', []);
  await recordAudit(tx, scope.organizationId, actor, { action, subject: { kind: 'notification', id: mail }, detail }, now);
}
