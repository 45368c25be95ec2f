import type { approvals as calls } from '@highline/contract';
import type { LogSentence } from '@highline/contract/log-texts';
import type { z } from 'zod';
import { DomainError, required, type Actor, type Scope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { recordAudit, sentence } from '../logs/index.ts';
import { companyIdOf, countDeciders, findRules, findSignIn } from './approvals.queries.ts';
import { homeOf } from './approvals.service.ts';
import { lockCompany, putRules, type RuleValues } from './approvals.store.ts';
import { isApproved, requireApproval } from './effect.ts';

export interface ApprovalPolicyDeps extends Pick<Deps, 'database' | 'clock'> {
  /** @throws DomainError `account.wrong_password` */
  readonly checkOwnPassword: (actor: Actor, password: string) => Promise<void>;
}

type PolicyInput = z.output<typeof calls.saveApprovalPolicy.body>;

/** A company without rules. */
const NOTHING: RuleValues = { rollouts_above: null, factory_reset: false, settings: false, deletion: false };
/** Who has no password signed in so recently. */
const FRESH_MS = 600_000;

/** What of the own company waits (IAM-07). */
export async function readPolicy({ database }: ApprovalPolicyDeps, actor: Actor): Promise<calls.ApprovalPolicy> {
  const company = homeOf(actor);
  const row = await findRules(database.read, company);
  const { rollouts_above: rolloutsAbove, factory_reset: factoryReset, settings, deletion } = row ?? NOTHING;
  const people = await countDeciders(database.read, company);
  const [by, version] = [row?.changed_by_email ?? null, String(row?.version ?? 0)];
  return { rolloutsAbove, factoryReset, settings, deletion, people, by, version };
}

/**
 * Replace what waits. Where less would wait than now, a second person has to approve that.
 * @throws DomainError `account.wrong_password`, `approval.sign_in_again`, `approval.in_person`, `approval.no_second`, `conflict.stale`,
 * `approval.waiting`, `approval.rule_elsewhere`
 */
export async function savePolicy(
  deps: ApprovalPolicyDeps,
  actor: Actor,
  { password, ...input }: PolicyInput,
  isCurrent: (version: string) => boolean,
): Promise<void> {
  await requirePerson(deps, actor, password);
  const company = homeOf(actor);
  const after = valuesOf(input, company);
  await deps.database.write(async (tx) => {
    await lockCompany(tx, company);
    const row = await findRules(tx, company);
    const before = row ?? NOTHING;
    if (!isCurrent(String(row?.version ?? 0))) throw new DomainError('conflict.stale');
    const changes = changesOf(before, after);
    if (changes.length === 0) return;
    const isOn = after.rollouts_above !== null || after.factory_reset || after.settings || after.deletion;
    if (isOn && (await countDeciders(tx, company)) < 2) throw new DomainError('approval.no_second');
    const acts = changes.map(({ text }) => text);
    const touches = [row?.version ?? 0];
    if (changes.some(({ isLooser }) => isLooser))
      await requireApproval(tx, company, { rule: 'policy', acts, routers: 0, names: [], touches });
    const now = deps.clock.now();
    await putRules(tx, company, after, actor.email, now);
    await announce(tx, company, 'approvals', []);
    const chain = companyIdOf(company);
    const detail = { before: detailOf(before), after: detailOf(after) };
    const event = { action: sentence('approval.policy_changed'), subject: { kind: 'policy', id: chain }, detail };
    await recordAudit(tx, chain, actor, event, now);
  });
}

/** An open console alone, or a program, does not change what protects from it. */
async function requirePerson({ database, clock, checkOwnPassword }: ApprovalPolicyDeps, actor: Actor, password: string) {
  if (isApproved()) return;
  if (actor.key !== undefined) throw new DomainError('approval.in_person');
  const signIn = required(await findSignIn(database.read, actor), 'session.invalid');
  if (signIn.has_password) return checkOwnPassword(actor, password);
  if (clock.now().getTime() - signIn.created_at.getTime() > FRESH_MS) throw new DomainError('approval.sign_in_again');
}

const detailOf = ({ rollouts_above, factory_reset, settings, deletion }: RuleValues) => ({
  rolloutsAbove: rollouts_above,
  factoryReset: factory_reset,
  settings,
  deletion,
});

/** Organizations are deleted by their main account, and routers are changed in organizations. @throws DomainError `approval.rule_elsewhere` */
function valuesOf(
  { rolloutsAbove, factoryReset, settings, deletion }: Omit<PolicyInput, 'password'>,
  company: Scope,
): RuleValues {
  const isElsewhere = company.kind === 'main' ? rolloutsAbove !== null || factoryReset || settings : deletion;
  if (isElsewhere) throw new DomainError('approval.rule_elsewhere');
  if (company.kind === 'main') return { ...NOTHING, deletion };
  return { rollouts_above: rolloutsAbove, factory_reset: factoryReset, settings, deletion: false };
}

interface RuleChange {
  readonly text: LogSentence;
  /** Less waits than before. */
  readonly isLooser: boolean;
}

function changesOf(before: RuleValues, after: RuleValues): RuleChange[] {
  const changes: RuleChange[] = [];
  if (before.rollouts_above !== after.rollouts_above)
    changes.push(
      after.rollouts_above === null
        ? { text: sentence('approval.rollouts_free'), isLooser: true }
        : {
            text: sentence('approval.rollouts_wait', after.rollouts_above),
            isLooser: before.rollouts_above !== null && after.rollouts_above > before.rollouts_above,
          },
    );
  for (const [field, waits, free] of [
    ['factory_reset', 'approval.reset_waits', 'approval.reset_free'],
    ['settings', 'approval.settings_wait', 'approval.settings_free'],
    ['deletion', 'approval.deletion_waits', 'approval.deletion_free'],
  ] as const)
    if (before[field] !== after[field]) changes.push({ text: sentence(after[field] ? waits : free), isLooser: !after[field] });
  return changes;
}
