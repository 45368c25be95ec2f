import { tools } from '@highline/contract';
import { newId, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Tx } from '../../platform/ports/index.ts';
import type { RouterOfDevice } from '../commands/index.ts';
import { endRun } from './tool-ends.job.queries.ts';
import type { ToolDeps } from './tool-ends.ts';
import { readTargets } from './tool-targets.store.ts';
import { isTestAllowed } from './tool-targets.ts';
import { sendRun, endsBy } from './tools.service.ts';
import { countRunning, insertRun } from './tools.store.ts';

/** A test that an alert rule runs. */
export interface RuleRun {
  readonly ruleId: string;
  readonly ruleName: string;
  readonly input: tools.RuleTest;
}

/**
 * Note a test of a rule in the transaction of its job; it has no audit entry, because the one of the rule says what it runs.
 * @param mayRun otherwise it is a run that failed as `not-allowed`, which users see in the list
 * @returns its id, and whether to send it after the commit; undefined while the device runs one of its kind
 */
export async function insertRuleRun(
  tx: Tx,
  scope: OrganizationScope,
  device: RouterOfDevice,
  { ruleId, ruleName, input }: RuleRun,
  mayRun: boolean,
  now: Date,
): Promise<{ readonly id: string; readonly isReady: boolean } | undefined> {
  const id = newId(now.getTime());
  const { deviceId, routerId } = device;
  const run = { id, deviceId, routerId, input, by: ruleName, now, endsBy: endsBy(input, now), addressHash: null, ruleId };
  if (!(await insertRun(tx, scope, run))) return undefined;
  const isReady = mayRun && isTestAllowed(await readTargets(tx, scope), input);
  if (!isReady) await endRun(tx, id, undefined, { failure: { cause: 'not-allowed', message: '' } }, now);
  await announce(tx, scope, 'tools', [deviceId]);
  return { id, isReady };
}

/** Tests of rules that run in an organization. */
export const countRuleRuns = (tx: Tx, scope: OrganizationScope): Promise<number> => countRunning(tx, scope, true);

/** Send a test of a rule. */
export async function sendRuleRun(
  deps: Pick<ToolDeps, 'database' | 'clock' | 'calls'>,
  scope: OrganizationScope,
  actor: Actor,
  device: RouterOfDevice,
  run: { readonly id: string; readonly input: tools.RuleTest },
): Promise<void> {
  await sendRun(deps, scope, actor, device, { ...run, url: '', log: '' });
}
