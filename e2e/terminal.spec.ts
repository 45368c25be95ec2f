import { enter, expect, expectAccessible, test } from './fixtures.ts';

test('LIV-07-partial a terminal in the browser is the command line of the router, in the page of the device and in one of its own', async ({
  page,
  tenant,
}) => {
  const complaints: string[] = [];
  page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
  const [router] = await tenant.routers(1);
  await tenant.fleet([router!]).whenAllConnected();
  const { rows } = await tenant.owner.query<{ id: string }>('select id from devices where serial = $1', [router!.serial]);
  await enter(page, tenant.users.admin, `/devices/setting?device=${rows[0]!.id}&tab=diagnostics`);
  const prompt = `${router!.serial}# `;
  const shown = page.locator('.xterm-rows');

  await page.getByRole('button', { name: 'Open terminal' }).click();
  await expect(shown).toContainText(prompt.trim());
  await page.keyboard.type('status\n');
  await expect(shown).toContainText('Supply voltage');
  await expectAccessible(page);
  await page.keyboard.press('F6');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Close terminal' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Open terminal' })).toBeVisible();

  await page.getByRole('link', { name: 'Page of its own' }).click();
  // Until then the page before it still shows its own button.
  await expect(page.getByRole('heading', { name: `Terminal of ${router!.serial}` })).toBeVisible();
  await page.getByRole('button', { name: 'Open terminal' }).click();
  await expect(shown).toContainText(prompt.trim());
  await page.keyboard.type('exit\n');
  await expect(page.getByRole('status')).toContainText('The command line was closed.');
  await expect(page.getByRole('button', { name: 'Open again' })).toBeVisible();
  expect(complaints).toEqual([]);
});
