import { signInPolicy } from '@highline/contract';
import type { z } from 'zod';
import { cidrOf, DomainError, isId, required, type Actor, type MainScope, type OrganizationScope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import { recordAudit, sentence } from '../logs/index.ts';
import { enqueueMail, enqueueMails } from '../mails/index.ts';
import { homeOf } from './account.audit.ts';
import { findLanguage, findVisible, lockAdmins, lockVisible, type AccountRow } from './accounts.store.ts';
import { lockMainAccount } from './colleagues.store.ts';
import { countBreakGlass } from './company-sign-in.queries.ts';
import { toSessionDto } from './own-sessions.ts';
import { endBrowsersWithoutSession, endEverySession } from './every-session.ts';
import { deleteSessionOf, findSessionsOf, IDLE_MS, LIFETIME_MS } from './sessions.store.ts';
import { policyMail, signInMail } from './sign-in-mails.ts';
import {
  countPeople,
  findAdmins,
  findConcerned,
  findPolicy,
  findSignInRules,
  type PolicyRow,
  type SignInRules,
} from './sign-in-policy.queries.ts';
import { putPolicy, type PolicyValues } from './sign-in-policy.store.ts';

export interface SignInPolicyDeps extends Pick<Deps, 'database' | 'clock'> {
  readonly endStreams: (which: { readonly sessionId: string } | { readonly accountId: string }) => void;
}

type Company = MainScope | OrganizationScope;
type PolicyInput = z.output<typeof signInPolicy.savePolicy.body>;
const MAILS_AT_ONCE = 500;

/** A company without a policy. */
const usual: Omit<PolicyRow, 'changed_by_email' | 'version'> = {
  needs_factor: false,
  idle_minutes: IDLE_MS / 60_000,
  lifetime_hours: LIFETIME_MS / 3_600_000,
  ranges: [],
  excepted: [],
};

/**
 * The rules for a sign-in of an account from an address, which they allow.
 * @throws DomainError `account.address_not_allowed`
 */
export async function checkAddress(queries: Queries, account: AccountRow, address: string): Promise<SignInRules> {
  const company = homeOf({ mainAccountId: account.main_account_id, organizationId: account.organization_id });
  const rules = await findSignInRules(queries, company, { email: account.email, address });
  if (!rules.is_in_range) throw new DomainError('account.address_not_allowed');
  return rules;
}

/** The policy of the own company, and the sessions of the people of whom one is an admin (IAM-06). */
export function createSignInPolicy({ database, clock, endStreams }: SignInPolicyDeps) {
  const getManaged = async (actor: Actor, id: string): Promise<AccountRow> =>
    required(isId(id) ? await findVisible(database.read, actor, id) : undefined, 'account.not_found');

  return {
    async readPolicy(actor: Actor): Promise<signInPolicy.SignInPolicy> {
      const company = homeOf(actor);
      const row = await findPolicy(database.read, company);
      const { people, without } = await countPeople(database.read, company);
      const { needs_factor, idle_minutes, lifetime_hours, ranges, excepted } = row ?? usual;
      return {
        needsFactor: needs_factor,
        idleMinutes: idle_minutes,
        lifetimeHours: lifetime_hours,
        ranges,
        excepted,
        address: actor.address,
        people,
        withoutFactor: without,
        by: row?.changed_by_email ?? null,
        version: String(row?.version ?? 0),
      };
    },

    /**
     * Replace the policy. Sessions that it does not allow end at once; people who have no second factor set one up at their next
     * sign-in. Whom the change concerns gets a mail.
     * @throws DomainError `policy.range_invalid`, `policy.excepted_missing`, `policy.excludes_you` unless confirmed, `conflict.stale`
     */
    async savePolicy(actor: Actor, input: PolicyInput, isCurrent: (version: string) => boolean): Promise<void> {
      const company = homeOf(actor);
      const policy = valuesOf(input);
      await database.write(async (tx) => {
        await lockCompany(tx, company);
        const before = await findPolicy(tx, company);
        if (!isCurrent(String(before?.version ?? 0))) throw new DomainError('conflict.stale');
        if (policy.ranges.length > 0 && (await countBreakGlass(tx, company, policy.excepted)) === 0)
          throw new DomainError('policy.excepted_missing', { field: 'excepted' });
        const now = clock.now();
        await putPolicy(tx, company, policy, actor.email, now);
        const { is_in_range: isInRange } = await findSignInRules(tx, company, actor);
        if (!isInRange && input.confirmed !== true)
          throw new DomainError('policy.excludes_you', { field: 'ranges', detail: { address: actor.address } });
        const after = required(await findPolicy(tx, company), 'not_found');
        await mailChange(tx, company, actor, before ?? usual, after, now);
        // Every stream and tunnel of the company looks again whether its session goes on.
        await announce(tx, company, 'accounts', []);
        const detail = { before: before === undefined ? null : detailOf(before), after: detailOf(after) };
        const chain = actor.organizationId ?? actor.mainAccountId;
        const subject = { kind: 'policy', id: chain };
        await recordAudit(tx, chain, actor, { action: sentence('policy.changed'), subject, detail }, now);
      });
    },

    /** Whom a person asks who may not open something (IAM-08). */
    async listAdmins(actor: Actor) {
      const admins = await findAdmins(database.read, homeOf(actor), signInPolicy.MOST_ADMINS_NAMED);
      return admins.map(({ name, email }) => ({ name, email }));
    },

    /** @throws DomainError `account.not_found` */
    async listSessionsOf(actor: Actor, id: string) {
      const account = await getManaged(actor, id);
      const rows = await findSessionsOf(database.read, actor, account.id, clock.now());
      return rows.map((row) => toSessionDto(row, actor));
    },

    /**
     * End a session of a colleague, or all of them, who gets a mail.
     * @param which id of a session, or 'all'
     * @returns how many ended
     * @throws DomainError `account.not_found`, `account.is_self`
     */
    async endSessionOf(actor: Actor, id: string, which: string): Promise<number> {
      if (id === actor.accountId) throw new DomainError('account.is_self');
      const ended = await database.write(async (tx) => {
        const account = required(isId(id) ? await lockVisible(tx, actor, id) : undefined, 'account.not_found');
        const count = await deleteOf(tx, account, which, clock.now());
        if (count > 0) await recordEnd(tx, actor, account, { which, count }, clock.now());
        return count;
      });
      if (ended > 0) endStreams(which === 'all' ? { accountId: id } : { sessionId: which });
      return ended;
    },
  };
}

async function deleteOf(tx: Tx, { id, main_account_id: mainAccountId }: AccountRow, which: string, now: Date): Promise<number> {
  if (which === 'all') return endEverySession(tx, id);
  if (!/^[0-9a-f]{64}$/u.test(which) || !(await deleteSessionOf(tx, id, Buffer.from(which, 'hex')))) return 0;
  await endBrowsersWithoutSession(tx, { mainAccountId }, [id], now);
  return 1;
}

async function recordEnd(
  tx: Tx,
  actor: Actor,
  account: AccountRow,
  { which, count }: { readonly which: string; readonly count: number },
  now: Date,
): Promise<void> {
  const home = { mainAccountId: account.main_account_id, organizationId: account.organization_id };
  const language = await findLanguage(tx, account.id);
  const mail = signInMail('sessionsEnded', { language, name: account.name }, actor.email);
  await enqueueMail(tx, { to: account.email, ...mail, kind: 'account', organizationId: home.organizationId }, now);
  await announce(tx, homeOf(home), 'accounts', [account.id]);
  const action =
    which === 'all'
      ? sentence('session.colleague_signed_out', account.email)
      : sentence('session.colleague_ended', account.email);
  const event = { action, subject: { kind: 'account', id: account.id }, detail: { sessions: count } };
  await recordAudit(tx, home.organizationId ?? home.mainAccountId, actor, event, now);
}

/** @throws DomainError `policy.range_invalid` */
function valuesOf({ needsFactor, idleMinutes, lifetimeHours, ranges, excepted }: PolicyInput): PolicyValues {
  const networks = ranges.map((range, index) => required(cidrOf(range), 'policy.range_invalid', { field: `ranges.${index}` }));
  return { needsFactor, idleMinutes, lifetimeHours, ranges: networks, excepted: [...new Set(excepted)].toSorted() };
}

async function lockCompany(tx: Tx, company: Company): Promise<void> {
  if (company.kind === 'main') await lockMainAccount(tx, company);
  else if (!(await lockAdmins(tx, company))) throw new DomainError('not_found');
}

type Rules = Pick<PolicyRow, 'needs_factor' | 'idle_minutes' | 'lifetime_hours' | 'ranges' | 'excepted'>;

const detailOf = ({ needs_factor, idle_minutes, lifetime_hours, ranges, excepted }: Rules) => ({
  needsFactor: needs_factor,
  idleMinutes: idle_minutes,
  lifetimeHours: lifetime_hours,
  ranges,
  excepted,
});

/** A mail to everyone whom a change concerns: all people of the company, or those who are excepted since or no longer. */
async function mailChange(tx: Tx, company: Company, actor: Actor, before: Rules, after: Rules, now: Date): Promise<void> {
  const isOfAll =
    before.idle_minutes !== after.idle_minutes ||
    before.lifetime_hours !== after.lifetime_hours ||
    before.ranges.toSorted().join() !== after.ranges.toSorted().join() ||
    before.needs_factor !== after.needs_factor;
  const isOfOne = (email: string) => before.excepted.includes(email) !== after.excepted.includes(email);
  const others = [...before.excepted, ...after.excepted].filter(isOfOne);
  if (!isOfAll && others.length === 0) return;
  const people = await findConcerned(tx, company, isOfAll ? undefined : others);
  const mails = people.map(({ email, name, language, has_factor: hasFactor }) => ({
    to: email,
    kind: 'account' as const,
    organizationId: actor.organizationId,
    ...policyMail(language === 'zh-TW' ? 'zh-TW' : 'en-US', name, actor.email, {
      mustSetUp: after.needs_factor && !hasFactor,
      idleMinutes: after.idle_minutes,
      lifetimeHours: after.lifetime_hours,
      ranges: after.ranges,
      isExcepted: after.excepted.includes(email),
    }),
  }));
  for (let from = 0; from < mails.length; from += MAILS_AT_ONCE)
    await enqueueMails(tx, mails.slice(from, from + MAILS_AT_ONCE), now);
}
