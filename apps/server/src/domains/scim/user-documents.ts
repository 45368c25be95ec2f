import { entityTag } from './entity-tag.ts';
import type { PersonRow } from './people.queries.ts';
import type { Document } from './resource.ts';
import { ENTERPRISE_SCHEMA, USER_SCHEMA } from './schemas.ts';

/** The version of a resource, as an entity tag. */
export const versionOf = (row: PersonRow): string => entityTag([row.account_version, row.version ?? 0], row.groups);

/** The addresses of a person whose directory wrote none: that of the account. */
export const defaultEmails = ({ email }: Pick<PersonRow, 'email'>) => [{ value: email, type: 'work', primary: true }];

/** A person as a directory reads it. */
export function toUser(row: PersonRow, base: string): Document {
  const extension = row.content?.[ENTERPRISE_SCHEMA];
  return {
    schemas: [USER_SCHEMA, ...(extension === undefined ? [] : [ENTERPRISE_SCHEMA])],
    id: row.id,
    ...(row.external_id === null ? {} : { externalId: row.external_id }),
    userName: row.user_name ?? row.email,
    emails: defaultEmails(row),
    ...row.content,
    displayName: row.name,
    active: row.is_active ?? true,
    ...(row.groups.length === 0
      ? {}
      : { groups: row.groups.map((group) => ({ ...group, $ref: `${base}/Groups/${group.value}` })) }),
    meta: {
      resourceType: 'User',
      created: row.created_at.toISOString(),
      lastModified: row.updated_at.toISOString(),
      location: `${base}/Users/${row.id}`,
      version: versionOf(row),
    },
  };
}
