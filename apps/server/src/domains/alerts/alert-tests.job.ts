import { actionRights, tools } from '@highline/contract';
import type { Actor, OrganizationScope } from '../../kernel/index.ts';
import { createSemaphore } from '../../platform/listing/index.ts';
import type { Database, Tx } from '../../platform/ports/database.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { RouterOfDevice } from '../commands/index.ts';
import { countRuleRuns, insertRuleRun, sendRuleRun, type ToolCalls } from '../tools/index.ts';
import type { RuleActions } from './alert-actions.job.ts';
import {
  listResumed,
  listTesting,
  noteNext,
  postponeOffline,
  removeTests,
  syncTestedDevices,
  takeDueTests,
  type DueTest,
  type NextTest,
} from './alert-tests.job.queries.ts';
import { endSystemAlert, openMailedAlert } from './system-alerts.job.queries.ts';

export interface TestJobDeps extends Pick<Deps, 'database' | 'clock' | 'log'> {
  readonly actions: Pick<RuleActions, 'mayAct'>;
  readonly toolCalls: ToolCalls;
  /** Scheme, name and port of links in mails. */
  readonly origin: () => string;
}

const MINUTE_MS = 60_000;
/** How soon a test is tried again whose device runs one of its kind. */
const BUSY_MS = 30_000;
/** Tests that are sent at a time; one whose router does not answer delays no other. */
const SENT_AT_ONCE = 50;

/** Begin and end with the devices of rules that run a test (LIV-04), and with the alerts that tests stopped. */
export async function syncTests(database: Database, now: Date): Promise<void> {
  await database.write((tx) => syncTestedDevices(tx, now));
  for (const { scope, ruleId } of await listResumed(database.read))
    await database.write((tx) => endSystemAlert(tx, scope, { kind: 'tests-stopped', about: ruleId }, now));
}

interface ReadyTest {
  readonly scope: OrganizationScope;
  readonly actor: Actor;
  readonly device: RouterOfDevice;
  readonly run: { readonly id: string; readonly input: tools.RuleTest };
}

/**
 * Run the tests that are due: at most 20 at once in an organization, the one that has waited longest first, so that a large group takes its
 * time. A run is a row before anything is sent, as a user's is: a process that is killed in between leaves one that fails at its time limit.
 */
export async function runTests(deps: TestJobDeps, now: Date): Promise<void> {
  const { database } = deps;
  const organizations = await listTesting(database.read, now);
  if (organizations.length === 0) return;
  await database.write((tx) => postponeOffline(tx, now));
  const ready: ReadyTest[] = [];
  for (const scope of organizations) ready.push(...(await database.write((tx) => startDue(tx, deps, scope, now))));
  const semaphore = createSemaphore(SENT_AT_ONCE);
  await Promise.all(
    ready.map(async ({ scope, actor, device, run }) => {
      await semaphore.acquire();
      try {
        await sendRuleRun({ ...deps, calls: deps.toolCalls }, scope, actor, device, run);
      } catch (error) {
        deps.log.warn({ err: error, run: run.id }, 'Failed to send a test of an alert rule.');
      } finally {
        semaphore.release();
      }
    }),
  );
}

async function startDue(tx: Tx, { actions, origin }: TestJobDeps, scope: OrganizationScope, now: Date): Promise<ReadyTest[]> {
  const running = await countRuleRuns(tx, scope);
  if (running >= tools.MOST_RUNNING_TOOLS) return [];
  const mayRun = new Map<string, boolean>();
  const next: NextTest[] = [];
  const over: DueTest[] = [];
  const ready: ReadyTest[] = [];
  for (const each of await takeDueTests(tx, scope, now, tools.MOST_RUNNING_TOOLS - running)) {
    const test = testOf(each);
    if (test === undefined) {
      if (each.is_once) over.push(each);
      else next.push({ key: each, due: nextTurn(each, now), run: null });
      continue;
    }
    const { name, actor, device, input } = test;
    if (!mayRun.has(each.rule_id)) {
      mayRun.set(each.rule_id, await actions.mayAct(tx, actor, actionRights.test));
      const alert = { kind: 'tests-stopped', about: each.rule_id, name, since: now, page: '/alerts/rules' } as const;
      if (!mayRun.get(each.rule_id)) await openMailedAlert(tx, scope, alert, origin(), now);
      else await endSystemAlert(tx, scope, alert, now);
    }
    // A run that is not begun says nothing of the router, at every turn of every router.
    if (!mayRun.get(each.rule_id) && !each.is_once) {
      next.push({ key: each, due: nextTurn(each, now), run: null });
      continue;
    }
    const rule = { ruleId: each.rule_id, ruleName: name, input };
    const run = await insertRuleRun(tx, scope, device, rule, mayRun.get(each.rule_id)!, now);
    if (run?.isReady === true) ready.push({ scope, actor, device, run: { id: run.id, input } });
    if (run !== undefined && each.is_once) over.push(each);
    else
      next.push({
        key: each,
        due: run === undefined ? new Date(now.getTime() + BUSY_MS) : nextTurn(each, now),
        run: run?.id ?? null,
      });
  }
  await noteNext(tx, scope, next);
  await removeTests(tx, scope, over);
  return ready;
}

/** When a device is tested again; `syncTestedDevices` ends with those whose rule or device is gone. */
function nextTurn({ rule }: DueTest, now: Date): Date {
  const condition = rule?.condition;
  return new Date(now.getTime() + (condition?.kind === 'test' ? condition.everyMinutes : 60) * MINUTE_MS);
}

/** What is to be tested; undefined when the rule, its action or the device is gone, or the router is off. */
function testOf({
  rule,
  is_once: isOnce,
  device_id: deviceId,
  router_id: routerId,
  serial,
  held_by: heldBy,
  is_online: isOnline,
}: DueTest) {
  const actor = rule?.action_actor ?? null;
  if (rule === null || actor === null || routerId === null || serial === null || !isOnline) return undefined;
  const tested = isOnce ? rule.action?.does : rule.condition;
  if (tested?.kind !== 'test') return undefined;
  return {
    name: rule.name,
    actor,
    device: { deviceId, routerId, serial, heldBy, isOnline },
    input: tested.test,
  };
}
