import { DomainError, isId, newId, required, type Actor, type OrganizationScope, type Scope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { closeGuestAccount, countPerson, endMailsOf, setVisitOfSession } from '../accounts/index.ts';
import { type AuditActor, recordAudit, sentence, serverActor } from '../logs/index.ts';
import { addSupport, addGuest, type VisitDeps, type OpenInput, mailGuest } from './adding-visitors.ts';
import { takeLeaving, takeOver, type DueVisit } from './visits.job.queries.ts';
import { countOpen, findOpenTo, findVisit, type VisitRow } from './visits.queries.ts';
import { endVisitRow, lockVisits } from './visits.store.ts';

const AT_ONCE = 200;
/** The organization of an admin. @throws DomainError `permission.denied` */
export function hostOf({ mainAccountId, organizationId }: Actor): OrganizationScope {
  if (organizationId === null) throw new DomainError('permission.denied');
  return { kind: 'organization', mainAccountId, organizationId };
}

/**
 * Let the people of the main account in, or a guest (IAM-05). The caller is at home and signed in.
 * @returns its id
 * @throws DomainError `approval.in_person` for a program, `request.invalid`, `visit.too_many`, `visit.is_member`, `visit.open_already`,
 * `account.exists` for an address of another main account, `group.not_found`
 */
export async function openVisit(deps: VisitDeps, actor: Actor, input: OpenInput): Promise<string> {
  if (actor.key !== undefined) throw new DomainError('approval.in_person');
  const scope = hostOf(actor);
  const now = deps.clock.now();
  return deps.database.write(async (tx) => {
    await lockVisits(tx, scope);
    if (input.kind === 'guest') await countPerson(tx, actor.accountId, now);
    const id = newId(now.getTime());
    if ((await countOpen(tx, scope, null)).all >= MOST_VISITS) throw new DomainError('visit.too_many');
    const add = input.kind === 'support' ? addSupport : addGuest;
    const action = await add(tx, deps, scope, actor, id, input, now);
    await announceVisit(tx, scope);
    const { kind, role, email = '' } = input;
    await recordAudit(
      tx,
      scope.organizationId,
      actor,
      { action, subject: { kind: 'visit', id }, detail: { kind, role, email } },
      now,
    );
    return id;
  });
}

const MOST_VISITS = 100;

/** Consoles that show it, and sessions that may be over. */
async function announceVisit(tx: Tx, scope: Scope): Promise<void> {
  await announce(tx, scope, 'visits', []);
  await announce(tx, scope, 'accounts', []);
}

/** Whom an entry calls a visitor. */
const visitorOf = ({ email }: Pick<VisitRow, 'email'>) => email ?? sentence('part.support');

/**
 * End a visit at once: its sessions read as ended, and their streams and remote sessions end (IAM-05).
 * @throws DomainError `visit.not_found`
 */
export async function endVisit({ database, clock }: VisitDeps, actor: Actor, id: string): Promise<void> {
  const scope = hostOf(actor);
  const now = clock.now();
  await database.write(async (tx) => {
    await lockVisits(tx, scope);
    const visit = required(isId(id) ? await findVisit(tx, scope, id) : undefined, 'visit.not_found');
    if (!(await endVisitRow(tx, scope, id, actor.email, now))) return;
    await endStay(tx, scope, visit, now);
    await announceVisit(tx, scope);
    const event = {
      action: sentence('visit.ended', visitorOf(visit)),
      subject: { kind: 'visit', id },
      detail: { kind: visit.kind },
    };
    await recordAudit(tx, scope.organizationId, actor, event, now);
  });
}

/** What the guest of a visit has in the organization ends: a role there, and mails. */
async function endStay(
  tx: Tx,
  scope: OrganizationScope,
  { account_id: id, email }: Pick<VisitRow, 'account_id' | 'email'>,
  now: Date,
): Promise<void> {
  if (id === null || email === null) return;
  await closeGuestAccount(tx, scope, id);
  await endMailsOf(tx, scope, { id, email }, now);
}

/** The company whose people an actor is one of. */
const homeOf = ({ mainAccountId, organizationId }: Actor): Scope =>
  organizationId === null ? { kind: 'main', mainAccountId } : { kind: 'organization', mainAccountId, organizationId };

/**
 * Act in an organization with this session (IAM-05). Other windows of the session load again.
 * @throws DomainError `approval.in_person` for a program, `visit.not_found` for one that is over or not the caller's
 */
export async function enterVisit({ database, clock }: VisitDeps, actor: Actor, id: string): Promise<void> {
  if (actor.key !== undefined) throw new DomainError('approval.in_person');
  const now = clock.now();
  await database.write(async (tx) => {
    const visit = required(isId(id) ? await findOpenTo(tx, actor, id, now) : undefined, 'visit.not_found');
    if (!(await setVisitOfSession(tx, actor, id))) throw new DomainError('session.invalid');
    await announce(tx, homeOf(actor), 'accounts', [actor.accountId]);
    const { kind, role, organization_id: chain, granted_by_email: by } = visit;
    const visitor: AuditActor = { ...actor, with: [{ as: kind, email: by }] };
    const event = { action: sentence('visit.entered', { terms: [role] }), subject: { kind: 'visit', id }, detail: { kind } };
    await recordAudit(tx, chain, visitor, event, now);
  });
}

/** Act in the own company again with this session. */
export async function leaveVisit({ database, clock }: VisitDeps, actor: Actor): Promise<void> {
  const { visit } = actor;
  if (visit === undefined || visit.atHome) return;
  const scope = hostOf(actor);
  await database.write(async (tx) => {
    await setVisitOfSession(tx, actor, null);
    await announce(tx, scope, 'accounts', [actor.accountId]);
    const event = { action: sentence('visit.left'), subject: { kind: 'visit', id: visit.id }, detail: { kind: visit.kind } };
    await recordAudit(tx, scope.organizationId, actor, event, clock.now());
  });
}

/** A job: visits end by themselves, and guests get a mail a week before. @param origin address of the console */
export async function runVisits({ database }: Pick<VisitDeps, 'database'>, origin: string, now: Date): Promise<void> {
  await database.write(async (tx) => {
    for (const visit of await takeOver(tx, now, AT_ONCE)) await endByItself(tx, visit, now);
  });
  await database.write(async (tx) => {
    for (const guest of await takeLeaving(tx, now, AT_ONCE)) await mailGuest(tx, 'leaving', guest, origin, now);
  });
}

async function endByItself(tx: Tx, visit: DueVisit, now: Date): Promise<void> {
  const { id, main_account_id: mainAccountId, organization_id: organizationId } = visit;
  const scope: OrganizationScope = { kind: 'organization', mainAccountId, organizationId };
  await endVisitRow(tx, scope, id, null, now);
  await endStay(tx, scope, visit, now);
  await announceVisit(tx, scope);
  const event = { action: sentence('visit.expired', visitorOf(visit)), subject: { kind: 'visit', id }, detail: {} };
  await recordAudit(tx, organizationId, serverActor, event, now);
}
