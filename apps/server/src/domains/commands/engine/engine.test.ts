import type { sentCommands } from '@highline/contract';
import { expect, test } from 'vitest';
import { addDevice, openHome, routersNamed } from '../../../testing/home.ts';
import { silentLog } from '../../../testing/log.ts';
import { createTestSealing } from '../../../testing/sealing.ts';
import { useTestApp } from '../../../testing/test-app.ts';
import type { DeviceLink, RouterListener } from '../../../platform/ports/index.ts';
import { createCommandEngine } from './engine.ts';

const COMMANDS = '/data_manager/v1/dm/device/commands';
const app = useTestApp();
const fresh = routersNamed('RJ');

/** The engine of a process, what a router reports to it, and what it sends. @param database of the process */
function openEngine(database = app.database) {
  let listener: RouterListener;
  const sent: string[] = [];
  const operate = async (routerId: string) => {
    sent.push(routerId);
    return { type: 'running' };
  };
  const deviceLink = { operate, awaitsSetUp: () => false, listen: (own: RouterListener) => void (listener = own) };
  const none = () => Promise.reject(new Error('Nothing is sent.'));
  const engine = createCommandEngine({
    database,
    clock: app.clock,
    log: silentLog,
    node: { id: '01a00000-0000-7000-8000-000000000001' },
    deviceLink: deviceLink as unknown as DeviceLink,
    passwordSealing: createTestSealing(),
    mayAct: async () => true,
    composed: { 'apply-settings': none, 'backup-config': none, 'restore-config': none },
  });
  return { engine, report: listener!, sent };
}

test('LIV-09-partial a command whose router connects while a pass examines it is sent, not rejected as of someone without the right', async () => {
  const { own, admin } = await openHome(app);
  const { id: device, routerId } = await addDevice(app, own, fresh());
  const body = { org: own.organizationId, device, kind: 'reboot', wait: 24 };
  const { status, text } = await app.call('POST', COMMANDS, { as: admin, body });
  expect(status, text).toBe(200);
  await app.owner.query('update sent_commands set due_at = created_at where device_id = $1', [device]);
  let isConnecting = true;
  const { engine, report, sent } = openEngine({
    ...app.database,
    async write(work) {
      if (isConnecting) await app.owner.query("update routers set presence = 'online' where id = $1", [routerId]);
      isConnecting = false;
      return app.database.write(work);
    },
  });
  report.ready(routerId);
  const shown = async () => {
    const { json } = await app.call('GET', COMMANDS, { as: admin, query: { org: own.organizationId, device } });
    const [command] = json.result as sentCommands.SentCommand[];
    return [command!.state, command!.reason];
  };
  await expect.poll(shown).toEqual(['running', null]);
  expect(sent).toEqual([routerId]);
  await engine.stop();
});

test('GRP-10-partial LIV-09-partial the text of one router that the database rejects does not hold up the commands of the others', async () => {
  const { own, admin } = await openHome(app);
  await app.owner.query(`alter table sent_commands add constraint unlucky check (message <> 'rejected text')`);
  const sent = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const { id: device, routerId } = await addDevice(app, own, fresh());
      const body = { org: own.organizationId, device, kind: 'reboot', wait: 24 };
      const { json, status, text } = await app.call('POST', COMMANDS, { as: admin, body });
      expect(status, text).toBe(200);
      await app.owner.query(
        `update sent_commands set state = 'running', sent_at = created_at, sends = 1, due_at = expires_at where id = $1`,
        [json.result.id],
      );
      return { device, routerId, id: json.result.id as string };
    }),
  );
  const { engine, report } = openEngine();
  const messages = ['a', 'b', 'rejected text', 'd', 'e'];
  const outcomes = await Promise.allSettled(
    sent.map(({ routerId, id }, index) =>
      report.completed(routerId, id, { cause: 'failed', code: 7022, message: messages[index]! }, new Map()),
    ),
  );
  await engine.stop();
  const shown = await Promise.all(
    sent.map(async ({ device }) => {
      const { json } = await app.call('GET', COMMANDS, { as: admin, query: { org: own.organizationId, device } });
      const [command] = json.result as sentCommands.SentCommand[];
      return [command!.state, command!.message];
    }),
  );
  expect(shown).toEqual([
    ['failed', 'a'],
    ['failed', 'b'],
    ['running', ''],
    ['failed', 'd'],
    ['failed', 'e'],
  ]);
  // Its router has no acknowledgement, and says it again.
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
});
