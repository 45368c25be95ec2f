import { DomainError, type Actor, type MainScope, type OrganizationScope } from '../../kernel/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Database, Tx } from '../../platform/ports/database.ts';
import { countPerson, inviteAccount, type Invitation } from '../accounts/index.ts';
import { addStarterRules } from '../alerts/index.ts';
import { recordAudit, sentence } from '../logs/index.ts';
import { checked, furnish, type NewOrganization } from './organizations.service.ts';
import { findRequested, insertOrganization } from './organizations.store.ts';

/** A new organization from the wizard (ORG-03). */
export interface Opening extends NewOrganization {
  /** Invited as the organization's admin. */
  readonly contact?: Pick<Invitation, 'email' | 'name'> | undefined;
  readonly mail: Pick<Invitation, 'language' | 'origin' | 'mailSealing'>;
  /** A repeated call with the same key, name and contact returns the organization that the first one created. */
  readonly requestKey?: string | undefined;
}

/** Rolls back a dry run. */
class Rehearsed extends Error {}

export type OpeningDeps = Pick<Deps, 'database' | 'clock'>;

/**
 * Create an organization, and invite its contact, all or none.
 * @returns its id
 * @throws DomainError `account.exists` for a contact that already belongs to an organization, `organization.key_reused`,
 * `request.invalid`, `account.too_many_tries` after several hundred contacts in a day
 */
export async function openOrganization(
  { database, clock }: OpeningDeps,
  scope: MainScope,
  actor: Actor,
  opening: Opening,
): Promise<string> {
  await countContact(database, actor, opening, clock.now());
  return database.write((tx) => open(tx, scope, actor, opening, clock.now()));
}

/** A dry run counts as well: it shows whether an address is taken. */
async function countContact(database: Database, actor: Actor, { contact }: Opening, now: Date): Promise<void> {
  if (contact !== undefined) await database.write((tx) => countPerson(tx, actor.accountId, now));
}

/** Check whether that would succeed, by doing it and rolling it back. @throws DomainError as `openOrganization` */
export async function rehearseOpening(
  { database, clock }: OpeningDeps,
  scope: MainScope,
  actor: Actor,
  opening: Opening,
): Promise<void> {
  await countContact(database, actor, opening, clock.now());
  try {
    await database.write(async (tx) => {
      await open(tx, scope, actor, opening, clock.now());
      throw new Rehearsed();
    });
  } catch (error) {
    if (!(error instanceof Rehearsed)) throw error;
  }
}

async function open(tx: Tx, scope: MainScope, actor: Actor, opening: Opening, now: Date): Promise<string> {
  const { contact, mail, requestKey } = opening;
  const record = checked(opening, now);
  const created: OrganizationScope = { kind: 'organization', mainAccountId: scope.mainAccountId, organizationId: record.id };
  if (!(await insertOrganization(tx, scope, record, requestKey ?? null, now))) return earlier(tx, scope, opening, record.name);
  await furnish(tx, created, actor, record, now);
  await addStarterRules(tx, created, mail.language ?? 'en-US', now);
  if (contact !== undefined)
    await inviteAccount(tx, created, { ...contact, ...mail, role: 'admin', isContact: true }, actor, now);
  const subject = { kind: 'organization', id: record.id };
  const detail = { name: record.name, contact: contact?.email ?? null };
  await recordAudit(
    tx,
    scope.mainAccountId,
    actor,
    { action: sentence('organization.created', record.name), subject, detail },
    now,
  );
  return record.id;
}

async function earlier(tx: Tx, scope: MainScope, { contact, requestKey }: Opening, name: string): Promise<string> {
  const id = await findRequested(tx, scope, requestKey!, { name, contact: contact?.email });
  if (id === undefined) throw new DomainError('organization.key_reused');
  return id;
}
