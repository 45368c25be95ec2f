import { z } from 'zod';
import { line, pageOf, paging } from '../conventions.ts';
import { logSentence } from '../logs/calls.ts';
import { managers, operation } from '../operation.ts';

// Acts that wait for a second person who may do the same (IAM-07).

/** Days after which a request that no one decided ends. */
export const APPROVAL_DAYS = 7;
/** Days that an ended request can be read; the log has it for longer. */
export const ENDED_APPROVAL_DAYS = 90;
/** Requests of a company that wait. */
export const MOST_WAITING = 200;
/** Names of what a request would touch. */
export const MOST_APPROVAL_NAMES = 10;
export const MOST_ROUTERS = 1_000_000;

/** What a request is about: why it waits. */
export const approvalRules = ['rollouts', 'factoryReset', 'settings', 'deletion', 'policy'] as const;
export type ApprovalRule = (typeof approvalRules)[number];

export const approvalStates = ['waiting', 'approved', 'rejected', 'expired', 'withdrawn'] as const;
export type ApprovalState = (typeof approvalStates)[number];

/** Who requests: a person of the company, or one of elsewhere whom a visit let in. */
export const requesterKinds = ['home', 'support', 'guest'] as const;

/** Who requested an act, as it was then. */
export const requester = z.object({
  kind: z.enum(requesterKinds),
  /** That they acted with. */
  role: z.enum(['main', 'admin', 'user']),
  /** Name of their own role; null = none. */
  ownRole: z.string().nullable(),
  /** Name of the organization or main account whose person it is; null once the account is deleted. */
  company: z.string().nullable(),
});

/** An act that waits for a second person, or did. */
export const approval = z.object({
  id: z.string(),
  rule: z.enum(approvalRules),
  state: z.enum(approvalStates),
  /** What happens on approval, as sentences of the log. */
  acts: z.array(logSentence),
  /** Routers that it concerns. */
  routers: z.number().int(),
  /** The first of them, by vehicle or serial number. */
  names: z.array(z.string()),
  /** Stands for exactly what it would touch; an approval names it. */
  confirmation: z.string(),
  /** E-mail address of who requested it. */
  by: z.string(),
  requester,
  /** The caller may approve or reject it. */
  mayDecide: z.boolean(),
  /** The caller requested it. */
  isOwn: z.boolean(),
  created: z.string(),
  expires: z.string(),
  decided: z.string().nullable(),
  decidedBy: z.string().nullable(),
  reason: z.string(),
});
export type Approval = z.infer<typeof approval>;

const rules = z.object({
  /** Rollouts to more routers than this wait; null = none does. */
  rolloutsAbove: z.number().int().min(0).max(MOST_ROUTERS).nullable(),
  factoryReset: z.boolean(),
  /** Restoring earlier settings. */
  settings: z.boolean(),
  /** Deletion of an organization: of a main account only. */
  deletion: z.boolean(),
});

export const approvalPolicy = rules.extend({
  /** People who may decide. */
  people: z.number().int(),
  /** E-mail address of who changed it last; null = never. */
  by: z.string().nullable(),
  /** Changes with every save; in quotation marks it is the tag for a save (If-Match). */
  version: z.string(),
});
export type ApprovalPolicy = z.infer<typeof approvalPolicy>;

const PATH = '/dmp_aa/api/v1/approvals';

export const getApprovalPolicy = operation({
  id: 'approvals.getPolicy',
  method: 'GET',
  path: `${PATH}/policy`,
  summary: 'What of the own company waits for a second person (IAM-07).',
  scope: 'account',
  roles: managers,
  response: z.object({ result: approvalPolicy }),
});

export const saveApprovalPolicy = operation({
  id: 'approvals.savePolicy',
  method: 'PUT',
  path: `${PATH}/policy`,
  summary:
    'Set what of the own company waits for a second person, with the own password. While something does, less waits only after a second person approved it: 409 `approval.waiting`. Accepts If-Match with its `version` (IAM-07).',
  scope: 'account',
  roles: managers,
  body: rules.extend({ password: z.string().max(200) }),
  bodyExample: { rolloutsAbove: 50, factoryReset: true, settings: true, deletion: false },
  response: z.object({ result: approvalPolicy }),
});

export const listApprovals = operation({
  id: 'approvals.list',
  method: 'GET',
  path: PATH,
  summary: 'Acts of the own company that wait for a second person, or did in the last 90 days, the newest first (IAM-07).',
  scope: 'account',
  roles: managers,
  query: z.object({
    ...paging.shape,
    state: z.enum(approvalStates).optional(),
  }),
  response: pageOf(approval),
});

export const decisions = ['approve', 'reject', 'withdraw'] as const;
export type Decision = (typeof decisions)[number];

export const decideApproval = operation({
  id: 'approvals.decide',
  method: 'POST',
  path: `${PATH}/{approval}/decision`,
  summary:
    'Approve an act with the `confirmation` of what it touches, and it is done at once; or reject it with a reason. Who requested it can only withdraw it (IAM-07).',
  scope: 'account',
  roles: managers,
  params: z.object({ approval: z.string() }),
  body: z.object({
    decision: z.enum(decisions),
    confirmation: z.string().max(100).optional(),
    reason: line(300).optional(),
  }),
  bodyExample: { decision: 'reject', confirmation: undefined, reason: 'Not before the weekend' },
  response: z.object({ result: approval }),
});

export const topics = ['approvals'] as const;
export const schemaNames = { Approval: approval, ApprovalPolicy: approvalPolicy };
