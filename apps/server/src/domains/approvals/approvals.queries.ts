// Reads tables of other domains: accounts, main_accounts, organizations, sessions.
import { MAIN_SERVICE, type approvals } from '@highline/contract';
import type { LogSentence } from '@highline/contract/log-texts';
import { sql, type Selectable } from 'kysely';
import type { z } from 'zod';
import type { Actor, Scope } from '../../kernel/index.ts';
import { defineList, type Fragment } from '../../platform/listing/index.ts';
import type { Queries } from '../../platform/ports/database.ts';
import type { Tables } from '../../platform/ports/tables.ts';
import { hasFullRole } from '../accounts/admins/index.ts';

declare module '../../platform/ports/column-types.ts' {
  interface ColumnTypes {
    'approvals.rule': approvals.ApprovalRule;
    'approvals.state': approvals.ApprovalState;
    'approvals.call': StoredApprovalCall;
    'approvals.author': Actor;
    'approvals.acts': LogSentence[];
  }
}

/** A checked call, as it is made on approval. */
export interface StoredApprovalCall {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  /** The header of that name. */
  readonly ifMatch: string | null;
}

export type ApprovalRow = Selectable<Tables['approvals']>;

/** A request as people read it. */
export interface ShownApproval extends ApprovalRow {
  /** Of which company who requested it is; null = the account is deleted. */
  readonly requester_company: string | null;
}

const shownColumns = sql`e.id, e.company_id, e.main_account_id, e.organization_id, e.rule, e.operation, e.call, e.author, e.requested_by,
  e.requested_by_email, e.acts, e.routers, e.names, e.digest, e.created_at, e.expires_at, e.state, e.decided_at, e.decided_by_email,
  e.reason, coalesce(o.name, m.name) as requester_company`;
const requesterJoins = sql`left join accounts a on a.id = e.requested_by left join organizations o on o.id = a.organization_id
  left join main_accounts m on m.id = a.main_account_id`;

/** The id of a company: an organization, or a main account. */
export const companyIdOf = (company: Scope): string =>
  company.kind === 'organization' ? company.organizationId : company.mainAccountId;

/** What waits in a company; undefined = nothing. */
export async function findRules(queries: Queries, company: Scope): Promise<Selectable<Tables['approval_policies']> | undefined> {
  return queries
    .selectFrom('approval_policies')
    .selectAll()
    .where('company_id', '=', companyIdOf(company))
    .where('main_account_id', '=', company.mainAccountId)
    .executeTakeFirst();
}

/** Requests of a company, the newest first (IAM-07). */
export const approvalList = (toDto: (row: ShownApproval) => approvals.Approval) =>
  defineList({
    of: (company: Scope, { state }: z.output<typeof approvals.listApprovals.query>) => ({
      name: 'approvals',
      table: sql`approvals e`,
      alias: 'e',
      identity: ['id'],
      scope: ownedBy(company),
      filters: state === undefined ? [] : [sql`e.state = ${state}`],
      estimatable: false,
      columns: shownColumns,
      joins: requesterJoins,
      segments: [
        {
          from: sql`approvals e`,
          keys: [{ column: sql`e.id`, kind: 'uuid' as const }],
          descending: true,
        },
      ],
    }),
    toDto,
  });

const ownedBy = (company: Scope): Fragment =>
  sql`e.company_id = ${companyIdOf(company)}::uuid and e.main_account_id = ${company.mainAccountId}::uuid`;

/** A request of a company. */
export async function findApproval(queries: Queries, company: Scope, id: string): Promise<ShownApproval | undefined> {
  const { rows } = await sql<ShownApproval>`select ${shownColumns} from approvals e ${requesterJoins}
    where e.id = ${id}::uuid and ${ownedBy(company)}`.execute(queries);
  return rows[0];
}

/** Someone who may decide, or requested. */
export interface Decider {
  readonly email: string;
  readonly name: string;
  readonly language: string | null;
}

/** Admins of a company, or people of a main account, who can sign in, see everything and are no guests. */
const deciders = (company: Scope): Fragment => sql`from accounts a
  where a.main_account_id = ${company.mainAccountId}::uuid and (a.password_hash is not null or a.signed_in_at is not null)
    and ${hasFullRole} and ${
      company.kind === 'organization'
        ? sql`a.organization_id = ${company.organizationId}::uuid and ${`r.${company.organizationId}.super`} = any(a.roles)`
        : sql`a.organization_id is null and ${`r.${MAIN_SERVICE}.vendor.super`} = any(a.roles)`
    }`;

/** Those who may decide other than one person. @param most how many */
export async function findDeciders(queries: Queries, company: Scope, except: string, most: number): Promise<Decider[]> {
  const { rows } = await sql<Decider>`select a.email, a.name, a.language ${deciders(company)} and a.id <> ${except}::uuid
    order by a.id limit ${most}`.execute(queries);
  return rows;
}

/** How many people may decide. */
export async function countDeciders(queries: Queries, company: Scope): Promise<number> {
  const { rows } = await sql<{ people: number }>`select count(*)::int as people ${deciders(company)}`.execute(queries);
  return rows[0]!.people;
}

/** A person to write to, if there still is one. */
export async function findPerson(
  queries: Queries,
  { mainAccountId }: Pick<Scope, 'mainAccountId'>,
  accountId: string,
): Promise<Decider | undefined> {
  return queries
    .selectFrom('accounts')
    .select(['email', 'name', 'language'])
    .where('id', '=', accountId)
    .where('main_account_id', '=', mainAccountId)
    .executeTakeFirst();
}

/** How the caller is signed in: with a password or without, and since when. */
export async function findSignIn(
  queries: Queries,
  { accountId, mainAccountId, sessionId }: Actor,
): Promise<{ readonly has_password: boolean; readonly created_at: Date } | undefined> {
  const { rows } = await sql<{
    has_password: boolean;
    created_at: Date;
  }>`select a.password_hash is not null as has_password, s.created_at
    from accounts a join sessions s on s.account_id = a.id
    where a.id = ${accountId}::uuid and a.main_account_id = ${mainAccountId}::uuid and s.bearer_hash = ${Buffer.from(sessionId, 'hex')}`.execute(
    queries,
  );
  return rows[0];
}

/** Whether rollouts of an organization may wait for a second person, in SQL. @param organization its id */
export const holdsRollouts = (organization: Fragment): Fragment => sql`exists (select from approval_policies p
  where p.company_id = ${organization} and p.rollouts_above is not null)`;
