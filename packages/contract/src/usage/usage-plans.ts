import { z } from 'zod';
import { deletion, line, tenantBody, tenantQuery, typedName } from '../conventions.ts';
import { everyRole, managers, operation } from '../operation.ts';

/** The most plans of an organization. */
export const MOST_PLANS = 50;
/** The most ICCIDs in one call. */
export const MOST_ASSIGNED = 5_000;
/** The most SIMs of an organization. */
export const MOST_SIMS = 500_000;

/** Which SIMs a plan has: those that it was chosen for only, also those of a carrier, or also all others. */
export const planTargets = ['chosen', 'carrier', 'all'] as const;
/** What happens when a SIM reaches its allowance, apart from the mail. */
export const planActions = ['mail', 'command', 'profile'] as const;
export type PlanAction = (typeof planActions)[number];

/** Why the action of a plan was not begun for a SIM at its allowance. */
export const notDoneReasons = [
  /** No device has the SIM. */
  'no_device',
  /** The custom command was deleted. */
  'no_command',
  'too_many_jobs',
  /** Its router has no other eSIM to switch to, or uses another one already. */
  'no_profile',
  /** Who saved the plan last may not act any more. Once someone saves it again, the action is done in that name. */
  'not_allowed',
] as const;
export type NotDoneReason = (typeof notDoneReasons)[number];

const bytes = z.number().int().min(0);

const planFields = z.object({
  name: typedName(80).min(1),
  /** Day of month on which the cycle begins, at 00:00 in the zone of the organization; in a shorter month its last day. */
  cycleDay: z.int().min(1).max(31),
  /** Bytes of a SIM in a cycle; in a pool, what each SIM brings to it. */
  allowance: z.int().min(1).max(1e15),
  /** The allowances of its SIMs are one. */
  isPool: z.boolean(),
  /** For each GB (10^9 bytes), with at most four decimals; null = not known. */
  costPerGb: z
    .number()
    .min(0)
    .max(1_000_000)
    .refine((cost) => Math.round(cost * 10_000) / 10_000 === cost, 'must have at most four decimals')
    .nullable(),
  /** ISO 4217; empty without a cost. */
  currency: z.string().regex(/^(?:[A-Z]{3})?$/u, 'must be three capital letters, such as USD'),
  appliesTo: z.enum(planTargets),
  /** With `appliesTo` carrier: its name, in any case. */
  carrier: line(100),
  /** Percent of the allowance at which a mail is sent, once in a cycle. */
  shares: z
    .array(z.int().min(1).max(500))
    .min(1)
    .max(6)
    .overwrite((shares) => [...new Set(shares)].toSorted((a, b) => a - b)),
  action: z.enum(planActions),
  /** With `action` command: the custom command. */
  command: z.string().max(60).nullable(),
});
export type PlanFields = z.infer<typeof planFields>;

/** What a plan says of its running cycle. */
const planUse = z.object({
  /** First day of the running cycle and of the next one. */
  cycleFrom: z.string(),
  cycleUntil: z.string(),
  sims: z.number().int(),
  used: bytes,
  /** Of the pool, or of all its SIMs together. */
  allowance: bytes,
  /** Expected at the end of the cycle; null in its first 24 hours, if no cycle before it is known. */
  forecast: bytes.nullable(),
  /** SIMs that have reached their allowance; of a pool 0 or all. */
  over: z.number().int(),
  /** By `costPerGb`: so far, and expected. */
  cost: z.number().nullable(),
  costForecast: z.number().nullable(),
});

/** A plan with its running cycle (USE-03). */
export const usagePlan = planFields.extend({
  id: z.string(),
  version: z.number().int(),
  use: planUse,
  /** SIMs at their allowance in the running cycle for which the action was not begun. */
  notDone: z.array(z.object({ reason: z.enum(notDoneReasons), sims: z.number().int() })),
});
export type UsagePlan = z.infer<typeof usagePlan>;

const planPath = z.object({ plan: z.string() });

export const listPlans = operation({
  id: 'usagePlans.list',
  method: 'GET',
  path: '/data_manager/v1/dm/usage/plans',
  summary: 'Plans of an organization with use, forecast and cost of the running cycle (USE-03).',
  scope: 'organization',
  roles: everyRole,
  query: tenantQuery,
  response: z.object({ result: z.array(usagePlan) }),
});

export const addPlan = operation({
  id: 'usagePlans.add',
  method: 'POST',
  path: '/data_manager/v1/dm/usage/plans',
  summary:
    'Add a plan (USE-03). SIMs are matched with it within seconds. For an action at the allowance the caller, a person or an API key, also needs commands.run or esims.use.',
  scope: 'organization',
  roles: managers,
  body: tenantBody.extend(planFields.shape),
  response: z.object({ result: z.object({ id: z.string() }) }),
});

export const savePlan = operation({
  id: 'usagePlans.save',
  method: 'PUT',
  path: '/data_manager/v1/dm/usage/plans/{plan}',
  summary: 'Change a plan; `version` is the one that it is based on (USE-03).',
  scope: 'organization',
  roles: managers,
  params: planPath,
  body: tenantBody.extend({ ...planFields.shape, version: z.int() }),
  response: z.object({ result: z.object({ id: z.string() }) }),
});

export const deletePlan = operation({
  id: 'usagePlans.delete',
  method: 'DELETE',
  path: '/data_manager/v1/dm/usage/plans/{plan}',
  summary: 'Delete a plan. Its SIMs get the plan of their carrier or of all, or none (USE-03).',
  scope: 'organization',
  roles: managers,
  params: planPath,
  query: tenantQuery,
  response: deletion,
});

export const assignSims = operation({
  id: 'usagePlans.assign',
  method: 'POST',
  path: '/data_manager/v1/dm/usage/plans/{plan}/sims',
  summary:
    'Choose this plan for SIMs by ICCID, or take it from them (USE-03). A SIM that was not used yet may be named; its number is checked.',
  scope: 'organization',
  roles: managers,
  params: planPath,
  body: tenantBody.extend({
    iccids: z.array(z.string().trim().max(40)).min(1).max(MOST_ASSIGNED),
    remove: z.boolean().optional(),
    /** A person has compared the doubtful numbers with their cards: the plan is chosen for them as they are written. */
    confirmed: z.boolean().optional(),
    /** Check only, write nothing. */
    dryRun: z.boolean().optional(),
  }),
  response: z.object({
    result: z.object({
      sims: z.number().int(),
      /** Numbers whose last digits a spreadsheet has replaced; without `dryRun` they are an error (`plan.iccids_damaged`). */
      damaged: z.array(z.string()),
      /** Numbers to be confirmed, as in `esims.add`; without `dryRun` and `confirmed` they are an error (`plan.iccids_doubtful`). */
      doubts: z.array(z.string()),
    }),
  }),
});

export const readFile = operation({
  id: 'usagePlans.readFile',
  queue: 'imports',
  method: 'POST',
  path: '/data_manager/v1/dm/usage/plans/file',
  summary:
    'The ICCIDs in the column ICCID of a CSV file or an Excel workbook, each once and as it is written, to choose a plan for them (USE-03). Nothing is changed.',
  scope: 'organization',
  roles: managers,
  body: tenantBody,
  bodyKind: 'multipart',
  fileExample: 'ICCID,Carrier\n89014103211118510720,AT&T\n',
  response: z.object({ result: z.object({ iccids: z.array(z.string()) }) }),
});

export const setZone = operation({
  id: 'usagePlans.setZone',
  method: 'PUT',
  path: '/data_manager/v1/dm/usage/zone',
  summary:
    'Choose the time zone of days and cycles of an organization (USE-03): from its next midnight on, and from the beginning where no data was used yet.',
  scope: 'organization',
  roles: managers,
  body: tenantBody.extend({
    /** IANA name, such as America/Chicago. */
    zone: z.string().min(1).max(60),
  }),
  response: z.object({ result: z.object({ zone: z.string(), from: z.string().nullable() }) }),
});

/** What a plan would do to a SIM now. */
export const planEffect = z.object({
  /** Empty: the pool. */
  iccid: z.string(),
  /** The vehicle or serial number of its device; empty if it is in none. */
  deviceName: z.string(),
  used: bytes,
  /** Of the allowance, in percent. */
  percent: z.number(),
  /** The highest of the shares that is reached. */
  share: z.number().int(),
  does: z.array(z.enum(planActions)),
});
export type PlanEffect = z.infer<typeof planEffect>;
/** The most effects that a preview lists. */
export const MOST_EFFECTS = 100;

export const previewPlan = operation({
  id: 'usagePlans.preview',
  method: 'POST',
  path: '/data_manager/v1/dm/usage/plans/preview',
  summary: 'What a plan would do if it applied now: dry run, nothing is sent or changed (USE-03).',
  scope: 'organization',
  roles: managers,
  body: tenantBody.extend({ ...planFields.shape, plan: z.string().nullable() }),
  response: z.object({
    result: z.object({ use: planUse, effects: z.array(planEffect), total: z.number().int() }),
  }),
});

export const schemaNames = {
  PlanEffect: planEffect,
  PlanUse: usagePlan.shape.use,
  UsagePlan: usagePlan,
};
