import { z } from 'zod';
import { limitInput, personLimit } from '../accounts/calls.ts';
import { managers, operation } from '../operation.ts';
import { pageOf, paging, tenantBody, tenantQuery, typedName } from '../conventions.ts';

/** The most keys of an organization, or of a main account itself, that have not ended. */
export const MOST_KEYS = 50;
/** Days that an ended key stays in the list. */
export const ENDED_KEY_DAYS = 90;
export const MOST_RANGES = 20;
/** The longest time that the former key stays valid after a rotation, hours. */
export const LONGEST_OVERLAP_HOURS = 168;

export const keyStates = ['active', 'expired', 'revoked', 'suspended'] as const;
export type KeyState = (typeof keyStates)[number];

/** An API key in the API, without the key itself (HKS-02). */
export const apiKey = z.object({
  id: z.string(),
  /** Null: the main account itself. */
  org: z.string().nullable(),
  /** Name of the organization. */
  orgName: z.string(),
  name: z.string(),
  /** Its first and last characters. */
  hint: z.string(),
  /** Ids of the operations that it may call. */
  operations: z.array(z.string()),
  /** Networks that it may be used from, as CIDR; empty = any. */
  ranges: z.array(z.string()),
  /** The devices that it sees, of those that its maker sees; null = all of these. */
  limitedTo: personLimit.nullable(),
  /** 'suspended': its maker has lost the role by which it was made. */
  state: z.enum(keyStates),
  created: z.string(),
  /** E-mail address of its maker. */
  by: z.string(),
  expires: z.string().nullable(),
  /** Written at most every five minutes. */
  lastUsed: z.string().nullable(),
  lastAddress: z.string().nullable(),
  /** Until when the key before the last rotation is valid. */
  previousUntil: z.string().nullable(),
});
export type ApiKey = z.infer<typeof apiKey>;

/** An operation that a key can be allowed to call. */
export const keyOperation = z.object({
  id: z.string(),
  method: z.string(),
  path: z.string(),
  summary: z.string(),
});

/** Operations for people to choose together: those that read one kind of thing, or those that change it. */
export const keyGroup = z.object({
  /** The part of the ids before the dot, such as 'devices'. */
  area: z.string(),
  access: z.enum(['read', 'write']),
  operations: z.array(keyOperation),
});
export type KeyGroup = z.infer<typeof keyGroup>;

const created = z.object({
  result: apiKey,
  /** The key. It is shown this once. */
  secret: z.string(),
});
const keyPath = z.object({ key: z.string() });

export const listKeys = operation({
  id: 'apiKeys.list',
  method: 'GET',
  path: '/data_manager/v1/dm/api_keys',
  summary: 'API keys of an organization, or of a main account and its organizations, the newest first (HKS-02).',
  scope: 'tenant',
  roles: managers,
  query: tenantQuery.extend(paging.shape),
  response: pageOf(apiKey),
});

export const keyOperations = operation({
  id: 'apiKeys.operations',
  method: 'GET',
  path: '/data_manager/v1/dm/api_keys/operations',
  summary: 'The operations that a key of this scope can be allowed to call, in groups (HKS-02).',
  scope: 'tenant',
  roles: managers,
  query: tenantQuery,
  response: z.object({ result: z.array(keyGroup) }),
});

export const createKey = operation({
  id: 'apiKeys.create',
  hasSecret: true,
  method: 'POST',
  path: '/data_manager/v1/dm/api_keys',
  summary: 'Create an API key. The answer shows it once (HKS-02).',
  scope: 'tenant',
  roles: managers,
  body: tenantBody.extend({
    name: typedName(80).min(1),
    operations: z.array(z.string().max(80)).min(1).max(500),
    ranges: z.array(z.string().trim().max(60)).max(MOST_RANGES).optional(),
    /** Groups and tags of one organization; null or left out = every device that its maker sees. */
    limitedTo: limitInput.nullable().optional(),
    /** ISO 8601; null or left out = it does not expire. */
    expires: z.iso.datetime({ offset: true }).nullable().optional(),
  }),
  bodyExample: { expires: '2099-01-14T00:00:00Z' },
  response: created,
});

export const rotateKey = operation({
  id: 'apiKeys.rotate',
  hasSecret: true,
  method: 'POST',
  path: '/data_manager/v1/dm/api_keys/{key}/rotate',
  summary:
    'Replace a key by a new one with the same rights. The former one stays valid for some hours, with the rights of its maker, not of the caller (HKS-02).',
  scope: 'tenant',
  roles: managers,
  params: keyPath,
  body: tenantBody.extend({ overlapHours: z.int().min(0).max(LONGEST_OVERLAP_HOURS).optional() }),
  response: created,
});

export const revokeKey = operation({
  id: 'apiKeys.revoke',
  method: 'DELETE',
  path: '/data_manager/v1/dm/api_keys/{key}',
  summary: 'Revoke a key. It is rejected at once, also in calls that have begun (HKS-02).',
  scope: 'tenant',
  roles: managers,
  params: keyPath,
  body: tenantBody,
  response: z.object({ result: z.object({ revoked: z.literal(1) }) }),
});

export const topics = ['apiKeys'] as const;

export const schemaNames = {
  ApiKey: apiKey,
  ApiKeyGroup: keyGroup,
  ApiKeyOperation: keyOperation,
  CreatedApiKey: createKey.response,
  SecretRotation: rotateKey.body,
};
