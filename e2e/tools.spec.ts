import { enter, expect, expectAccessible, test } from './fixtures.ts';

test('LIV-04-partial LIV-05-partial LIV-06-partial an admin lets a router ping, measure its speed and send its log, and sees each result', async ({
  page,
  tenant,
}) => {
  const [bus] = await tenant.routers(1);
  await tenant.fleet([bus!]).whenAllConnected();
  const { rows } = await tenant.owner.query('select id from devices where serial = $1', [bus!.serial]);
  await enter(page, tenant.users.admin, `/devices/setting?device=${rows[0]!.id}&tab=tools`);
  const form = page.getByRole('region', { name: 'Run a test' });
  const result = page.getByRole('region', { name: 'Result' });
  const run = async (tool: string): Promise<void> => {
    await form.getByLabel('Test', { exact: true }).selectOption({ label: tool });
    await form.getByRole('button', { name: 'Run' }).click();
  };

  await form.getByLabel('Host name or address').fill('127.0.0.1');
  await run('Ping');
  await expect(result).toContainText('4 of 4');
  await expectAccessible(page);
  const address = page.url();

  await run('Speed test, download');
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('The router transfers 5.00 MB over its SIM. They count as data used.');
  await question.getByRole('button', { name: 'Run' }).click();
  await expect(result).toContainText('Mbit/s');

  await run('Router log');
  await result.getByRole('button', { name: 'Show the log' }).click();
  await expect(page.getByRole('dialog')).toContainText('connected to the cloud');
  await page.keyboard.press('Escape');

  // The link of the first result, as someone else of the organization opens it.
  await page.goto(address);
  await expect(result).toContainText('4 of 4');
  await expect(page.getByRole('region', { name: 'Tests of the last 90 days' }).getByRole('link')).toHaveCount(3);
});
