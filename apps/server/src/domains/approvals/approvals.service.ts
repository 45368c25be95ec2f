import { approvals as calls, type Right } from '@highline/contract';
import { DomainError, isId, newId, required, type Actor, type Scope } from '../../kernel/index.ts';
import { withoutLimit, type CallSteps } from '../../platform/calls/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Database, Queries, Tx } from '../../platform/ports/database.ts';
import { recordAudit, sentence, type AuditActor } from '../logs/index.ts';
import { enqueueMail, enqueueMails } from '../mails/index.ts';
import { decisionMail, requestMail } from './approval-mails.ts';
import { takeExpired } from './approvals.job.queries.ts';
import {
  companyIdOf,
  findApproval,
  findDeciders,
  findPerson,
  type ApprovalRow,
  type ShownApproval,
  type StoredApprovalCall,
} from './approvals.queries.ts';
import {
  countWaiting,
  endApproval,
  findSame,
  insertApproval,
  lockApproval,
  lockCompany,
  updateEffect,
} from './approvals.store.ts';
import { companyOf, digestOf, EffectChanged, withApproval, type ApprovalNeeded, type Effect } from './effect.ts';

/** A call of a person, as it was checked. */
export interface HeldCall extends StoredApprovalCall {
  readonly operation: string;
  readonly actor: Actor;
}

/** Makes a call that was checked and stored, in the name of its author. */
export type Replay = (
  operation: string,
  call: StoredApprovalCall & { readonly actor: Actor; readonly scope: Scope },
  steps: CallSteps,
) => Promise<void>;

export interface ApprovalDeps extends Pick<Deps, 'database' | 'clock'> {
  readonly operations: () => readonly Right[];
  readonly replay: Replay;
  /** What an actor may do now, without a session; undefined = not this call. */
  readonly findAllowedIn: (
    queries: Queries,
    actor: Actor,
    right: Right,
  ) => Promise<Pick<Actor, 'limit' | 'ownRole' | 'key'> | undefined>;
  /** Address of the console in mails. */
  readonly mailOrigin: () => string;
}

/** How a person decided. */
export interface DecisionInput {
  readonly decision: calls.Decision;
  readonly confirmation?: string | undefined;
  readonly reason?: string | undefined;
}

const DAY_MS = 86_400_000;
/** People who get a mail about one request. */
const MOST_MAILS = 100;

/** The company whose people someone is one of. */
export const homeOf = ({ mainAccountId, organizationId }: Pick<Actor, 'mainAccountId' | 'organizationId'>): Scope =>
  organizationId === null ? { kind: 'main', mainAccountId } : { kind: 'organization', mainAccountId, organizationId };

/** The scope that a request is done in. */
const scopeOf = ({ main_account_id: mainAccountId, organization_id: organizationId }: ApprovalRow): Scope =>
  homeOf({ mainAccountId, organizationId });

/** The sentence that stands for a request in the log: its first act. */
const partOf = ({ acts }: Pick<ApprovalRow, 'acts'>) => acts[0] ?? '';

/**
 * Store a call that a second person has to approve, and write to those who may (IAM-07). The same call again is the same request.
 * @returns the failure that answers the call, with the id of the request
 */
export async function holdCall(
  { database, clock, mailOrigin }: ApprovalDeps,
  { effect, scope }: ApprovalNeeded,
  { operation, actor, ...call }: HeldCall,
): Promise<DomainError> {
  const company = companyOf(effect.rule, scope);
  const now = clock.now();
  const expires = new Date(now.getTime() + calls.APPROVAL_DAYS * DAY_MS);
  const stored = effectOf(effect);
  const request = {
    requested_by: actor.accountId,
    operation,
    digest: stored.digest,
    call: JSON.stringify(withoutPassword(call)),
  };
  const store = async (tx: Tx): Promise<string> => {
    await lockCompany(tx, company);
    const same = await findSame(tx, company, request);
    if (same !== undefined) return same;
    if ((await countWaiting(tx, company)) >= calls.MOST_WAITING) throw new DomainError('approval.too_many');
    const id = newId(now.getTime());
    const row = {
      ...request,
      ...stored,
      id,
      organization_id: scope.kind === 'organization' ? scope.organizationId : null,
      rule: effect.rule,
      // With what its key may do, which is compared again.
      author: JSON.stringify(actor),
      requested_by_email: actor.email,
      created_at: now,
      expires_at: expires,
    };
    await insertApproval(tx, company, row);
    const deciders = await findDeciders(tx, company, actor.accountId, MOST_MAILS);
    const about = { ...effect, acts: [...effect.acts], names: [...effect.names], requested_by_email: actor.email };
    const mails = deciders.map((person) => ({
      to: person.email,
      ...requestMail(person, about, `${mailOrigin()}/approvals`),
      kind: 'account' as const,
      organizationId: company.kind === 'organization' ? company.organizationId : null,
    }));
    await enqueueMails(tx, mails, now);
    await announce(tx, company, 'approvals', [id]);
    const detail = { routers: effect.routers, names: effect.names, expires: expires.toISOString() };
    const action = sentence('approval.requested', partOf(about));
    await recordAudit(tx, companyIdOf(company), actor, { action, subject: { kind: 'approval', id }, detail }, now);
    return id;
  };
  const approval = await database.write((tx) => withoutLimit(tx, () => store(tx)));
  return new DomainError('approval.waiting', { detail: { approval, expires: expires.toISOString() } });
}

/** Passwords prove who calls, and are not stored. */
function withoutPassword({ params, query, body, ifMatch }: StoredApprovalCall): StoredApprovalCall {
  const isSecret = typeof body === 'object' && body !== null && 'password' in body;
  return { params, query, body: isSecret ? { ...body, password: '' } : body, ifMatch };
}

function effectOf(effect: Effect) {
  return {
    acts: JSON.stringify(effect.acts),
    routers: effect.routers,
    names: effect.names.slice(0, calls.MOST_APPROVAL_NAMES),
    digest: digestOf(effect),
  };
}

/** Decides on requests (IAM-07). */
export function createDecisions(deps: ApprovalDeps) {
  const { database, clock, operations, findAllowedIn } = deps;

  const rightOf = ({ operation }: Pick<ApprovalRow, 'operation'>): Right =>
    required(
      operations().find(({ id }) => id === operation),
      'approval.not_found',
    );

  /** @throws DomainError `approval.own`, `permission.denied` */
  const requireDecider = async (queries: Queries, actor: Actor, row: ApprovalRow): Promise<void> => {
    if (row.requested_by === actor.accountId) throw new DomainError('approval.own');
    const allowed = await findAllowedIn(queries, actor, rightOf(row));
    // Someone who sees only some devices cannot see all that it touches.
    if (allowed === undefined || allowed.limit !== undefined) throw new DomainError('permission.denied');
  };

  /**
   * Within the transaction of the act, which sees only what its author sees: the request still waits, and both may still do it.
   * @throws DomainError
   */
  const readmit = async (tx: Tx, actor: Actor, company: Scope, id: string): Promise<ApprovalRow> => {
    const row = await lockWaiting(tx, company, id, clock.now());
    await requireDecider(tx, actor, row);
    if ((await findAllowedIn(tx, row.author, rightOf(row))) === undefined) throw new DomainError('approval.requester');
    return row;
  };

  /** The decision, in the transaction of the act. */
  const recordApproved = async (tx: Tx, actor: Actor, row: ApprovalRow, reason: string): Promise<void> => {
    const now = clock.now();
    await endApproval(tx, companyOf(row.rule, scopeOf(row)), row.id, 'approved', { by: actor.email, reason, now });
    await tell(tx, row, { isApproved: true, by: actor.email, reason }, now);
    await announce(tx, companyOf(row.rule, scopeOf(row)), 'approvals', [row.id]);
    const action = sentence('approval.approved', partOf(row), row.requested_by_email);
    const event = { action, subject: { kind: 'approval', id: row.id }, detail: { reason } };
    await recordAudit(tx, row.company_id, actor, event, now);
  };

  const approve = async (actor: Actor, company: Scope, seen: ApprovalRow, reason: string): Promise<void> => {
    let done = false;
    const steps: CallSteps = {
      async first(tx) {
        if (!done) await withoutLimit(tx, () => readmit(tx, actor, company, seen.id));
      },
      async last(tx, isEffect) {
        if (done || !isEffect) return;
        await withoutLimit(tx, () => recordApproved(tx, actor, seen, reason));
        done = true;
      },
    };
    // The act checks further rights than that of the call, and by what they are now.
    const allowed = required(await findAllowedIn(database.read, seen.author, rightOf(seen)), 'approval.requester');
    const author: Actor = {
      ...seen.author,
      ...allowed,
      with: [...(seen.author.with ?? []), { as: 'approval', email: actor.email }],
    };
    const scope = scopeOf(seen);
    await withApproval(seen.digest, () => deps.replay(seen.operation, { ...seen.call, actor: author, scope }, steps));
    // It changed nothing, because it is as requested already.
    if (!done) await database.write(async (tx) => recordApproved(tx, actor, await readmit(tx, actor, company, seen.id), reason));
  };

  /** What is to be decided now is stored, so that it is shown. */
  const keepChange = async (company: Scope, seen: ApprovalRow, effect: Effect): Promise<void> => {
    await database.write(async (tx) => {
      await updateEffect(tx, company, seen.id, effectOf(effect));
      await announce(tx, company, 'approvals', [seen.id]);
    });
  };

  return {
    rightOf,

    /**
     * Approve a request, which is done at once and with its entries in one transaction; or end it.
     * @throws DomainError `approval.not_found`, `approval.not_waiting`, `approval.own`, `approval.in_person`, `approval.changed` where it would touch
     * something else than the confirmation stands for, `approval.requester`, `approval.reason`, `permission.denied`, and as the act itself
     */
    async decide(actor: Actor, id: string, { decision, confirmation, reason = '' }: DecisionInput): Promise<ShownApproval> {
      if (actor.key !== undefined) throw new DomainError('approval.in_person');
      const company = homeOf(actor);
      const seen = required(isId(id) ? await findApproval(database.read, company, id) : undefined, 'approval.not_found');
      if (decision === 'approve') {
        await requireDecider(database.read, actor, seen);
        if (seen.state !== 'waiting') throw new DomainError('approval.not_waiting');
        if (confirmation !== seen.digest) throw new DomainError('approval.changed');
        try {
          await approve(actor, company, seen, reason);
        } catch (error) {
          if (error instanceof EffectChanged) await keepChange(company, seen, error.effect);
          throw error;
        }
      } else await endUndone(actor, company, seen.id, decision, reason);
      return required(await findApproval(database.read, company, seen.id), 'approval.not_found');
    },

    /** A job: requests that no one decided in time. */
    expire: (now: Date): Promise<void> => expireWaiting(database, now),
  };

  /** Rejected by someone who may decide, or withdrawn by who requested it. */
  async function endUndone(actor: Actor, company: Scope, id: string, decision: 'reject' | 'withdraw', reason: string) {
    const now = clock.now();
    await database.write(async (tx) => {
      const row = await lockWaiting(tx, company, id, now);
      if (decision === 'withdraw') {
        if (row.requested_by !== actor.accountId) throw new DomainError('permission.denied');
      } else {
        await requireDecider(tx, actor, row);
        if (reason === '') throw new DomainError('approval.reason', { field: 'reason' });
        await tell(tx, row, { isApproved: false, by: actor.email, reason }, now);
      }
      await endApproval(tx, company, id, decision === 'reject' ? 'rejected' : 'withdrawn', { by: actor.email, reason, now });
      await announce(tx, company, 'approvals', [row.id]);
      const action =
        decision === 'reject'
          ? sentence('approval.rejected', partOf(row), row.requested_by_email)
          : sentence('approval.withdrawn', partOf(row));
      await recordAudit(tx, row.company_id, actor, { action, subject: { kind: 'approval', id }, detail: { reason } }, now);
    });
  }
}

const EXPIRED_AT_ONCE = 200;
/** Actor of entries that the server writes by itself. */
const itself: AuditActor = { accountId: null, email: 'Highline', role: 'system', address: '' };

async function expireWaiting(database: Database, now: Date): Promise<void> {
  await database.write(async (tx) => {
    for (const row of await takeExpired(tx, now, EXPIRED_AT_ONCE)) {
      const company = homeOf({
        mainAccountId: row.main_account_id,
        organizationId: row.company_id === row.main_account_id ? null : row.company_id,
      });
      await announce(tx, company, 'approvals', [row.id]);
      const action = sentence('approval.expired', partOf(row), row.requested_by_email);
      await recordAudit(tx, row.company_id, itself, { action, subject: { kind: 'approval', id: row.id }, detail: {} }, now);
    }
  });
}

/** @throws DomainError `approval.not_found`, `approval.not_waiting` */
async function lockWaiting(tx: Tx, company: Scope, id: string, now: Date): Promise<ApprovalRow> {
  const row = required(await lockApproval(tx, company, id), 'approval.not_found');
  if (row.state !== 'waiting' || row.expires_at <= now) throw new DomainError('approval.not_waiting');
  return row;
}

/** A mail to who requested it. */
async function tell(tx: Tx, row: ApprovalRow, how: Parameters<typeof decisionMail>[2], now: Date): Promise<void> {
  const person = await findPerson(tx, { mainAccountId: row.main_account_id }, row.requested_by);
  if (person === undefined) return;
  const organizationId = row.author.organizationId;
  await enqueueMail(tx, { to: person.email, ...decisionMail(person, row, how), kind: 'account', organizationId }, now);
}

/** A request as the API returns it to a person. */
export function toApprovalDto(row: ShownApproval, actor: Actor, right: Pick<Right, 'roles'> | undefined): calls.Approval {
  const isOwn = row.requested_by === actor.accountId;
  const { visit, role, ownRole } = row.author;
  const isDecider = !isOwn && actor.key === undefined && actor.limit === undefined && right?.roles.includes(actor.role) === true;
  return {
    id: row.id,
    rule: row.rule,
    state: row.state,
    acts: row.acts as calls.Approval['acts'],
    routers: row.routers,
    names: row.names,
    confirmation: row.digest,
    by: row.requested_by_email,
    requester: { kind: visit?.kind ?? 'home', role, ownRole: ownRole?.name ?? null, company: row.requester_company },
    mayDecide: row.state === 'waiting' && isDecider,
    isOwn,
    created: row.created_at.toISOString(),
    expires: row.expires_at.toISOString(),
    decided: row.decided_at?.toISOString() ?? null,
    decidedBy: row.decided_by_email,
    reason: row.reason,
  };
}
