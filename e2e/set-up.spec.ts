import { routerEndpointId } from '@highline/usp';
import { completeAgent, TestAgent } from '@highline/testkit/scripted-router';
import { enter, expect, expectAccessible, test } from './fixtures.ts';

const REJECTION = 'Too many subscriptions: at most 3 are allowed <by this agent>';

/** Rejects the subscription to Push!, and any command, like an agent without them. */
function rejectPart(agent: TestAgent, { msgId, type, value }: TestAgent['requests'][number]): boolean {
  if (type === 'operate') {
    const errMsg = 'CheckPathProperties: Path is invalid: not in the schema';
    const operationResults = [{ one: { case: 'cmdFailure', value: { errCode: 7026, errMsg } } }];
    agent.sendMessage(msgId, 'OPERATE_RESP', 'response', 'operateResp', { operationResults });
    return true;
  }
  if (type !== 'add' || !JSON.stringify(value).includes('highline-push')) return false;
  const objects = value['createObjs'] as { objPath: string; paramSettings: { param: string; value: string }[] }[];
  const createdObjResults = objects.map(({ objPath, paramSettings }, index) => {
    const isPush = paramSettings.some((each) => each.value === 'highline-push');
    const path = `${objPath}${900 + index}.`;
    if (!isPush) for (const each of paramSettings) agent.model.set(path + each.param, each.value);
    const one = isPush
      ? { case: 'operFailure', value: { errCode: 7005, errMsg: REJECTION } }
      : { case: 'operSuccess', value: { instantiatedPath: path } };
    return { requestedPath: objPath, operStatus: { one } };
  });
  agent.sendMessage(msgId, 'ADD_RESP', 'response', 'addResp', { createdObjResults });
  return true;
}

test('DEV-07-partial DEV-09-partial the page of a device shows what its router rejected, in the setup and of a command', async ({
  page,
  tenant,
}) => {
  const [router] = await tenant.routers(1, { claimed: true });
  const { serial, mac, secret } = router!;
  const { rows } = await tenant.owner.query<{ id: string }>('select id from devices where serial = $1', [serial]);
  const server = tenant.server.url.replace('http', 'ws');
  const endpointId = routerEndpointId(mac.slice(0, 6), serial);
  const agent = new TestAgent({ server, secret, endpointId, ...completeAgent, answer: rejectPart });
  await enter(page, tenant.users.admin, `/devices/setting?device=${rows[0]!.id}`);
  const panel = page.getByRole('region', { name: 'Setup is incomplete' });
  await expect(panel.getByRole('listitem')).toHaveText(`Readings are not sentRouter response: ${REJECTION} (error 7005)`);
  await page.getByRole('link', { name: 'Diagnostics', exact: true }).click();
  await expect(panel.getByRole('listitem')).toHaveCount(1);
  await expect(page.getByRole('region', { name: 'Router agent' })).toContainText('Polled at regular intervals');

  await page.getByRole('button', { name: 'New command' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Find it');
  await dialog.getByLabel('Action').selectOption('identify');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Run Find it' }).first().click();
  const question = page.getByRole('alertdialog');
  await question.getByRole('button', { name: 'Run' }).click();
  await expect(question).toContainText('does not support this command.');
  await expect(question).toContainText('Router response: CheckPathProperties');
  await question.getByRole('button', { name: 'OK' }).click();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Timeline', exact: true }).click();
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await expect(timeline.getByRole('listitem').filter({ hasText: 'Ran command Find it' })).toContainText(
    'not supported by the router',
  );
  agent.cut();
});
