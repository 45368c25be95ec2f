import { z } from 'zod';
import { email, deletion, line, pageOf, paging, typedName } from '../conventions.ts';
import { limitInput } from '../accounts/calls.ts';
import { everyRole, mainOnly, managers, operation } from '../operation.ts';

/** The most identity providers of an organization, or of a main account itself. */
export const MOST_PROVIDERS = 5;
export const MOST_PROVIDER_DOMAINS = 20;
export const MOST_PROVIDER_RULES = 50;
export const MOST_BREAK_GLASS = 10;
/** Name of the DNS record below a domain, and the start of its text, by which a company proves that the domain is its own. */
export const DOMAIN_RECORD = '_highline';
export const DOMAIN_TEXT = 'highline-domain=';
/** Below the public address: registered at a provider as redirect URI. */
export const CALLBACK_PATH = '/console/oidc/callback';

/** What a person who signs in by a provider may do; 'none' = may not sign in. Of a main account's own provider, 'admin' is its one role. */
export const providerRoles = ['admin', 'user', 'none'] as const;
export type ProviderRole = (typeof providerRoles)[number];

const domain = z
  .string()
  .overwrite((text) => text.trim().toLowerCase())
  .max(253)
  .regex(/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,10}[a-z][a-z0-9-]{0,61}[a-z0-9]$/u, 'is not a domain');

const rule = z.object({
  /** Name of a claim of the ID token: groups, roles, … */
  claim: line(100).min(1),
  /** The claim's value, or one of its values. */
  value: line(300).min(1),
  role: z.enum(providerRoles),
  /** What its people see: devices in one of the groups, by name, or with one of the tags; left out = as the admins choose, or everything where another rule limits. */
  limit: limitInput.optional(),
});
export type ProviderRule = z.infer<typeof rule>;

/** A domain of e-mail addresses: its people sign in by the provider once it is confirmed. */
const providerDomain = z.object({
  domain: z.string(),
  /** How it was confirmed; null = not yet. */
  confirmed: z.enum(['dns', 'assigned']).nullable(),
  /** The text of the DNS record that proves it. */
  text: z.string(),
});

/** An identity provider in the API, without its secret (IAM-01). */
export const identityProvider = z.object({
  id: z.string(),
  /** Null: of the main account's own people. */
  org: z.string().nullable(),
  /** Name of the organization. */
  orgName: z.string(),
  name: z.string(),
  issuer: z.string(),
  clientId: z.string(),
  /** With blanks between them. */
  scopes: z.string(),
  enabled: z.boolean(),
  /** An address without `email_verified` counts as verified, as Microsoft Entra ID sends it. One that is marked as not verified never does. */
  trustsEmail: z.boolean(),
  /** The first that fits decides. Without rules only new people get a role: the default one. */
  rules: z.array(rule),
  defaultRole: z.enum(providerRoles),
  /** The company's people sign in by its providers only. */
  required: z.boolean(),
  /** Addresses of admins who may always sign in by password. */
  breakGlass: z.array(z.string()),
  domains: z.array(providerDomain),
  /** How many people have signed in by it. */
  people: z.number().int(),
  created: z.string(),
  /** E-mail address of its maker. */
  by: z.string(),
  /** Changes with every save; in quotation marks it is the tag for a save (If-Match). */
  version: z.string(),
});
export type IdentityProvider = z.infer<typeof identityProvider>;

const PATH = '/dmp_aa/api/v1/identityProviders';
const providerPath = z.object({ provider: z.string().max(60) });

const fields = {
  name: typedName(80).min(1),
  issuer: line(500).min(1),
  clientId: line(300).min(1),
  /** Never shown. Left out of a save = unchanged, if the issuer is; empty = a public client, which has none. */
  clientSecret: line(1_000).optional(),
  scopes: line(300).optional(),
  enabled: z.boolean().optional(),
  trustsEmail: z.boolean().optional(),
  rules: z.array(rule).max(MOST_PROVIDER_RULES).optional(),
  defaultRole: z.enum(providerRoles).optional(),
  required: z.boolean().optional(),
  breakGlass: z.array(email).max(MOST_BREAK_GLASS).optional(),
  domains: z.array(domain).max(MOST_PROVIDER_DOMAINS).optional(),
};
const bodyExample = {
  name: 'Entra ID',
  issuer: 'https://login.example.com/acme',
  clientId: 'highline',
  scopes: 'openid email profile',
  required: false,
  breakGlass: [],
  domains: ['example.com'],
};

export const listProviders = operation({
  id: 'identityProviders.list',
  method: 'GET',
  path: PATH,
  summary: 'Identity providers of the own company; for a main account also those of its organizations (IAM-01).',
  scope: 'account',
  roles: managers,
  query: paging,
  response: pageOf(identityProvider),
});

export const createProvider = operation({
  id: 'identityProviders.create',
  method: 'POST',
  path: PATH,
  summary: 'Add an identity provider of the own company: OpenID Connect with discovery, authorization code and PKCE (IAM-01).',
  scope: 'account',
  roles: managers,
  body: z.object(fields),
  bodyExample,
  response: z.object({ result: identityProvider }),
});

export const saveProvider = operation({
  id: 'identityProviders.save',
  method: 'PUT',
  path: `${PATH}/{provider}`,
  summary:
    'Replace the fields of an identity provider of the own company. Once people must sign in by it, their sessions by password end. Accepts If-Match with its `version` (IAM-01).',
  scope: 'account',
  roles: managers,
  params: providerPath,
  body: z.object(fields),
  bodyExample,
  response: z.object({ result: identityProvider }),
});

export const deleteProvider = operation({
  id: 'identityProviders.delete',
  method: 'DELETE',
  path: `${PATH}/{provider}`,
  summary: 'Delete an identity provider of the own company, and end the sessions by it (IAM-01).',
  scope: 'account',
  roles: managers,
  params: providerPath,
  response: deletion,
});

export const testSteps = ['discovery', 'issuer', 'endpoints', 'keys', 'clock', 'credentials', 'redirect', 'logout'] as const;
export type TestStep = (typeof testSteps)[number];
/** What a step of a test found; 'ok' and 'warning' do not prevent sign-ins. */
export const testReasons = [
  'ok',
  'not_tried',
  'unreachable',
  'html',
  'status',
  'not_json',
  'too_long',
  'differs',
  'missing',
  'no_keys',
  'clock_differs',
  'client_rejected',
  'rejected',
  'unsupported',
] as const;
export type TestReason = (typeof testReasons)[number];

const testStep = z.object({
  step: z.enum(testSteps),
  outcome: z.enum(['ok', 'warning', 'failed']),
  reason: z.enum(testReasons),
  /** What the provider sent or what it should have sent, for the reason. */
  detail: z.string(),
});
export type ProviderTest = z.infer<typeof testStep>;

export const testProvider = operation({
  id: 'identityProviders.test',
  method: 'POST',
  path: `${PATH}/{provider}/test`,
  summary: 'Test the connection to an identity provider without a sign-in, and say what is wrong (IAM-01).',
  scope: 'account',
  roles: managers,
  queue: 'tests',
  params: providerPath,
  response: z.object({ result: z.array(testStep) }),
});

export const confirmDomain = operation({
  id: 'identityProviders.confirmDomain',
  method: 'POST',
  path: `${PATH}/{provider}/domains/{domain}/confirm`,
  summary: 'Confirm a domain of an identity provider of the own company, by the DNS record that its `text` is in (IAM-01).',
  scope: 'account',
  roles: managers,
  params: providerPath.extend({ domain: z.string().max(253) }),
  response: z.object({ result: identityProvider }),
});

export const assignDomain = operation({
  id: 'identityProviders.assignDomain',
  method: 'PUT',
  path: `${PATH}/{provider}/domains/{domain}`,
  summary: 'Assign a domain to an identity provider of an organization, or take it away, in place of a DNS record (IAM-01).',
  scope: 'account',
  roles: mainOnly,
  params: providerPath.extend({ domain: z.string().max(253) }),
  body: z.object({ assigned: z.boolean() }),
  response: z.object({ result: identityProvider }),
});

export const beginProviderSignIn = operation({
  id: 'identityProviders.begin',
  method: 'POST',
  path: '/dmp_aa/api/v1/auth/provider',
  summary: 'Begin a sign-in by the identity provider of an e-mail address: answers the address to open in this browser (IAM-01).',
  scope: 'public',
  roles: [],
  body: z.object({
    email: z.string().max(320),
    /** The page of the console that opens after it. */
    next: z.string().max(2_000).optional(),
  }),
  response: z.object({ result: z.object({ url: z.string() }) }),
});

const CONFIRMATION = '/dmp_aa/api/v1/auth/provider/confirmation';

export const getConfirmation = operation({
  id: 'identityProviders.confirmation',
  method: 'GET',
  path: CONFIRMATION,
  summary:
    'Whether the person can sign in again by the identity provider in place of the own password, and has just done so (IAM-01).',
  scope: 'account',
  roles: everyRole,
  response: z.object({
    result: z.object({
      /** The session was begun by a provider. */
      possible: z.boolean(),
      /** Until then no password is needed; null = one is. */
      until: z.string().nullable(),
    }),
  }),
});

export const beginConfirmation = operation({
  id: 'identityProviders.beginConfirmation',
  method: 'POST',
  path: CONFIRMATION,
  summary:
    'Begin another sign-in by the identity provider of this session, which requests it even of who is signed in there: answers the address to open. For some minutes after it, acts that need the own password need none (IAM-01).',
  scope: 'account',
  roles: everyRole,
  body: z.object({
    /** The page of the console that opens after it. */
    next: z.string().max(2_000).optional(),
  }),
  /** Null: the session was not begun by a provider. */
  response: z.object({ result: z.object({ url: z.string().nullable() }) }),
});

const parameter = (most: number) => z.string().max(most).optional();

export const finishProviderSignIn = operation({
  id: 'identityProviders.finish',
  method: 'GET',
  path: CALLBACK_PATH,
  summary: 'Where an identity provider sends a browser back to: signs it in and opens the console (IAM-01).',
  scope: 'public',
  roles: [],
  query: z.object({
    code: parameter(4_000),
    state: parameter(200),
    iss: parameter(600),
    error: parameter(200),
    error_description: parameter(1_000),
  }),
  response: z.object({}),
});

export const providerLogout = operation({
  id: 'identityProviders.logout',
  method: 'POST',
  path: '/dmp_aa/api/v1/auth/provider/{provider}/logout',
  summary: 'Ends sessions in the name of an identity provider: OpenID Connect Back-Channel Logout 1.0 (IAM-01).',
  scope: 'public',
  roles: [],
  params: providerPath,
  body: z.object({ logout_token: z.string().max(12_000) }),
  bodyKind: 'form',
  response: z.object({ result: z.object({ ended: z.number().int() }) }),
});

export const topics = ['providers'] as const;

export const schemaNames = {
  IdentityProvider: identityProvider,
  IdentityProviderBody: createProvider.body,
  IdentityProviderRule: rule,
  IdentityProviderTest: testStep,
};
