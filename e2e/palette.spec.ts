import type { Page } from '@playwright/test';
import { enter, expect, expectAccessible, leave, rows, test } from './fixtures.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Find a device or page' });
const input = (page: Page) => dialog(page).getByRole('combobox');
const options = (page: Page) => dialog(page).getByRole('option');

/** The results answer to this text. */
async function search(page: Page, text: string): Promise<void> {
  await input(page).fill(text);
  await expect(dialog(page).getByRole('listbox')).toHaveAttribute('aria-busy', 'false');
}

async function press(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await expect(input(page)).toBeFocused();
}

test('BLK-04 the palette loses no key, finds every kind in any case, and opens the thing itself, by keyboard', async ({
  page,
  tenant,
}) => {
  const [bus, plow] = await tenant.routers(2);
  const numbers = [bus!.serial, '89011203000012345678', '356938035643809', '13125550142'];
  await tenant.owner.query(
    "update devices set vehicle_number = 'Bus 2104', iccid = $2, imei = $3, mtn = $4 where serial = $1",
    numbers,
  );
  await tenant.owner.query("update devices set vehicle_number = 'Snow Plow 12' where serial = $1", [plow!.serial]);
  await tenant.seeding.group(tenant.org, 'Night depot');
  await tenant.seeding.config(tenant.org, { name: 'night.cfg' });
  await tenant.seeding.firmware(tenant.main, { model: 'HL-R520 5G', version: 'night-7' });

  await enter(page, tenant.users.admin, '/dashboard');
  // The results come late: what is typed meanwhile is neither lost nor answered by something else.
  const held = Promise.withResolvers<void>();
  await page.route(/PaletteResults/u, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.keyboard.press('Control+k');
  await page.keyboard.type('snow PLOW');
  await page.keyboard.press('Enter');
  await expect(input(page)).toHaveValue('snow PLOW');
  held.resolve();
  await expect(page).toHaveURL(/\/devices\/setting\?device=/u);
  await expect(page.locator('main')).toContainText(plow!.serial);
  await page.unroute(/PaletteResults/u);

  await press(page);
  await expect(dialog(page).getByRole('group', { name: 'Recent' }).getByRole('option')).toHaveText([/Snow Plow 12/u]);
  await expectAccessible(page);
  for (const text of ['BUS 2104', bus!.serial.toLowerCase(), '89011203000012345678', '5643809', '3125550142', bus!.mac]) {
    await search(page, text);
    await expect(dialog(page).getByRole('group', { name: 'Devices' }).getByRole('option'), text).toHaveText([/Bus 2104/u]);
  }
  await search(page, '5643809');
  await expect(options(page)).toHaveText([/IMEI 356938035643809/u]);
  await expect(options(page).locator('mark')).toHaveText(['5643809']);
  await search(page, 'night');
  for (const [group, title] of [
    ['Groups', 'Night depot'],
    ['Config files', 'night.cfg'],
    ['Firmware', 'night-7'],
  ] as const)
    await expect(dialog(page).getByRole('group', { name: group }).getByRole('option')).toHaveText([new RegExp(title, 'u')]);
  await expectAccessible(page);

  // Arrows move through all groups, and the field names the active entry.
  const activeText = async () => page.locator(`[id="${await input(page).getAttribute('aria-activedescendant')}"]`).innerText();
  await expect.poll(activeText).toContain('Night depot');
  await page.keyboard.press('ArrowUp');
  await expect.poll(activeText).toContain('night.cfg');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/groups\/detail\?group=/u);

  for (const [text, address] of [
    ['night.cfg', /\/groups\/configSetting\?config=/u],
    [tenant.users.user.email.toUpperCase(), /\/users\/detail\?user=/u],
    ['service STATUS', /\/devices\/service$/u],
    ['add a gr', /\/groups\/add/u],
  ] as const) {
    await press(page);
    await search(page, text);
    await page.keyboard.press('Enter');
    await expect(page, text).toHaveURL(address);
  }
  await press(page);
  await search(page, 'nothing has this name');
  await expect(dialog(page)).toContainText('No matched results.');
  // An error is said where the results would be, and can be tried again.
  await page.route(/\/dm\/search/u, (route) => route.abort());
  await input(page).fill('bus');
  await expect(dialog(page).getByRole('alert')).toBeVisible();
  await page.unroute(/\/dm\/search/u);
  await dialog(page).getByRole('button', { name: 'Retry' }).click();
  await expect(dialog(page).getByRole('group', { name: 'Devices' }).getByRole('option')).toHaveText([/Bus 2104/u]);
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
});

test('BLK-04-partial the palette of a user and of the main account has what their role may open', async ({ page, tenant }) => {
  const [router] = await tenant.routers(1);
  await tenant.owner.query("update devices set vehicle_number = 'Medic 7' where serial = $1", [router!.serial]);
  await enter(page, tenant.users.user, '/dashboard');
  await press(page);
  // With a blank: random addresses contain "add".
  await search(page, 'add an');
  await expect(options(page)).toHaveCount(0);
  await search(page, 'medic');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/devices\/setting\?device=/u);
  await leave(page);
  await enter(page, tenant.users.admin, '/dashboard');
  await press(page);
  await search(page, 'add user');
  await expect(options(page).first()).toHaveText('Invite a cloud user');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/users\/add$/u);
  await leave(page);
  await enter(page, tenant.users.main, '/organization');
  await expect(rows(page).first()).toBeVisible();
  await press(page);
  await search(page, 'medic 7');
  await expect(options(page)).toHaveText([new RegExp(`Medic 7.*${router!.serial}.*${tenant.orgName}`, 'su')]);
  await search(page, tenant.orgName.toUpperCase());
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/organization\/setting\?org=/u);
});
