import { expect, it } from 'vitest';
import type { Database } from '../../platform/ports/database.ts';
import { alertsPath, MINUTE_MS, useAlertFleet, weakSignal } from '../../testing/alert-fleet.ts';
import { silentLog } from '../../testing/log.ts';
import { useTestApp } from '../../testing/test-app.ts';
import type { ToolCalls } from '../tools/index.ts';
import { runTests, syncTests } from './alert-tests.job.ts';
import { compareAll } from './index.ts';

const app = useTestApp('2026-11-20T12:00:00Z');
const { open, later, run, addRule, statesOf } = useAlertFleet(app);

it('LIV-04-partial a router that goes offline while its test becomes due is tested with its next turn, and only a result ends its alert', async () => {
  const { admin, routers } = await open(1);
  const device = routers[0]!.deviceId;
  const setPresence = (presence: string) => app.owner.query('update devices set presence = $2 where id = $1', [device, presence]);
  await setPresence('online');
  let sent = 0;
  const toolCalls = {
    send: async () => {
      sent++;
      return {};
    },
  } as unknown as ToolCalls;
  const runDue = (database: Database = app.database) =>
    runTests(
      {
        database,
        clock: app.clock,
        log: silentLog,
        toolCalls,
        actions: { mayAct: async () => true },
        origin: () => 'https://cloud.test',
      },
      app.clock.now(),
    );
  const end = (state: string, hasPassed: boolean | null) =>
    app.owner.query(
      "update tool_runs set state = $2, has_passed = $3, ended_at = now() where device_id = $1 and state = 'running'",
      [device, state, hasPassed],
    );
  const compare = async () => {
    await syncTests(app.database, app.clock.now());
    await compareAll(app.database, app.clock.now());
    await run();
  };
  const ping = { tool: 'ping', host: '192.0.2.1', ipVersion: '4', count: 1, bytes: 32 };
  const condition = { kind: 'test', test: ping, everyMinutes: 15, slowerThan: null };
  const rule = { ...weakSignal, condition, forSeconds: 0 };
  const { id } = await addRule(admin, rule);
  await compare();
  await runDue();
  expect(sent).toBe(1);
  await app.owner.query("update tool_runs set state = 'done', has_passed = false, ended_at = now() where device_id = $1", [
    device,
  ]);
  await compare();
  expect(await statesOf(admin)).toEqual(['firing']);

  later(15 * MINUTE_MS);
  let writes = 0;
  await runDue({
    ...app.database,
    write: async (work) => {
      // After those that are offline were postponed.
      if (writes++ === 1) await setPresence('offline');
      return app.database.write(work);
    },
  });
  await compare();
  expect(await statesOf(admin)).toEqual(['firing']);
  await setPresence('online');
  await runDue();
  expect(sent).toBe(1);
  later(15 * MINUTE_MS);
  await runDue();
  expect(sent).toBe(2);
  await end('failed', null);
  later(15 * MINUTE_MS);
  await runDue();
  await end('failed', null);
  await compare();
  expect(await statesOf(admin)).toEqual(['firing']);
  // The rule is compared with the last result, also after it was changed. When that is deleted for its age, nothing is known.
  const changed = { ...rule, forSeconds: 60 };
  expect((await app.call('PUT', `${alertsPath}/rules/${id}`, { as: admin, body: changed })).status).toBe(200);
  await run();
  await compare();
  later(MINUTE_MS);
  await run();
  expect(await statesOf(admin)).toEqual(['firing', 'rule-changed']);
  await app.owner.query('delete from tool_runs where device_id = $1', [device]);
  await compare();
  expect(await statesOf(admin)).toEqual(['firing', 'rule-changed']);
});
