import { z } from 'zod';
import { email, groupKey, language, line, pageOf, paging } from '../conventions.ts';
import { adminOnly, everyRole, operation } from '../operation.ts';

// People of elsewhere who act in an organization for a time: support by its main account, and guests (IAM-05).

/** How long support may be let in, hours; without hours until it is ended. */
export const SUPPORT_HOURS = { least: 1, most: 720 } as const;
/** How long a guest may stay, days. */
export const MOST_GUEST_DAYS = 366;
/** Days before the end on which a guest gets a mail. */
export const GUEST_WARNING_DAYS = 7;
/** Open visits of an organization. */
export const MOST_VISITS = 100;
/** Days that an ended visit is listed; the log has it for longer. */
export const ENDED_VISIT_DAYS = 90;
export const MOST_VISIT_GROUPS = 50;

export const visitKinds = ['support', 'guest'] as const;
export type VisitKind = (typeof visitKinds)[number];
export const visitRoles = ['admin', 'user'] as const;
export type VisitRole = (typeof visitRoles)[number];

/** Someone of elsewhere who may act in an organization, or could. */
export const visit = z.object({
  id: z.string(),
  kind: z.enum(visitKinds),
  org: z.string(),
  orgName: z.string(),
  /** Of a guest; empty for support. */
  email: z.string(),
  name: z.string(),
  role: z.enum(visitRoles),
  /** Names of groups that a guest is limited to; null = sees everything. */
  groups: z.array(z.string()).nullable(),
  /** E-mail address of who let them in. */
  by: z.string(),
  created: z.string(),
  /** Null = until it is ended. */
  until: z.string().nullable(),
  ended: z.string().nullable(),
  /** Null = it ended by itself, or has not. */
  endedBy: z.string().nullable(),
  /** The caller may enter it. */
  mayEnter: z.boolean(),
});
export type Visit = z.infer<typeof visit>;

const PATH = '/dmp_aa/api/v1/visits';
const visitPath = z.object({ visit: z.string() });

export const listVisits = operation({
  id: 'visits.list',
  method: 'GET',
  path: PATH,
  summary:
    'Support and guests of the own organization, the newest first; with `mine` those that the caller may enter elsewhere (IAM-05).',
  scope: 'account',
  roles: everyRole,
  query: z.object({
    ...paging.shape,
    mine: z.enum(['true']).optional(),
  }),
  response: pageOf(visit),
});

export const openVisit = operation({
  id: 'visits.open',
  method: 'POST',
  path: PATH,
  summary:
    'Let the people of the main account act in the own organization for some hours, or until it is ended (`support`), or a person of another company until a day (`guest`), with a role. A new support ends the one before (IAM-05).',
  scope: 'account',
  roles: adminOnly,
  body: z.object({
    kind: z.enum(visitKinds),
    role: z.enum(visitRoles),
    /** Of support; left out = until it is ended. */
    hours: z.int().min(SUPPORT_HOURS.least).max(SUPPORT_HOURS.most).optional(),
    email: email.optional(),
    name: line(100).optional(),
    /** Of a guest. */
    days: z.int().min(1).max(MOST_GUEST_DAYS).optional(),
    /** Keys of groups that a guest is limited to; left out = everything. */
    groups: z.array(groupKey.min(1)).min(1).max(MOST_VISIT_GROUPS).optional(),
    /** Of the mail to a guest. */
    language,
  }),
  bodyExample: {
    kind: 'support',
    role: 'admin',
    hours: 4,
    email: undefined,
    name: undefined,
    days: undefined,
    groups: undefined,
  },
  response: z.object({ result: visit }),
});

export const endVisit = operation({
  id: 'visits.end',
  method: 'DELETE',
  path: `${PATH}/{visit}`,
  summary: 'End a visit at once, with its sessions, streams and remote sessions (IAM-05).',
  scope: 'account',
  roles: adminOnly,
  params: visitPath,
  response: z.object({ result: visit }),
});

export const enterVisit = operation({
  id: 'visits.enter',
  method: 'POST',
  path: `${PATH}/{visit}/enter`,
  summary: 'Act in an organization with this session from now on, as support or as a guest (IAM-05).',
  scope: 'account',
  roles: everyRole,
  params: visitPath,
  response: z.object({ result: z.object({ entered: z.literal(true) }) }),
});

export const leaveVisit = operation({
  id: 'visits.leave',
  method: 'POST',
  path: `${PATH}/leave`,
  summary: 'Act in the own company again with this session (IAM-05).',
  scope: 'account',
  roles: everyRole,
  response: z.object({ result: z.object({ left: z.literal(true) }) }),
});

export const topics = ['visits'] as const;
export const schemaNames = { Visit: visit };
