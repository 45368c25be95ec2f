import { enter, expect, expectAccessible, test } from './fixtures.ts';
import { choose } from './groups.ts';

test('GRP-08-partial GRP-10-partial vehicles that restart at once are counted and named before Save, and so are those that a deleted group sends back', async ({
  page,
  world,
}) => {
  test.slow();
  const name = `Restart ${world.mark}`;
  const group = await world.seeding.group(world.org, name);
  const routers = await world.routers(3, { group });
  for (const [index, { serial }] of routers.entries())
    await world.owner.query('update devices set vehicle_number = $2 where serial = $1', [serial, `Bus ${index + 1}`]);
  const fleet = world.fleet(routers.slice(0, 2));
  await fleet.whenAllConnected();
  const version = `31.1.${world.mark}`;
  await world.seeding.firmware(world.main, { version, model: 'HL-R520 5G' });
  const ready = async () =>
    (await world.owner.query("select 1 from devices where group_key = $1 and model is not null and presence = 'online'", [group]))
      .rowCount;
  await expect.poll(ready).toBe(2);
  await enter(page, world.people.admin, `/groups/detail?group=${group}`);
  await choose(page, 'Firmware', new RegExp(`^${version}`, 'u'));
  await expect(page.getByText('3 routers: 3 will change, 1 offline will follow')).toBeVisible();
  const save = page.getByRole('button', { name: 'Save', exact: true });
  const question = page.getByRole('alertdialog');
  await save.first().click();
  await expect(question).toContainText('2 vehicles restart now');
  for (const bus of ['Bus 1', 'Bus 2']) await expect(question).toContainText(bus);
  await expect(question).toContainText('returns to what it ran before by itself');
  await expect(question).toContainText('1 offline router follows when it connects.');
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Cancel' }).click();
  const bound = await world.owner.query('select 1 from bindings where group_key = $1', [group]);
  expect(bound.rowCount).toBe(0);
  await save.first().click();
  await question.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Edit success').last()).toBeVisible();
  const panel = page.getByRole('region', { name: `Rollout of firmware ${version}` });
  await expect(panel).toContainText('2 / 3', { timeout: 90_000 });
});
