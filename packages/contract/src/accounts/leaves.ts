import { z } from 'zod';
import { managers, operation } from '../operation.ts';

/** What goes on in the name of a person, or is the person's alone: with the account it stops, or is gone. */
export const leftKinds = [
  'jobs',
  'commands',
  'switches',
  'summaries',
  'links',
  'keys',
  'rules',
  'plans',
  'backups',
  'passwords',
  'approvals',
  'reports',
  'views',
] as const;
export type LeftKind = (typeof leftKinds)[number];

export const listLeaves = operation({
  id: 'accounts.leaves',
  method: 'GET',
  path: '/dmp_aa/api/v1/accounts/{id}/leaves',
  summary:
    'What stops, or is gone, when an account is deleted: jobs, commands and eSIM switches that wait, scheduled summaries, links, API keys, actions and tests of alert rules, actions of data plans, nightly backups, replaced passwords and requests in its name, and its own saved reports and views. Kinds without any are left out.',
  scope: 'account',
  roles: managers,
  params: z.object({ id: z.string() }),
  response: z.object({
    result: z.object({ id: z.string(), leaves: z.array(z.object({ kind: z.enum(leftKinds), count: z.number().int() })) }),
  }),
});
