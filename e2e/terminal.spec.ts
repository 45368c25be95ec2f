import { enter, expect, expectAccessible, test, visit } from './fixtures.ts';

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
  // Far more than may be under way: the router gets all of it, with the command at its end.
  await page.locator('.xterm-helper-textarea').evaluate(
    (input, text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', text);
      input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
    },
    `${`${'#'.repeat(255)}\n`.repeat(4_096)}exit\n`,
  );
  await expect(page.getByRole('status')).toContainText('The command line was closed.');
  await expect(page.getByRole('button', { name: 'Open again' })).toBeVisible();
  expect(complaints).toEqual([]);
});

test('LIV-07 a terminal that the organization records is announced, replayed to what it showed, and its seal is unbroken', async ({
  page,
  tenant,
}) => {
  const [router] = await tenant.routers(1);
  await tenant.fleet([router!]).whenAllConnected();
  const { rows } = await tenant.owner.query<{ id: string }>('select id from devices where serial = $1', [router!.serial]);
  await enter(page, tenant.users.admin, '/recordings');
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('checkbox', { name: 'Record terminals that are opened from now on' }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Recordings are kept for 90 days.')).toBeVisible();

  await visit(page, `/devices/terminal?device=${rows[0]!.id}`);
  await expect(page.getByText('what the router shows is stored with your name for 90 days', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'Open terminal' }).click();
  await expect(page.getByText('This terminal is recorded with your name.')).toBeVisible();
  const shown = page.locator('.xterm-rows');
  await expect(shown).toContainText(`${router!.serial}#`);
  await page.keyboard.type('status\n');
  await expect(shown).toContainText('Supply voltage');
  await page.keyboard.type('exit\n');
  await expect(page.getByText('The command line was closed.')).toBeVisible();

  await page.getByRole('link', { name: 'Recordings of this device' }).click();
  await page.getByRole('link', { name: /: replay the terminal of/u }).click();
  await expect(page.getByRole('heading', { name: `Terminal of ${router!.serial}` })).toBeVisible();
  await page.getByRole('button', { name: 'Play' }).click();
  await expect(page.getByRole('button', { name: 'Play again' })).toBeVisible();
  await expect(shown).toContainText('Supply voltage');
  await page.getByRole('button', { name: 'Check the seal' }).click();
  await expect(page.getByText('Unchanged: its hash is the one in the log.')).toBeVisible();
  await expectAccessible(page);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download (.cast)' }).click();
  expect((await download).suggestedFilename()).toMatch(/\.cast$/u);
});
