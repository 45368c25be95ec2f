import { z } from 'zod';
import { email, line } from '../conventions.ts';
import { everyRole, managers, operation } from '../operation.ts';

// Rules of a company for the sign-in of its people, and the sessions of colleagues (IAM-06).

export const MOST_SIGN_IN_RANGES = 50;
export const MOST_EXCEPTED = 10;
/** Minutes without a call after which a session ends. */
export const IDLE_MINUTES = { least: 5, most: 720 } as const;
/** Hours after which a session ends, however much it is used. */
export const LIFETIME_HOURS = { least: 1, most: 168 } as const;

const rules = z.object({
  /** A password alone is not enough: who has neither an authenticator app nor a passkey sets one up at the next sign-in. */
  needsFactor: z.boolean(),
  idleMinutes: z.number().int().min(IDLE_MINUTES.least).max(IDLE_MINUTES.most),
  lifetimeHours: z.number().int().min(LIFETIME_HOURS.least).max(LIFETIME_HOURS.most),
  /** CIDR; none = everywhere. */
  ranges: z.array(line(60).min(1)).max(MOST_SIGN_IN_RANGES),
  /** Admins with a password whom the ranges do not concern. */
  excepted: z.array(email).max(MOST_EXCEPTED),
});

export const signInPolicy = rules.extend({
  /** Of this call: what the ranges are compared with. */
  address: z.string(),
  /** People of the company with a password. */
  people: z.number().int(),
  /** Those of them who have neither an authenticator app nor a passkey. */
  withoutFactor: z.number().int(),
  /** E-mail address of who changed it last; null = never. */
  by: z.string().nullable(),
  /** Changes with every save; in quotation marks it is the tag for a save (If-Match). */
  version: z.string(),
});
export type SignInPolicy = z.infer<typeof signInPolicy>;

const path = '/dmp_aa/api/v1/auth/policy';

export const getPolicy = operation({
  id: 'accounts.getPolicy',
  method: 'GET',
  path,
  summary: 'Rules of the own company for the sign-in of its people: second factor, sessions, networks (IAM-06).',
  scope: 'account',
  roles: managers,
  response: z.object({ result: signInPolicy }),
});

export const savePolicy = operation({
  id: 'accounts.savePolicy',
  method: 'PUT',
  path,
  summary:
    'Replace the rules of the own company for the sign-in of its people, who get a mail. Ranges without the address of this call need `confirmed`. Accepts If-Match with its `version` (IAM-06).',
  scope: 'account',
  roles: managers,
  body: rules.extend({ confirmed: z.boolean().optional() }),
  bodyExample: { needsFactor: true, idleMinutes: 60, lifetimeHours: 24, ranges: [], excepted: [] },
  response: z.object({ result: signInPolicy }),
});

/** How a session began; null = not known. */
export const sessionMethods = ['password', 'code', 'passkey', 'provider'] as const;
export type SessionMethod = (typeof sessionMethods)[number];

/** One session of an account. */
export const session = z.object({
  id: z.string(),
  /** Epoch seconds. */
  created: z.number(),
  /** Epoch seconds, rounded to a minute. */
  lastUsed: z.number(),
  address: z.string(),
  userAgent: z.string(),
  method: z.enum(sessionMethods).nullable(),
  /** The session of this call. */
  current: z.boolean(),
});

const personPath = z.object({ id: z.string().max(60) });

export const listSessionsOf = operation({
  id: 'accounts.listSessionsOf',
  method: 'GET',
  path: '/dmp_aa/api/v1/accounts/{id}/sessions',
  summary: 'The sessions of a person whom the caller manages, the latest used first; never more than 100 (IAM-06).',
  scope: 'account',
  roles: managers,
  params: personPath,
  response: z.object({ result: z.object({ list: z.array(session) }) }),
});

export const endSessionOf = operation({
  id: 'accounts.endSessionOf',
  method: 'DELETE',
  path: '/dmp_aa/api/v1/accounts/{id}/sessions/{session}',
  summary: 'End a session of a person whom the caller manages, or all of them with `all`; the person gets a mail (IAM-06).',
  scope: 'account',
  roles: managers,
  params: personPath.extend({ session: z.string().max(100) }),
  response: z.object({ result: z.object({ ended: z.number() }) }),
});

/** The most admins that a page which may not be opened names. */
export const MOST_ADMINS_NAMED = 20;

export const listAdmins = operation({
  id: 'accounts.listAdmins',
  method: 'GET',
  path: '/dmp_aa/api/v1/auth/admins',
  summary:
    'Whom to ask for access: names and addresses of the admins of the own organization, or of the own colleagues (IAM-08).',
  scope: 'account',
  roles: everyRole,
  response: z.object({ result: z.object({ list: z.array(z.object({ name: z.string(), email: z.string() })) }) }),
});

export const schemaNames = { Session: session, SignInPolicy: signInPolicy };
