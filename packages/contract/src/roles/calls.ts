import { z } from 'zod';
import { heldRole, limitInput, personLimit } from '../accounts/calls.ts';
import { keyGroup } from '../api-keys/calls.ts';
import { managers, operation } from '../operation.ts';
import { pageOf, paging, tenantBody, tenantQuery, typedName } from '../conventions.ts';

/** The most roles of an organization, or of a main account itself. */
export const MOST_ROLES = 100;
/** The most people that an answer about a role names. */
export const MOST_HOLDERS_NAMED = 100;
const MOST_RIGHTS = 200;

/** A role that a company made (IAM-03). */
export const ownRole = z.object({
  id: z.string(),
  /** Null: of the main account's own people. */
  org: z.string().nullable(),
  /** Name of the organization. */
  orgName: z.string(),
  name: z.string(),
  /** What its people may do: a part of the product with `read` or `write`, such as 'devices.read'. */
  rights: z.array(z.string()),
  /** The devices that its people see; null = every device. */
  limitedTo: personLimit.nullable(),
  /** How many people have it. */
  people: z.number().int(),
  /** E-mail address of its maker. */
  by: z.string(),
  created: z.string(),
  /** Changes with every save; in quotation marks it is the tag for a save (If-Match). */
  version: z.string(),
});
export type OwnRole = z.infer<typeof ownRole>;

/** A role with the people who have it, by name, at most 100. */
export const shownRole = ownRole.extend({
  holders: z.array(z.object({ id: z.string(), name: z.string(), email: z.string() })),
});

const fields = {
  name: typedName(80).min(1),
  rights: z.array(z.string().max(80)).min(1).max(MOST_RIGHTS),
  /** Null or left out = its people see every device. */
  limitedTo: limitInput.nullable().optional(),
};
const roleBody = tenantBody.extend(fields);
const PATH = '/dmp_aa/api/v1/own_roles';
const rolePath = z.object({ role: z.string() });

export const listRoles = operation({
  id: 'roles.list',
  method: 'GET',
  path: PATH,
  summary:
    'Roles that an organization made, or a main account for its own people and its organizations, the newest first (IAM-03).',
  scope: 'tenant',
  roles: managers,
  query: tenantQuery.extend(paging.shape),
  response: pageOf(ownRole),
});

export const listRights = operation({
  id: 'roles.rights',
  method: 'GET',
  path: `${PATH}/rights`,
  summary: 'The rights that the caller may give a role of this scope, each with the calls that it is for (IAM-03).',
  scope: 'tenant',
  roles: managers,
  query: tenantQuery,
  response: z.object({
    result: z.array(keyGroup),
    /** Rights that only admins of the organization give, since it has one; the caller is its main account. */
    withheld: z.array(z.string()),
  }),
});

export const showRole = operation({
  id: 'roles.show',
  method: 'GET',
  path: `${PATH}/{role}`,
  summary: 'A role of an own making, with who has it (IAM-03).',
  scope: 'tenant',
  roles: managers,
  params: rolePath,
  query: tenantQuery,
  response: z.object({ result: shownRole }),
});

export const createRole = operation({
  id: 'roles.create',
  method: 'POST',
  path: PATH,
  summary: 'Make a role from rights (IAM-03).',
  scope: 'tenant',
  roles: managers,
  body: roleBody,
  response: z.object({ result: ownRole }),
});

export const saveRole = operation({
  id: 'roles.save',
  method: 'PUT',
  path: `${PATH}/{role}`,
  summary:
    'Replace name, rights and limit of a role, at once for everyone who has it. Accepts If-Match with its `version` (IAM-03).',
  scope: 'tenant',
  roles: managers,
  params: rolePath,
  body: roleBody,
  response: z.object({ result: ownRole }),
});

export const deleteRole = operation({
  id: 'roles.delete',
  method: 'DELETE',
  path: `${PATH}/{role}`,
  summary: 'Delete a role. Who has it needs another one: an own role, or the role of users (IAM-03).',
  scope: 'tenant',
  roles: managers,
  params: rolePath,
  body: tenantBody.extend({
    /** Id of the role that its people get, or 'user'; needed where someone has it. */
    instead: z.string().max(60).optional(),
  }),
  response: z.object({ result: z.object({ deleted: z.literal(1) }) }),
});

export const giveRole = operation({
  id: 'roles.give',
  method: 'PUT',
  path: '/dmp_aa/api/v1/accounts/{id}/own_role',
  summary: 'Give a person a role of an own making, or none (null). An admin becomes a user with it (IAM-03).',
  scope: 'account',
  roles: managers,
  params: z.object({ id: z.string() }),
  body: z.object({ role: z.string().max(60).nullable() }),
  response: z.object({ result: z.object({ ownRole: heldRole.nullable() }) }),
});

export const topics = ['roles'] as const;

export const schemaNames = { RoleFields: roleBody, OwnRole: ownRole, ShownRole: shownRole };
