import { runCommand } from '../commands/calls.ts';
import { useProfile } from '../esims/calls.ts';
import type { Right } from '../operation.ts';
import type { PlanAction } from './usage-plans.ts';

/** What a data plan does at the allowance; mails of plans go to the notification recipients, in no one's name (USE-03). */
export const planRights: Readonly<Record<PlanAction, Right | null>> = { mail: null, command: runCommand, profile: useProfile };
