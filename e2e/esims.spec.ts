import { EID, row } from './esims.ts';
import { enter, expect, expectStill, waitUntilLoaded, test, visit } from './fixtures.ts';
import { INDEFINITE_MS } from './tenant.ts';

test('SIM-03 SIM-06 SIM-10 SIM-08-partial a router follows: eSIMs are added and downloaded, one fails and is retried, one is dragged to the top and used, and deleted again, and the screens show it as it happens', async ({
  page,
  tenant,
}) => {
  test.slow();
  const [router] = await tenant.routers(1);
  const { serial } = router!;
  const card = (name: string) => page.getByRole('listitem', { name, exact: true });
  const dialog = page.getByRole('alertdialog');
  const save = page.getByRole('button', { name: 'Save', exact: true });
  const fill = async (name: string, values: Readonly<Record<string, string>>) => {
    for (const [label, value] of Object.entries(values)) await card(name).getByRole('textbox', { name: label }).fill(value);
  };
  const edit = async (name: string) => {
    await visit(page, `/devices/esimsList?size=10&field=name&search=${encodeURIComponent(name)}`);
    await row(page, name).locator('td').nth(4).click();
    await expect(card(name)).toBeVisible();
    await waitUntilLoaded(page);
  };

  // While the router is off everything waits for it.
  await enter(page, tenant.users.admin, `/devices/esimsAdd?method=manual&serial=${serial}&eid=${EID}`);
  await page.getByRole('button', { name: 'Edit preloaded_eSIM' }).click();
  await fill('preloaded_eSIM', { ICCID: '8914800000001234562', 'APN 1': 'vzwinternet' });
  await page.getByRole('button', { name: 'Add an eSIM' }).click();
  await fill('New eSIM', { 'Activation Code': '1$dp.example$FAIL-1', ICCID: '8901410000005551119', 'APN 1': 'm2m' });
  await fill('New eSIM', { 'eSIM name': 'Broken' });
  await page.getByRole('button', { name: 'Add an eSIM' }).click();
  await fill('New eSIM', { 'Activation Code': '1$dp.example$SLOW-1', ICCID: '8901260000009876547', 'APN 1': 'm2m' });
  await fill('New eSIM', { 'eSIM name': 'Alpha' });
  const calls: string[] = [];
  page.on('request', (request) => {
    if (!request.url().includes('/dm/profile/') || request.method() === 'GET' || request.url().includes('dryRun')) return;
    const body = (request.postDataJSON() ?? {}) as { ac?: string };
    calls.push(`${request.method()} ${body.ac ?? ''}`.trim());
  });
  await save.click();
  await expect(page).toHaveURL(/\/devices\/esimsList/u);
  expect(calls).toEqual(['POST preload', 'POST 1$dp.example$FAIL-1', 'POST 1$dp.example$SLOW-1']);
  for (const name of ['preloaded_eSIM', 'Broken', 'Alpha']) await expect(row(page, name)).toContainText('Assigning...');

  const fleet = tenant.fleet([router!], { eid: EID, iccid: '8914800000001234562' });
  await fleet.whenAllConnected();
  await expect(row(page, 'preloaded_eSIM')).toContainText('In Use', { timeout: 90_000 });
  await expect(row(page, 'Broken')).toContainText('Fail to download', { timeout: 90_000 });
  await expect(row(page, 'Alpha')).toContainText('Downloading...', { timeout: 90_000 });
  await expect(row(page, 'Alpha')).toContainText('Activated', { timeout: 90_000 });

  // Retried while the router is off: it is assigned immediately, its row is highlighted, and it fails again when the router returns.
  await page.context().clearCookies({ name: 'highlineP' });
  await page.reload();
  await expect(row(page, 'Broken')).not.toHaveAttribute('data-highlighted', /.*/u);
  const mine = fleet.routers.get(serial)!;
  mine.powerCut(INDEFINITE_MS);
  await row(page, 'Broken').getByRole('button', { name: 'Redownload' }).click();
  await expect(row(page, 'Broken')).toContainText('Assigning...');
  await expect(row(page, 'Broken')).toHaveAttribute('data-highlighted', /.*/u);
  mine.reboot();
  await expect(row(page, 'Broken')).toContainText('Fail to download', { timeout: 90_000 });
  await edit('Broken');
  await expect(card('Broken')).toContainText("The download failed: the operator's server rejected the profile");
  await expect(card('Broken').getByRole('button', { name: 'Redownload' })).toBeVisible();

  // The order decides which eSIM the router uses.
  const names = () =>
    page
      .getByRole('list', { name: `eSIMs of ${serial} by priority` })
      .getByRole('listitem')
      .evaluateAll((items) => items.map((item) => item.getAttribute('aria-label')));
  const handle = (name: string) => page.getByRole('button', { name: `Move ${name}`, exact: true });
  await page.getByRole('button', { name: 'Close Broken' }).click();
  expect(await names()).toEqual(['preloaded_eSIM', 'Broken', 'Alpha']);
  await handle('Broken').press('Space');
  await expect(page.getByText('Broken is at position 2.')).toBeAttached();
  // A first press that only scrolls the card into view, or comes before the list listens, is repeated, as a person would.
  await expect(async () => {
    await page.keyboard.press('ArrowUp');
    await expect(page.getByText('Broken is at position 1.')).toBeAttached();
  }).toPass();
  await page.keyboard.press('Space');
  await expect.poll(names).toEqual(['Broken', 'preloaded_eSIM', 'Alpha']);
  await expectStill(page);
  const [from, to] = [(await handle('Alpha').boundingBox())!, (await handle('Broken').boundingBox())!];
  await page.mouse.move(from.x + 8, from.y + 8);
  await page.mouse.down();
  await page.mouse.move(from.x + 8, from.y - 20, { steps: 4 });
  await expect(async () => {
    await page.mouse.move(to.x + 8, to.y, { steps: 4 });
    await page.mouse.move(to.x + 8, to.y - 6);
    await expect(page.getByText('Alpha is at position 1.')).toBeAttached({ timeout: 500 });
  }).toPass();
  await page.mouse.up();
  await expect.poll(names).toEqual(['Alpha', 'Broken', 'preloaded_eSIM']);
  // A click right after a drag counts as its end. Once the question is open, it is above the button.
  await expect(async () => {
    if (!(await dialog.isVisible())) await save.click({ timeout: 5_000 });
    await expect(dialog).toBeVisible({ timeout: 5_000 });
  }).toPass();
  // A new first one switches the router, and a confirmation says so before anything is saved.
  await expect(dialog).toContainText(`${serial} changes carrier:`);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page).toHaveURL(/\/devices\/esimsList/u);
  await visit(page, '/devices/esimsList?size=10');
  await expect(row(page, 'Alpha')).toContainText('In Use', { timeout: 90_000 });
  await expect(row(page, 'preloaded_eSIM')).toContainText('Activated');

  await edit('Alpha');
  await page.getByRole('button', { name: 'Delete Alpha' }).click();
  await expect(dialog).toContainText('The device will switch to another eSIM.');
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  mine.powerCut(INDEFINITE_MS);
  await save.click();
  await expect(page).toHaveURL(/\/devices\/esimsList/u);
  await expect(row(page, 'Alpha')).toContainText('Deleting...');
  await row(page, 'Alpha').locator('td').nth(4).click();
  await expect(card('Alpha')).toContainText('This eSIM is being deleted and can no longer be changed.');
  mine.reboot();
  await expect(card('Alpha')).toHaveCount(0, { timeout: 90_000 });
  await expect(card('preloaded_eSIM')).toContainText('In Use', { timeout: 90_000 });
});
