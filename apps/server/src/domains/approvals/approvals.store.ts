import { type approvals as calls } from '@highline/contract';
import { sql } from 'kysely';
import type { Scope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { Row } from '../../platform/ports/tables.ts';
import { companyIdOf, type ApprovalRow } from './approvals.queries.ts';

/** Requests and rules of a company are changed one after another, until the transaction ends. */
export async function lockCompany(tx: Tx, company: Scope): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`approvals of ${companyIdOf(company)}`}, 0))`.execute(tx);
}

/** A request of a company, locked. */
export async function lockApproval(tx: Tx, company: Scope, id: string): Promise<ApprovalRow | undefined> {
  return tx
    .selectFrom('approvals')
    .selectAll()
    .where('id', '=', id)
    .where('company_id', '=', companyIdOf(company))
    .where('main_account_id', '=', company.mainAccountId)
    .forUpdate()
    .executeTakeFirst();
}

export async function countWaiting(tx: Tx, company: Scope): Promise<number> {
  const row = await tx
    .selectFrom('approvals')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('company_id', '=', companyIdOf(company))
    .where('main_account_id', '=', company.mainAccountId)
    .where('state', '=', 'waiting')
    .executeTakeFirst();
  return row?.count ?? 0;
}

/** The same request of the same person, which still waits. */
export async function findSame(
  tx: Tx,
  company: Scope,
  {
    requested_by,
    operation,
    digest,
    call,
  }: Pick<ApprovalRow, 'requested_by' | 'operation' | 'digest'> & { readonly call: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select e.id from approvals e
    where e.company_id = ${companyIdOf(company)}::uuid and e.main_account_id = ${company.mainAccountId}::uuid and e.state = 'waiting'
      and e.requested_by = ${requested_by}::uuid and e.operation = ${operation} and e.digest = ${digest} and e.call = ${call}::jsonb
    limit 1`.execute(tx);
  return rows[0]?.id;
}

/** Write a request. The JSON of its columns is text. */
export async function insertApproval(
  tx: Tx,
  company: Scope,
  row: Omit<
    ApprovalRow,
    'company_id' | 'main_account_id' | 'call' | 'author' | 'acts' | 'state' | 'decided_at' | 'decided_by_email' | 'reason'
  > & {
    readonly call: string;
    readonly author: string;
    readonly acts: string;
  },
): Promise<void> {
  await tx
    .insertInto('approvals')
    .values({ ...row, company_id: companyIdOf(company), main_account_id: company.mainAccountId })
    .execute();
}

/** End a request. */
export async function endApproval(
  tx: Tx,
  company: Scope,
  id: string,
  state: Exclude<calls.ApprovalState, 'waiting'>,
  { by, reason, now }: { readonly by: string | null; readonly reason: string; readonly now: Date },
): Promise<void> {
  await tx
    .updateTable('approvals')
    .set({ state, decided_at: now, decided_by_email: by, reason })
    .where('id', '=', id)
    .where('company_id', '=', companyIdOf(company))
    .where('main_account_id', '=', company.mainAccountId)
    .where('state', '=', 'waiting')
    .execute();
}

/** What a request would touch now. */
export async function updateEffect(
  tx: Tx,
  company: Scope,
  id: string,
  { acts, ...effect }: Pick<ApprovalRow, 'routers' | 'names' | 'digest'> & { readonly acts: string },
): Promise<void> {
  await tx
    .updateTable('approvals')
    .set({ ...effect, acts })
    .where('id', '=', id)
    .where('company_id', '=', companyIdOf(company))
    .where('main_account_id', '=', company.mainAccountId)
    .where('state', '=', 'waiting')
    .execute();
}

/** What waits in a company, as it is stored. */
export type RuleValues = Row<'approval_policies', 'rollouts_above' | 'factory_reset' | 'settings' | 'deletion'>;

/** Replace the rules of a company. */
export async function putRules(tx: Tx, company: Scope, rules: RuleValues, by: string, now: Date): Promise<void> {
  const values = { ...rules, changed_by_email: by, updated_at: now };
  await tx
    .insertInto('approval_policies')
    .values({
      company_id: companyIdOf(company),
      main_account_id: company.mainAccountId,
      organization_id: company.kind === 'organization' ? company.organizationId : null,
      ...values,
    })
    .onConflict((conflict) =>
      conflict.column('company_id').doUpdateSet({ ...values, version: sql`approval_policies.version + 1` }),
    )
    .execute();
}
