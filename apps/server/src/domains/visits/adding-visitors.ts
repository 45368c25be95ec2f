import { normalizeGroupKey, type visits as calls } from '@highline/contract';
import type { z } from 'zod';
import { type Actor, DomainError, invalidField, type OrganizationScope, required, type Sealing } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { belongsNowhere, inviteAccount, replaceLimit, type Invitation } from '../accounts/index.ts';
import { getGroup } from '../groups/index.ts';
import { sentence } from '../logs/index.ts';
import { enqueueMail } from '../mails/index.ts';
import { guestMail } from './guest-mails.ts';
import type { DueVisit } from './visits.job.queries.ts';
import { countOpen, findPersonAt, findVisit } from './visits.queries.ts';
import { endSupport, insertVisit } from './visits.store.ts';

export interface VisitDeps extends Pick<Deps, 'database' | 'clock'> {
  readonly mailSealing: Sealing;
}

export type OpenInput = z.output<typeof calls.openVisit.body> & Pick<Invitation, 'origin'>;

const HOUR_MS = 3_600_000;

const DAY_MS = 86_400_000;

const untilPart = (until: Date | null) =>
  until === null ? sentence('part.always') : `${until.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

export async function addSupport(
  tx: Tx,
  _deps: VisitDeps,
  scope: OrganizationScope,
  actor: Actor,
  id: string,
  { role, hours }: OpenInput,
  now: Date,
) {
  const until = hours === undefined ? null : new Date(now.getTime() + hours * HOUR_MS);
  await endSupport(tx, scope, actor.email, now);
  await insertVisit(tx, scope, { id, kind: 'support', role, granted_by_email: actor.email, created_at: now, until });
  return sentence('visit.support_opened', { terms: [role] }, untilPart(until));
}

export async function addGuest(
  tx: Tx,
  { mailSealing }: VisitDeps,
  scope: OrganizationScope,
  actor: Actor,
  id: string,
  { role, email, name, days, groups, language = 'en-US', origin }: OpenInput,
  now: Date,
) {
  if (email === undefined) throw invalidField('email', 'is missing');
  if (days === undefined) throw invalidField('days', 'is missing');
  const keys = groups === undefined ? null : [...new Set(groups.map(normalizeGroupKey))];
  for (const key of keys ?? []) await getGroup(tx, scope, key);
  const until = new Date(now.getTime() + days * DAY_MS);
  const known = await findPersonAt(tx, scope, email);
  if (known !== undefined && (await countOpen(tx, scope, known.id)).own > 0)
    throw new DomainError('visit.open_already', { field: 'email' });
  // An account of before is invited again.
  const person = known === undefined || (await belongsNowhere(tx, known)) ? undefined : known;
  if (person?.organization_id === null || person?.organization_id === scope.organizationId)
    throw new DomainError('visit.is_member', { field: 'email' });
  const invitation = { email, name, role, isContact: false, language, origin, mailSealing };
  const accountId = person?.id ?? (await inviteAccount(tx, scope, invitation, actor, now)).id;
  if (person === undefined && keys !== null) await replaceLimit(tx, scope, accountId, { groups: keys, tags: [] }, now);
  // One of the organization alone is limited as its people are.
  const group_keys = person === undefined ? null : keys;
  const row = {
    id,
    kind: 'guest' as const,
    account_id: accountId,
    role,
    group_keys,
    granted_by_email: actor.email,
    created_at: now,
    until,
  };
  await insertVisit(tx, scope, row);
  if (person !== undefined) {
    const visit = required(await findVisit(tx, scope, id), 'visit.not_found');
    await mailGuest(tx, 'added', { ...visit, language: person.language }, `${origin}/access?mine=true`, now);
  }
  return sentence('visit.guest_added', email, { terms: [role] }, untilPart(until));
}

export async function mailGuest(
  tx: Tx,
  kind: 'added' | 'leaving',
  guest: Pick<DueVisit, 'email' | 'name' | 'language' | 'organization' | 'until' | 'organization_id'>,
  link: string,
  now: Date,
): Promise<void> {
  const { email, until, organization_id: organizationId } = guest;
  if (email === null || until === null) return;
  await enqueueMail(tx, { to: email, ...guestMail(kind, guest, until, link), kind: 'account', organizationId }, now);
}
