import { accounts, organizations } from '@highline/contract';
import { queryOptions } from '@tanstack/react-query';
import { call, callTagged, filesOf } from '../../api/client.ts';
import { pagesOf } from '../../api/useList.ts';
import type { Language } from '../../ui/language.ts';

export type Organization = organizations.Organization;

/** One page of the organizations. */
export const fetchOrganizations = pagesOf(organizations.listOrganizations);

/** The same list as CSV (SHR-08). */
export const fetchOrganizationsFile = filesOf(organizations.exportOrganizations);

export type Admin = accounts.Person;
/** More admins, or contacts, than any organization has; beyond it the rest is counted. */
const MAX_USERS = 100;

/** The admins of an organization, by name. */
export const adminsQuery = (org: string) =>
  queryOptions({
    queryKey: ['organizations', 'admins', org],
    queryFn: async ({ signal }): Promise<{ readonly list: readonly Admin[]; readonly total: number }> => {
      const query = { org, role: 'admin' as const, sort: 'name' as const, limit: MAX_USERS, offset: 0 };
      const { result, total } = await call(accounts.listAccounts, { query, signal });
      return { list: result.list, total: total ?? result.list.length };
    },
    meta: { topics: ['accounts'] },
  });

/** The contacts of an organization, by name (ORG-05). */
export const contactsQuery = (org: string) =>
  queryOptions({
    queryKey: ['organizations', 'contacts', org],
    queryFn: async ({ signal }): Promise<readonly accounts.Person[]> => {
      const query = { org, contacts: 'true' as const, sort: 'name' as const, limit: MAX_USERS, offset: 0 };
      return (await call(accounts.listAccounts, { query, signal })).result.list;
    },
    meta: { topics: ['accounts'] },
  });

/** An organization with the tag that a save must be based on. */
export interface TaggedOrganization {
  readonly organization: Organization;
  readonly etag: string | undefined;
}

/** One organization to edit; null if it does not exist. */
export const organizationToEdit = (id: string | undefined) =>
  queryOptions({
    queryKey: ['organizations', 'edit', id],
    queryFn: async ({ signal }): Promise<TaggedOrganization | null> => {
      const query = { id, limit: 1, offset: 0 };
      const { response, etag } = await callTagged(organizations.listOrganizations, { query, signal });
      const [organization] = response.result.list;
      return organization === undefined ? null : { organization, etag };
    },
    enabled: id !== undefined,
    meta: { topics: ['organizations', 'accounts'] },
  });

/** The editable fields of an organization (ORG-04). */
export interface OrganizationValues extends Pick<Organization, 'name' | 'phone' | 'address' | 'tags'> {
  /** Days that readings and history are kept; empty = as long as the installation keeps them. */
  readonly retention: string;
}

/** @throws ApiError `conflict.stale` when another user saved in the meantime */
export async function saveOrganization(
  { organization, etag }: TaggedOrganization,
  { retention, ...values }: OrganizationValues,
): Promise<void> {
  const body = { ...values, retentionDays: retention === '' ? null : Number(retention) };
  const input = { params: { org: organization.id }, body };
  await call(organizations.saveOrganization, etag === undefined ? input : { ...input, ifMatch: etag });
}

export interface NewContact {
  readonly name: string;
  readonly email: string;
}

/** Add a contact to an organization, who is invited by email as one of its users (ORG-05). */
export async function addContact(org: string, { name, email }: NewContact, language: Language): Promise<void> {
  const body = { org, name, email, role: `r.${org}.vendor`, serviceContacter: true, language };
  await call(accounts.createAccount, { body });
}

/** The result of deleting one organization. */
export interface Deletion {
  readonly name: string;
  /** How many devices were taken back; undefined when it failed. */
  readonly devices?: number;
  readonly error?: unknown;
}

/** Delete organizations one by one; a failure does not stop the others (ORG-02). */
export async function deleteOrganizations(picked: readonly Organization[]): Promise<readonly Deletion[]> {
  const deletions: Deletion[] = [];
  for (const { id, name } of picked) {
    try {
      // Each may take thousands of devices back.
      const { result } = await call(organizations.deleteOrganization, { body: { org: id } });
      deletions.push({ name, devices: result.devices });
    } catch (error) {
      deletions.push({ name, error });
    }
  }
  return deletions;
}
