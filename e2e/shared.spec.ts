import type { Page } from '@playwright/test';
import { enter, expect, leave, rows, settled, test } from './fixtures.ts';

// What every list and form shares: dialogs, refreshing, picking, marking.

const row = (page: Page, serial: string) => rows(page).filter({ hasText: serial });
const eventStream = '**/data_manager/v1/events*';
const deviceCalls = /\/dm\/devices\?/u;

/** Nothing is pushed to this page, so that only its own clock refreshes it; the clock is in the test's hand. */
async function onlyTheClock(page: Page): Promise<void> {
  await page.route(eventStream, (route) => route.abort());
  await page.clock.install();
}

/** Counts may be some seconds old when the page asks; the next minute brings the new ones. */
async function minutesUntil(page: Page, seen: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await page.clock.fastForward(60_000);
    await seen();
  }).toPass();
}

test('SHR-03 DEV-01-partial lists refresh every 60 s, and stand still in delete mode', async ({ page, world }) => {
  const [router] = await world.routers(1);
  const [stock] = await world.routers(1, { claimed: false });
  const change = (note: string) =>
    world.owner.query('update devices set note = $1, vehicle_number = $1 where serial = $2', [note, router!.serial]);
  await onlyTheClock(page);
  await enter(page, world.people.admin, `/devices/list?search=${router!.serial}`);
  await expect(page.getByText(/ · reconnecting/u)).toBeVisible();
  await change('first');
  await expect(page.getByText('Updated just now').or(page.getByText(/Updated \d+ s ago/u))).toBeVisible();
  await expect(row(page, router!.serial)).not.toContainText('first');
  await page.clock.fastForward(60_000);
  await expect(row(page, router!.serial)).toContainText('first');
  // In delete mode the rows that somebody picks from do not change under the hand.
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText(/ · paused/u)).toBeVisible();
  await change('second');
  let calls = 0;
  page.on('request', (request) => (calls += deviceCalls.test(request.url()) ? 1 : 0));
  await page.clock.fastForward(180_000);
  await expect(page.getByText(/Updated 3 min ago/u)).toBeVisible();
  expect(calls).toBe(0);
  await expect(row(page, router!.serial)).toContainText('first');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(row(page, router!.serial)).toContainText('second');

  await leave(page);
  const refreshes = async (path: string, call: RegExp) => {
    await page.goto(path);
    await settled(page);
    const again = page.waitForRequest((request) => call.test(request.url()));
    await page.clock.fastForward(60_000);
    await again;
  };
  await enter(page, world.people.main, '/organization');
  await refreshes('/organization', /\/services\/\?/u);
  await refreshes('/devices/orgList', deviceCalls);
  await refreshes(`/inventory?search=${stock!.serial}`, /\/dm\/inventory\?/u);
});

test('OVW-07-partial OVW-01-partial the overview asks for devices, counts and login status every 60 s', async ({
  page,
  world,
  request,
}) => {
  await onlyTheClock(page);
  const org = await world.seeding.organization(world.main, `Clock ${world.mark}`);
  const id = await world.seeding.account(org, `clock-${world.mark.toLowerCase()}@highline.example`, 'admin');
  const bearer = await world.seeding.bearer(id);
  await enter(page, { id, email: '', bearer }, '/dashboard');
  const counted = async () => {
    const answer = await request.get('/data_manager/v1/dm/statistics', { headers: { authorization: `Bearer ${bearer}` } });
    return ((await answer.json()) as { result: { devices: number } }).result.devices;
  };
  const card = (name: string) => page.getByRole('region', { name, exact: true });
  await expect(card('Devices').locator('.kpi__number')).toHaveText('0');
  await expect(card('Cloud Users')).toContainText('1 online');
  await world.routers(2, { org });
  const second = await world.seeding.account(org, `clock2-${world.mark.toLowerCase()}@highline.example`, 'user');
  await expect.poll(counted).toBe(2);
  await minutesUntil(page, () => expect(card('Devices').locator('.kpi__number')).toHaveText('2', { timeout: 1_000 }));
  await expect(card('Devices')).toContainText('0 online');
  await expect(card('Devices')).toContainText('2 offline');
  await expect(card('Cloud Users').locator('.kpi__number')).toHaveText('2');
  await expect(card('Cloud Users')).toContainText('1 offline');
  await expect(rows(page)).toHaveCount(2);
  await world.seeding.bearer(second);
  await minutesUntil(page, () => expect(card('Cloud Users')).toContainText('2 online', { timeout: 1_000 }));
  for (const [name, address] of [
    ['offline', /\/devices\/list\?presence=offline/u],
    ['online', /\/devices\/list\?presence=online/u],
    ['expiring', /\/devices\/list\?service=expiring/u],
  ] as const) {
    await page.goto('/dashboard');
    await settled(page);
    await card('Devices')
      .getByRole('link', { name: new RegExp(`\\d ${name}`, 'u') })
      .click();
    await expect(page).toHaveURL(address);
  }
});

test('OVW-04-partial each carrier has its own of five colours, and a click tells how many of its SIMs are online and offline', async ({
  page,
  world,
}) => {
  const org = await world.seeding.organization(world.main, `Carriers ${world.mark}`);
  const id = await world.seeding.account(org, `carriers-${world.mark.toLowerCase()}@highline.example`, 'admin');
  const routers = await world.routers(6, { org });
  const fleets = ['Alpha', 'Beta', 'Gamma', 'Delta', 'Epsilon'].map((carrier, index) =>
    world.fleet([routers[index]!, ...(index === 0 ? [routers[5]!] : [])], { carrier }),
  );
  for (const fleet of fleets) await fleet.whenAllConnected();
  await enter(page, { id, email: '', bearer: await world.seeding.bearer(id) }, '/dashboard');
  const bars = page.locator('.bars__row');
  await expect(bars).toHaveCount(5);
  const colours = await bars.locator('.bars__bar').evaluateAll((all) => all.map((bar) => getComputedStyle(bar).backgroundColor));
  expect(new Set(colours).size).toBe(5);
  fleets[0]!.routers.get(routers[5]!.serial)!.powerCut(60_000);
  await page.getByRole('button', { name: /^Alpha/u }).click();
  const chosen = page.getByRole('status').filter({ hasText: 'Alpha' });
  await expect(chosen).toContainText('1 online');
  await expect(chosen).toContainText('1 offline');
});

test('SHR-01-partial a failure of any form is told in a dialog titled Error Message, a confirmation has Yes and No', async ({
  page,
  world,
}) => {
  const [router] = await world.routers(1);
  const { rows: stored } = await world.owner.query<{ id: string }>('select id from devices where serial = $1', [router!.serial]);
  await enter(page, world.people.admin, `/devices/setting?device=${stored[0]!.id}`);
  await page.getByLabel('Notes').fill('kept');
  const dialog = page.getByRole('alertdialog');
  for (const [answer, text] of [
    [{ error: 'first', data: 'no', message: 'no', reason: 'no' }, 'first'],
    [{ error: { message: 'second' }, data: 'no' }, 'second'],
    [{ data: 'third', message: 'no', reason: 'no' }, 'third'],
    [{ message: 'fourth', reason: 'no' }, 'fourth'],
    [{ reason: 'fifth' }, 'fifth'],
  ] as const) {
    await page.route('**/dm/device', (route) => route.fulfill({ status: 400, json: answer }), { times: 1 });
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(dialog.getByRole('heading')).toHaveText('Error Message');
    await expect(dialog).toContainText(text);
    await dialog.getByRole('button', { name: 'OK' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByLabel('Notes')).toHaveValue('kept');
  }
  await page.goto('/devices/add?method=manual');
  await page.getByLabel('Serial number').fill('x');
  await page.getByRole('link', { name: 'Devices' }).first().click();
  await expect(dialog.getByRole('button')).toHaveText(['No', 'Yes']);
  await dialog.getByRole('button', { name: 'No' }).click();
  await expect(page).toHaveURL(/\/devices\/add/u);
  await expect(page.getByLabel('Serial number')).toHaveValue('x');
  await page.getByRole('link', { name: 'Devices' }).first().click();
  await dialog.getByRole('button', { name: 'Yes' }).click();
  await expect(page).toHaveURL(/\/devices\/list/u);
});

test('SHR-04-partial what was just saved is marked, on its own page of the list, until its cookie is gone', async ({
  page,
  world,
  context,
}) => {
  const org = await world.seeding.organization(world.main, `Marks ${world.mark}`);
  const id = await world.seeding.account(org, `marks-${world.mark.toLowerCase()}@highline.example`, 'admin');
  const routers = await world.routers(11, { org });
  const last = routers.at(-1)!;
  const { rows: stored } = await world.owner.query<{ id: string }>('select id from devices where serial = $1', [last.serial]);
  await enter(page, { id, email: '', bearer: await world.seeding.bearer(id) }, '/devices/list?sort=serial');
  await expect(row(page, last.serial)).toHaveCount(0);
  await page.goto(`/devices/setting?device=${stored[0]!.id}`);
  await settled(page);
  const save = page.getByRole('button', { name: 'Save' });
  await page.getByLabel('Notes').fill('marked');
  await save.click();
  await expect(save).toHaveAttribute('aria-disabled', 'true');
  const cookie = (await context.cookies()).find(({ name }) => name === 'highlineD');
  expect(decodeURIComponent(cookie!.value)).toBe(stored[0]!.id);
  const left = cookie!.expires - Date.now() / 1000;
  expect(left).toBeGreaterThan(30);
  expect(left).toBeLessThanOrEqual(60);
  await page.goto('/devices/list?sort=serial');
  await expect(page).toHaveURL(/page=4/u);
  await expect(row(page, last.serial)).toHaveAttribute('data-highlighted', /.*/u);
  await expect(page.locator('[data-highlighted]')).toHaveCount(1);
  await context.clearCookies({ name: 'highlineD' });
  await expect(page.locator('[data-highlighted]')).toHaveCount(0);
});

test('SHR-07 every delete mode has boxes, counts, is off for nothing, forgets on Cancel, reloads, and warns', async ({
  page,
  world,
}) => {
  const org = await world.seeding.organization(world.main, `Picking ${world.mark}`);
  const claimed = await world.routers(2, { org });
  const stock = await world.routers(2, { claimed: false });
  const id = await world.seeding.account(org, `picking-${world.mark.toLowerCase()}@highline.example`, 'admin');
  const admin = { id, email: '', bearer: await world.seeding.bearer(id) };
  for (const [person, path, serials] of [
    [admin, '/devices/list?sort=serial', claimed],
    [
      world.people.main,
      `/devices/orgList?sort=serial&field=organization&search=${encodeURIComponent(`Picking ${world.mark}`)}`,
      claimed,
    ],
    [world.people.main, `/inventory?sort=serial&search=${stock[0]!.serial.slice(0, -3)}&claimed=unclaimed`, stock],
  ] as const) {
    await leave(page);
    await enter(page, person, path);
    const enterMode = page.getByRole('button', { name: /^(Transfer \/ )?Delete$/u });
    const remove = page.getByRole('button', { name: /^Delete\(/u });
    await enterMode.click();
    await expect(remove).toHaveText('Delete(0)');
    await expect(remove).toHaveAttribute('aria-disabled', 'true');
    await remove.click({ force: true });
    await expect(page.getByRole('alertdialog')).toHaveCount(0);
    const shown = await rows(page).count();
    await expect(rows(page).getByRole('checkbox')).toHaveCount(shown);
    await row(page, serials[1]!.serial).getByRole('checkbox').check();
    await expect(remove).toHaveText('Delete(1)');
    await remove.click();
    const dialog = page.getByRole('alertdialog');
    await expect(dialog).toContainText(serials[1]!.serial);
    const sentences = await dialog.locator('p').allInnerTexts();
    expect(sentences[0]).toMatch(/^Are you sure/u);
    expect(sentences.at(-1)).toBe('This action is permanent and cannot be undone.');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    const reloaded = page.waitForRequest((request) => /\/dm\/(?:devices|inventory)\?/u.test(request.url()));
    await page.getByRole('button', { name: 'Cancel' }).click();
    await reloaded;
    await expect(rows(page).getByRole('checkbox')).toHaveCount(0);
    await enterMode.click();
    await expect(remove).toHaveText('Delete(0)');
    await expect(rows(page).getByRole('checkbox', { checked: true })).toHaveCount(0);
    await page.getByRole('button', { name: 'Cancel' }).click();
  }
  const { rows: kept } = await world.owner.query('select 1 from devices where serial = any($1)', [
    claimed.map(({ serial }) => serial),
  ]);
  expect(kept).toHaveLength(2);
});

test('keys act on the row that has the focus: arrows walk, Enter opens it, Esc closes one layer', async ({ page, world }) => {
  const org = await world.seeding.organization(world.main, `Keys ${world.mark}`);
  const id = await world.seeding.account(org, `keys-${world.mark.toLowerCase()}@highline.example`, 'admin');
  const routers = await world.routers(3, { org });
  await enter(page, { id, email: '', bearer: await world.seeding.bearer(id) }, '/devices/list?sort=serial');
  await row(page, routers[1]!.serial).press('ArrowDown');
  await expect(row(page, routers[2]!.serial)).toBeFocused();
  await row(page, routers[1]!.serial).press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(routers[1]!.serial);
  await page.goBack();
  await settled(page);
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox')).toBeFocused();
  await page.getByRole('button', { name: 'Filter by Group' }).click();
  await expect(page.getByRole('option', { name: 'All groups' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('option', { name: 'All groups' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Filter by Group' })).toBeFocused();
});
