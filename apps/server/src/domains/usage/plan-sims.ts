import { usagePlans as calls } from '@highline/contract';
import { normalizeIccid, readIccid } from '@highline/usp';
import { DomainError, invalidField, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { sentence } from '../logs/index.ts';
import { type PlanDeps, rejectAction, oneOf, recordPlan } from './plans.service.ts';
import { chooseFor, lockPlans, takeFrom, touchPlan } from './plans.store.ts';
import { findReported } from './reported-sims.queries.ts';

/** What is done with SIMs that are named by their ICCIDs. */
export interface Assignment {
  readonly iccids: readonly string[];
  readonly remove?: boolean | undefined;
  readonly confirmed?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
}

interface UnsoundIccids {
  readonly damaged: string[];
  readonly doubts: string[];
}

/**
 * Choose a plan for SIMs, or take it from them. @returns how many SIMs were named, and the numbers among them that are not sound
 * @throws DomainError `plan.not_found`, `request.invalid` for what is no ICCID, `plan.iccids_damaged`, `plan.iccids_doubtful`,
 * `plan.too_many_sims`, `permission.denied`, `key.not_allowed`
 */
export async function assignSims(
  { database, clock }: PlanDeps,
  scope: OrganizationScope,
  actor: Actor,
  id: string,
  { iccids, remove = false, confirmed = false, dryRun = false }: Assignment,
): Promise<UnsoundIccids & { readonly sims: number }> {
  const typed = new Map(iccids.map((text, index) => [storedIccid(text, index), text]));
  const named = [...typed.keys()];
  const now = clock.now();
  return database.write(async (tx) => {
    const plan = oneOf(await lockPlans(tx, scope), id);
    if (!remove) rejectAction(actor, plan.action);
    // A plan may be taken from any number, also from one for which it was chosen by mistake.
    const unsound = remove ? { damaged: [], doubts: [] } : await findUnsound(tx, scope, typed);
    if (dryRun) return { sims: named.length, ...unsound };
    rejectUnsound(unsound, confirmed);
    // Before its SIMs, as the job that matches them does: neither waits for the other.
    await touchPlan(tx, scope, plan.id, now);
    if (remove) await takeFrom(tx, scope, plan.id, named);
    else if ((await chooseFor(tx, scope, plan.id, named)) > calls.MOST_SIMS) throw new DomainError('plan.too_many_sims');
    const action = sentence(remove ? 'plan.taken' : 'plan.chosen', plan.name, named.length);
    await recordPlan(tx, scope, actor, { id: plan.id, action, detail: { sims: named.length, first: named.slice(0, 20) } }, now);
    return { sims: named.length, ...unsound };
  });
}

function storedIccid(text: string, index: number): string {
  const iccid = normalizeIccid(text);
  if (iccid === undefined) throw invalidField(`iccids.${index}`, `${text} is not an ICCID`);
  return iccid;
}

/** Numbers that a spreadsheet has changed, and those to be confirmed. A number that a router has reported is right. */
async function findUnsound(tx: Tx, scope: OrganizationScope, typed: ReadonlyMap<string, string>): Promise<UnsoundIccids> {
  const read = [...typed].map(([iccid, text]) => ({ iccid, text, outcome: readIccid(text) }));
  const unsound = read.filter(({ outcome }) => !('iccid' in outcome));
  const iccids = unsound.map(({ iccid }) => iccid);
  const reported = await findReported(tx, scope, iccids);
  const textsOf = (kind: 'fault' | 'doubt') =>
    unsound.filter(({ iccid, outcome }) => kind in outcome && !reported.has(iccid)).map(({ text }) => text);
  return { damaged: textsOf('fault'), doubts: textsOf('doubt') };
}

function rejectUnsound({ damaged, doubts }: UnsoundIccids, isConfirmed: boolean): void {
  if (damaged.length > 0) throw new DomainError('plan.iccids_damaged', { field: 'iccids', detail: damaged });
  if (doubts.length > 0 && !isConfirmed) throw new DomainError('plan.iccids_doubtful', { field: 'iccids', detail: doubts });
}
