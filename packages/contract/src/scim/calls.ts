import { z } from 'zod';
import { tenantBody, tenantQuery, typedName } from '../conventions.ts';
import { adminOnly, operation } from '../operation.ts';

/** The most secrets of the directory of an organization: one in use, one that follows it, and one to try. */
export const MOST_SECRETS = 3;
/** The last calls that are kept of a directory. */
export const MOST_CALLS = 100;
export const MOST_DIRECTORY_GROUPS = 500;
export const LONGEST_SECRET_DAYS = 1_095;

const secret = z.object({
  id: z.string(),
  name: z.string(),
  /** Its first and last characters. */
  hint: z.string(),
  /** E-mail address of its maker. */
  by: z.string(),
  created: z.string(),
  expires: z.string(),
  expired: z.boolean(),
  /** Written at most every minute. */
  lastUsed: z.string().nullable(),
  lastAddress: z.string().nullable(),
});
export type ScimSecret = z.infer<typeof secret>;

/** What the people of a group of the directory may do; null = nothing follows from it. */
export const groupRoles = ['admin', 'user'] as const;
const groupRole = z.enum(groupRoles).nullable();
/** What people may do who are in no group with a role. */
export const defaultRoles = ['user', 'none'] as const;

const group = z.object({ id: z.string(), name: z.string(), role: groupRole, people: z.number().int() });
export type ScimGroup = z.infer<typeof group>;

const call = z.object({
  at: z.string(),
  method: z.string(),
  /** Below the address. */
  path: z.string(),
  status: z.number().int(),
  /** Why it was rejected; empty = it was not. */
  detail: z.string(),
  address: z.string(),
});
export type ScimCall = z.infer<typeof call>;

/** The directory of an organization: it keeps people and groups by SCIM 2.0 (IAM-02). */
export const scimDirectory = z.object({
  /** Where the directory calls. */
  address: z.string(),
  secrets: z.array(secret),
  /** Once a group has a role, roles follow from the groups. */
  defaultRole: z.enum(defaultRoles),
  groups: z.array(group),
  /** Calls that changed something or failed, the newest first. */
  calls: z.array(call),
  /** Changes with every save of the roles; in quotation marks it is the tag for a save (If-Match). */
  version: z.string(),
});
export type ScimDirectory = z.infer<typeof scimDirectory>;

const PATH = '/data_manager/v1/dm/scim';

export const getDirectory = operation({
  id: 'scim.get',
  method: 'GET',
  path: PATH,
  summary:
    'The directory of the organization: where it calls, its secrets, its groups with their roles, and its last calls (IAM-02).',
  scope: 'organization',
  roles: adminOnly,
  query: tenantQuery,
  response: z.object({ result: scimDirectory }),
});

const rolesBody = tenantBody.extend({
  defaultRole: z.enum(defaultRoles),
  groups: z.array(z.object({ id: z.string().max(60), role: groupRole })).max(MOST_DIRECTORY_GROUPS),
});
export type ScimRoles = z.infer<typeof rolesBody>;

export const saveDirectoryRoles = operation({
  id: 'scim.saveRoles',
  method: 'PUT',
  path: `${PATH}/roles`,
  summary:
    'Choose what the people of the groups of the directory may do; it counts at once. Accepts If-Match with its `version` (IAM-02).',
  scope: 'organization',
  roles: adminOnly,
  body: rolesBody,
  response: z.object({ result: scimDirectory }),
});

export const createDirectorySecret = operation({
  id: 'scim.createSecret',
  hasSecret: true,
  method: 'POST',
  path: `${PATH}/secrets`,
  summary: 'Make a secret with which the directory of the organization signs in. The answer shows it once (IAM-02).',
  scope: 'organization',
  roles: adminOnly,
  body: tenantBody.extend({ name: typedName(80).min(1), days: z.int().min(1).max(LONGEST_SECRET_DAYS) }),
  bodyExample: { name: 'Entra ID', days: 365 },
  response: z.object({ result: scimDirectory, secret: z.string() }),
});

export const revokeDirectorySecret = operation({
  id: 'scim.revokeSecret',
  method: 'DELETE',
  path: `${PATH}/secrets/{secret}`,
  summary: 'Revoke a secret of the directory. It is rejected at once (IAM-02).',
  scope: 'organization',
  roles: adminOnly,
  params: z.object({ secret: z.string().max(60) }),
  body: tenantBody,
  response: z.object({ result: scimDirectory }),
});

export const topics = ['scim'] as const;

export const schemaNames = {
  ScimDirectory: scimDirectory,
  ScimSecret: secret,
  ScimGroup: group,
  ScimCall: call,
  ScimRoles: rolesBody,
};
