// Reads tables of other domains: accounts, organizations.
import { MAIN_SERVICE, type Language } from '@highline/contract';
import { sql } from 'kysely';
import type { Row, Tx } from '../../platform/ports/index.ts';
import { hasFullRole } from '../accounts/admins/index.ts';

/** A person who administers an owner of webhooks. */
export interface Administrator {
  readonly email: string;
  readonly name: string;
  readonly language: Language;
  /** Name of the organization; empty = the main account itself. */
  readonly organization: string;
}

const MOST = 100;

/** The admins of the organization of a webhook, or the users of its main account. */
export async function findAdministrators(
  tx: Tx,
  { main_account_id: main, organization_id: organization }: Row<'webhook_endpoints', 'main_account_id' | 'organization_id'>,
): Promise<Administrator[]> {
  const role = organization === null ? `r.${MAIN_SERVICE}.vendor.super` : `r.${organization}.super`;
  const { rows } =
    await sql<Administrator>`select a.email, a.name, coalesce(a.language, 'en-US') as language, coalesce(o.name, '') as organization
    from accounts a left join organizations o on o.id = a.organization_id
    where a.main_account_id = ${main}::uuid and a.organization_id is not distinct from ${organization}::uuid
      and ${role} = any(a.roles) and ${hasFullRole} and o.deleted_at is null
    order by a.email limit ${MOST}`.execute(tx);
  return rows;
}
