import { AsyncLocalStorage } from 'node:async_hooks';
import { hash } from 'node:crypto';
import type { approvals } from '@highline/contract';
import type { LogSentence } from '@highline/contract/log-texts';
import { DomainError, type Actor, type Scope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { findRules } from './approvals.queries.ts';

/** What an act would do, as a second person sees it (IAM-07). */
export interface Effect {
  readonly rule: approvals.ApprovalRule;
  /** As sentences of the log. */
  readonly acts: readonly LogSentence[];
  /** Routers that it concerns. */
  readonly routers: number;
  /** The first of them, by vehicle or serial number. */
  readonly names: readonly string[];
  /** Everything that it touches, with its version: what else it touches later needs another approval. */
  readonly touches: readonly (string | number | null)[];
}

/** An act that a second person has to approve first. Its transaction is rolled back, and its call stored. */
export class ApprovalNeeded extends DomainError {
  readonly effect: Effect;
  readonly scope: Scope;

  constructor(effect: Effect, scope: Scope) {
    super('approval.waiting');
    this.effect = effect;
    this.scope = scope;
  }
}

/** An approved act that would touch something else than what was approved. */
export class EffectChanged extends DomainError {
  readonly effect: Effect;

  constructor(effect: Effect) {
    super('approval.changed');
    this.effect = effect;
  }
}

/** What an approved job does piece by piece. */
const ALL = Symbol('all of it');
const approved = new AsyncLocalStorage<string | typeof ALL>();

/** Do something that a second person approved. @param digest of the effect that was approved */
export function withApproval<T>(digest: string, work: () => Promise<T>): Promise<T> {
  return approved.run(digest, work);
}

/** Do a part of a job for its author: it was approved as a whole, if it had to be. */
export function withApprovalOf<T>(author: Pick<Actor, 'with'>, work: () => Promise<T>): Promise<T> {
  return author.with?.some(({ as }) => as === 'approval') === true ? approved.run(ALL, work) : work();
}

/** Whether what runs now was approved by a second person. */
export const isApproved = (): boolean => approved.getStore() !== undefined;

/** Stands for the effect in its entirety. */
export function digestOf({ rule, acts, routers, touches }: Effect): string {
  return hash('sha256', JSON.stringify([rule, acts, routers, touches]));
}

/** Whose people decide: the deletion of an organization is an act of its main account. */
export function companyOf(rule: approvals.ApprovalRule, scope: Scope): Scope {
  return rule === 'deletion' ? { kind: 'main', mainAccountId: scope.mainAccountId } : scope;
}

/**
 * Require that a second person approves an act, where the company says so (IAM-07): call it in the transaction of the act, once everything that
 * it touches is locked, and once only. An approved act passes if it touches exactly what was approved.
 * @throws ApprovalNeeded, EffectChanged
 */
export async function requireApproval(tx: Tx, scope: Scope, effect: Effect): Promise<void> {
  const digest = approved.getStore();
  if (digest === ALL || digest === digestOf(effect)) return;
  if (digest !== undefined) throw new EffectChanged(effect);
  if (effect.rule === 'policy' || (await isHeld(tx, scope, effect))) throw new ApprovalNeeded(effect, scope);
}

/** Whether an act of this kind waits in this company: for those that have to compute an effect first. */
export async function mayBeHeld(tx: Tx, scope: Scope, rule: Exclude<approvals.ApprovalRule, 'policy'>): Promise<boolean> {
  return isApproved() || isHeld(tx, scope, { rule, routers: Number.POSITIVE_INFINITY });
}

async function isHeld(tx: Tx, scope: Scope, { rule, routers }: Pick<Effect, 'rule' | 'routers'>): Promise<boolean> {
  const rules = await findRules(tx, companyOf(rule, scope));
  if (rules === undefined) return false;
  if (rule === 'rollouts') return rules.rollouts_above !== null && routers > rules.rollouts_above;
  if (rule === 'factoryReset') return rules.factory_reset;
  return rule === 'settings' ? rules.settings : rules.deletion;
}
