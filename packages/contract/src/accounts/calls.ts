import { z } from 'zod';
import { tidyEmail } from '../email.ts';
import { notificationEvents } from '../notifications/calls.ts';
import { everyRole, mainOnly, managers, operation } from '../operation.ts';
import { assertion } from './passkeys.ts';
import { session } from './sign-in-policy.ts';
import { oneTimeCode } from './second-factor.ts';
import {
  fileFormat,
  accountPageOf,
  anything,
  columnsOf,
  deletion,
  email,
  language,
  line,
  onlyRows,
  pageQuery,
  sortOf,
  tenantBody,
  tenantQuery,
  limited,
  storedEmail,
  typedName,
} from '../conventions.ts';

const password = z.string().min(1).max(1_000);
/** The sign-in name as typed: an unknown address is a wrong password, not a malformed one. */
const signInName = limited(320, tidyEmail).min(1);
/** The secret from the link; a truncated one is the same fault as a used one. */
const secret = z.string().max(2_000);

/** Account in the API (part 1 section 3, part 2 section 3). */
export const account = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  /** The main account's id. */
  vendor: z.string(),
  /** Role groups, each with dotted role strings. */
  roles: z.array(z.object({ service: z.string(), roles: z.array(z.string()) })),
  roleMap: z.record(z.string(), z.string()),
  serviceRoleMap: z.record(z.string(), z.string()),
  role: z.enum(['vendorSuper', 'super', 'vendor']),
  /** The permissions of the role, in the caller's language (Accept-Language). */
  privilege: z.string(),
  /** The events that its address is notified of; none for a user, whose entry has no effect (part 2, section 3). */
  notificationTypes: z.array(z.enum(notificationEvents)),
  customData: z.record(z.string(), z.unknown()),
});
export type Account = z.infer<typeof account>;
/** An open invitation. Both are null once its link has long expired: epoch seconds of the mail, and of the expiry of its link. */
export const openInvitation = z.object({ sent: z.number().nullable(), expires: z.number().nullable() });
export type OpenInvitation = z.infer<typeof openInvitation>;

/** The devices that a person sees: those in one of the groups or with one of the tags (IAM-04). None of both: no device. */
export const personLimit = z.object({
  groups: z.array(z.object({ id: z.string(), name: z.string() })),
  tags: z.array(z.string()),
});
export type PersonLimit = z.infer<typeof personLimit>;

/** The role that a company made and gave to an account, with what it may do (IAM-03). */
export const heldRole = z.object({
  id: z.string(),
  name: z.string(),
  /** Parts of the product with `read` or `write`, such as 'devices.read'. */
  rights: z.array(z.string()),
});
export type HeldRole = z.infer<typeof heldRole>;

/** With whether it requires a second factor, its invitation until a password is set, and its limit; null = it sees every device. */
export const person = account.extend({
  /** Null = it has the rights of `role`. */
  ownRole: heldRole.nullable(),
  secondFactor: z.boolean(),
  invitation: openInvitation.nullable(),
  limitedTo: personLimit.nullable(),
});
export type Person = z.infer<typeof person>;

/** Changes with what a person is limited to; in quotation marks it is the tag for a save of that (If-Match). */
const limitVersion = z.string();

/** A person on its page. */
const shownPerson = person.extend({
  limitVersion,
  guestEnded: z
    .string()
    .nullable()
    .describe('When the visit ended of an account that was only a guest here and has no role since; null = another account.'),
});

/** A person on a list. */
export const listedPerson = person.extend({
  /** The last sign-in, epoch seconds; null = never. */
  signedIn: z.number().nullable(),
  /** Of a guest: when it ends; null = one of the company's own people (IAM-05). */
  guestUntil: z.string().nullable(),
});
export type ListedPerson = z.infer<typeof listedPerson>;

export const introspection = account.extend({
  /** The first item says whether the account may create organizations and accounts of its own main account. */
  scopes: z.array(z.object({ service: z.string(), permissions: z.array(z.string()) })),
  org: z.object({ id: z.string(), name: z.string() }).nullable(),
  vendorName: z.string(),
  /** When this session ends if it is not used, epoch seconds. */
  idleUntil: z.number(),
  /** The server's version, for the footer (NAV-04). */
  version: z.string(),
  /** True in the loopback demo. */
  demo: z.boolean(),
  /** Null = it sees every device. */
  limitedTo: personLimit.nullable(),
  /** Null = it has the rights of `role`. */
  ownRole: heldRole.nullable(),
  /** As whom the account acts in `org`, which is not its own, until when, and by whose consent; null = it is at home (IAM-05). */
  visit: z
    .object({
      kind: z.enum(['support', 'guest']),
      until: z.string().nullable(),
      by: z.string(),
      /** It has no other company to go back to. */
      atHome: z.boolean(),
    })
    .nullable(),
  /** For admins: the support that their organization lets in now. */
  support: z.object({ id: z.string(), until: z.string().nullable() }).nullable(),
});
export type Introspection = z.infer<typeof introspection>;

export const loginFrame = operation({
  id: 'accounts.loginFrame',
  method: 'POST',
  path: '/dmp_aa/api/v1/auth/login',
  summary: 'The address of the sign-in page that the console shows in a frame (AUTH-02).',
  scope: 'public',
  roles: [],
  body: anything,
  response: z.object({ data: z.string() }),
});

export const signIn = operation({
  id: 'accounts.signIn',
  method: 'POST',
  path: '/dmp_aa/api/v1/auth/token',
  summary: 'Sign in with e-mail, password and, if it is on, a second factor; answers the account id and its bearer (AUTH-02).',
  scope: 'public',
  roles: [],
  body: z.object({
    email: signInName,
    password,
    otp: oneTimeCode.optional(),
    /** In place of the code. */
    passkey: assertion.optional(),
  }),
  response: z.object({ result: z.object({ id: z.string(), vap: z.string() }) }),
});

export const introspect = operation({
  id: 'accounts.introspect',
  method: 'POST',
  path: '/dmp_aa/api/v2/auth/introspect/',
  summary: 'The account of the bearer, and its permissions.',
  scope: 'account',
  roles: everyRole,
  body: anything,
  response: z.object({ result: introspection }),
});

export const signOut = operation({
  id: 'accounts.signOut',
  method: 'POST',
  path: '/dmp_aa/api/v1/auth/logout',
  summary: 'End this session, and push messages of the caller in the browser that is named (AUTH-05).',
  scope: 'account',
  roles: everyRole,
  body: z
    .object({
      /** Address of the push service of this browser. */
      browser: line(1_000).optional(),
    })
    .optional(),
  response: z.object({ result: z.object({ ended: z.number() }) }),
});

export const signOutEverywhere = operation({
  id: 'accounts.signOutEverywhere',
  method: 'POST',
  path: '/dmp_aa/api/v1/auth/allTokenLogout',
  summary: 'End every session of the account, and push messages in all of its browsers, everywhere, at once (AUTH-08).',
  scope: 'account',
  roles: everyRole,
  body: anything,
  response: z.object({ result: z.object({ ended: z.number() }) }),
});

export const forgotPassword = operation({
  id: 'accounts.forgotPassword',
  method: 'POST',
  path: '/dmp_aa/api/v1/auth/password/forgot',
  summary: 'Mail a link to set a new password. Answers the same whether or not the address has an account.',
  scope: 'public',
  roles: [],
  body: z.object({ email: storedEmail, language }),
  response: z.object({ result: z.object({ accepted: z.literal(true) }) }),
});

export const invitation = z.object({
  /** The address invited, with which its owner signs in. */
  email: z.string(),
  /** Name of the organization, or of the main account. */
  organization: z.string(),
  /** Name, or address, of its sender; null = not stored. */
  inviter: z.string().nullable(),
});
export type Invitation = z.infer<typeof invitation>;

export const readInvitation = operation({
  id: 'accounts.readInvitation',
  method: 'POST',
  path: '/dmp_aa/api/v1/auth/invitation',
  summary:
    'Whom a mailed invitation invites, to what, and who sent it. Answers alike for a link that is unknown, used or expired.',
  scope: 'public',
  roles: [],
  body: z.object({ secret }),
  response: z.object({ result: invitation }),
});

export const resetPassword = operation({
  id: 'accounts.resetPassword',
  method: 'POST',
  path: '/dmp_aa/api/v1/auth/password/reset',
  summary: 'Set a new password with the secret of a mailed link; ends every session of the account.',
  scope: 'public',
  roles: [],
  body: z.object({ secret, password }),
  response: z.object({ result: z.object({ email: z.string() }) }),
});

export const changePassword = operation({
  id: 'accounts.changePassword',
  method: 'POST',
  path: '/dmp_aa/api/v1/auth/password/change',
  summary: 'Set a new password with the old one; ends every session of the account (USR-03).',
  scope: 'public',
  roles: [],
  body: z.object({
    email: signInName,
    password,
    newPassword: password,
    otp: oneTimeCode.optional(),
    /** In place of the code. */
    passkey: assertion.optional(),
  }),
  response: z.object({ result: z.object({ email: z.string() }) }),
});

export const setUp = operation({
  id: 'accounts.setUp',
  method: 'POST',
  path: '/dmp_aa/api/v1/auth/set-up',
  summary: 'Create the first main account of an installation with the secret of the printed link.',
  scope: 'public',
  roles: [],
  body: z.object({ secret, company: typedName(200).min(1), name: typedName(100).min(1), email, password }),
  response: z.object({ result: z.object({ email: z.string() }) }),
});

export const openSession = operation({
  id: 'accounts.openSession',
  method: 'POST',
  path: '/console/session',
  summary: "Store a bearer in the console's cookies (AUTH-01, AUTH-03): `id` readable, `vap` HttpOnly.",
  scope: 'public',
  roles: [],
  body: z.object({ id: z.string().max(100), vap: z.string().max(200) }),
  response: z.object({ result: z.object({ id: z.string() }) }),
});

export const getAccount = operation({
  id: 'accounts.get',
  method: 'GET',
  path: '/dmp_aa/api/v1/accounts/{id}',
  summary: "An account: the caller's own, or one that the caller manages; answers an ETag.",
  scope: 'account',
  roles: everyRole,
  params: z.object({ id: z.string() }),
  response: z.object({ result: shownPerson }),
});

export const loginStatus = operation({
  id: 'accounts.loginStatus',
  method: 'GET',
  path: '/dmp_aa/api/v1/login/status/{org}',
  summary: 'How many accounts of an organization are signed in now (OVW-06).',
  scope: 'organization',
  roles: everyRole,
  params: z.object({ org: z.string() }),
  response: z.object({ result: z.object({ allUserNum: z.number(), onlineUserNum: z.number(), offlineUserNum: z.number() }) }),
});

/** A user's name. */
export const personName = typedName(100).min(1);
/** The main account's id; another one's is answered as unknown. */
const vendor = z.string().max(60).optional();
/** `r.{org}.{role}` (AUTH-07). */
const roleString = z.string().max(120);

export const accountSorts = ['name', 'email', 'role', 'signedIn'] as const;
export const accountFields = ['name', 'email'] as const;
export const accountRoles = ['admin', 'user'] as const;

export const listAccounts = operation({
  id: 'accounts.list',
  method: 'GET',
  path: '/dmp_aa/api/v1/accounts/',
  summary: 'Cloud users of an organization, or of all organizations of a main account (USR-01).',
  scope: 'tenant',
  roles: managers,
  query: tenantQuery.extend({
    ...pageQuery.shape,
    sort: sortOf(accountSorts),
    field: z.enum(accountFields).optional(),
    role: z.enum(accountRoles).optional(),
    /** 'true' = only contacts of the organization (ORG-05). */
    contacts: z.enum(['true', 'false']).optional(),
    /** Ids of groups, with commas: only people who see no device without these (IAM-04). */
    seesOnly: z.string().max(2_000).optional(),
    /** Open the page that contains this user, instead of `offset` (SHR-04). */
    around: z.string().max(60).optional(),
  }),
  response: accountPageOf(listedPerson),
});

/** Columns that the file can have, by their ids on the list. */
export const accountColumns = ['number', 'name', 'email', 'role', 'signedIn', 'guestUntil'] as const;

export const exportAccounts = operation({
  id: 'accounts.export',
  method: 'GET',
  path: '/dmp_aa/api/v1/accounts/export',
  summary: 'The same list as CSV or Excel workbook (SHR-08).',
  scope: 'tenant',
  roles: managers,
  query: listAccounts.query.omit({ seesOnly: true }).extend({
    /** IANA time zone of the times; UTC without it. */
    zone: z.string().max(60).optional(),
    language,
    format: fileFormat,
    columns: columnsOf(accountColumns),
    only: onlyRows,
  }),
  response: z.string(),
  sends: 'file',
});

export const createAccount = operation({
  id: 'accounts.create',
  method: 'POST',
  path: '/dmp_aa/api/v1/vendorAccounts/',
  summary: 'Create an account in an organization and mail it a link to set a password (USR-02, ORG-05).',
  scope: 'tenant',
  roles: managers,
  body: tenantBody.extend({
    email,
    name: personName,
    /** A role string of the organization; `r.kmpService.vendor` together with `serviceRole`. */
    role: roleString,
    serviceRole: roleString.optional(),
    vendor,
    serviceContacter: z.boolean().optional(),
    /** Language of the mail. */
    language,
  }),
  response: z.object({ result: account }),
});

export const editAccount = operation({
  id: 'accounts.edit',
  method: 'PUT',
  path: '/dmp_aa/api/v1/accounts/{id}',
  summary: 'Rename an account (USR-03). If-Match is honoured.',
  scope: 'account',
  roles: managers,
  params: z.object({ id: z.string() }),
  body: z.object({ vendor, name: personName }),
  bodyKind: 'form',
  response: z.object({ result: account }),
});

export const changeRole = operation({
  id: 'accounts.changeRole',
  method: 'PUT',
  path: '/dmp_aa/api/v1/roles/',
  summary: 'Exchange one role string of an account for another of the same organization (USR-03). If-Match is honoured.',
  scope: 'account',
  roles: managers,
  body: z.object({ id: z.string().max(60), original: roleString, target: roleString, vendor }),
  bodyKind: 'form',
  response: z.object({ result: account }),
});

export const addRole = operation({
  id: 'accounts.addRole',
  method: 'POST',
  path: '/dmp_aa/api/v1/roles/',
  summary: 'Add an account without organization to one (ORG-05).',
  scope: 'account',
  roles: mainOnly,
  body: z.object({
    id: z.string().max(60),
    role: roleString,
    vendor,
    serviceContacter: z.boolean().optional(),
  }),
  response: z.object({ result: account }),
});

export const deleteAccount = operation({
  id: 'accounts.delete',
  method: 'DELETE',
  path: '/dmp_aa/api/v1/accounts/{id}',
  summary: 'Delete an account; its sessions end at once (USR-04).',
  scope: 'account',
  roles: managers,
  params: z.object({ id: z.string() }),
  query: z.object({ vendor }),
  response: deletion,
});

/** Ids of groups and tags that a person is limited to. */
export const limitInput = z.object({
  groups: z.array(z.string().min(1).max(200)).max(100),
  tags: z.array(z.string().min(1).max(200)).max(50),
});
export type LimitInput = z.infer<typeof limitInput>;

export const savePersonLimit = operation({
  id: 'accounts.saveLimit',
  method: 'PUT',
  path: '/dmp_aa/api/v1/accounts/{id}/limit',
  summary:
    'Limit a person of an organization to the devices of groups and tags, or null for all; mails about devices to the person end. Accepts If-Match with `limitVersion` of the person (IAM-04).',
  scope: 'account',
  roles: managers,
  params: z.object({ id: z.string() }),
  body: z.object({ limitedTo: limitInput.nullable() }),
  response: z.object({ result: z.object({ limitedTo: personLimit.nullable(), limitVersion }) }),
});

export const sendInvitation = operation({
  id: 'accounts.sendInvitation',
  method: 'POST',
  path: '/dmp_aa/api/v1/accounts/{id}/invitation',
  summary: 'Mail the invitation of a user without a password again; the previous link becomes invalid.',
  scope: 'account',
  roles: managers,
  params: z.object({ id: z.string() }),
  response: z.object({ result: openInvitation }),
});

export const correctInvitation = operation({
  id: 'accounts.correctInvitation',
  method: 'PATCH',
  path: '/dmp_aa/api/v1/accounts/{id}/invitation',
  summary: 'Correct the e-mail address of an invited user without a password, and mail the invitation to it.',
  scope: 'account',
  roles: mainOnly,
  params: z.object({ id: z.string() }),
  body: z.object({ email }),
  response: z.object({ result: openInvitation }),
});

export type OwnSession = z.infer<typeof session>;

export const listSessions = operation({
  id: 'accounts.listSessions',
  method: 'GET',
  path: '/dmp_aa/api/v1/auth/sessions',
  summary: "The account's own sessions, the latest used first; never more than 100.",
  scope: 'account',
  roles: everyRole,
  response: z.object({ result: z.object({ list: z.array(session) }) }),
});

export const endSession = operation({
  id: 'accounts.endSession',
  method: 'DELETE',
  path: '/dmp_aa/api/v1/auth/sessions/{session}',
  summary: "End one of the account's own sessions.",
  scope: 'account',
  roles: everyRole,
  params: z.object({ session: z.string().max(100) }),
  response: z.object({ result: z.object({ ended: z.number() }) }),
});

export const topics = ['accounts'] as const;

export const schemaNames = {
  Account: account,
  AccountEmail: changePassword.response.shape.result,
  AccountRoles: account.shape.roles.element,
  EndedSessions: signOut.response.shape.result,
  Identifier: openSession.response.shape.result,
  Introspection: introspection,
  Invitation: openInvitation,
  ListedAccount: listedPerson,
  Person: shownPerson,
  HeldRole: heldRole,
  PersonLimit: personLimit,
  PersonLimitChoice: limitInput,
};
