import type { Page, Request } from '@playwright/test';
import { enter, expect, leave, rows, waitUntilLoaded, test } from './fixtures.ts';

// The common behaviour of all lists and forms: dialogs, refreshing, selecting, highlighting.

const row = (page: Page, serial: string) => rows(page).filter({ hasText: serial });
const eventStream = '**/data_manager/v1/events*';
const deviceCalls = /\/dm\/devices\?/u;

/** Nothing is pushed to this page, so that only its own clock refreshes it; the clock is in the test's hand. */
async function onlyTheClock(page: Page): Promise<void> {
  await page.route(eventStream, (route) => route.abort());
  await page.clock.install();
}

/** Counts may be some seconds old when the page loads them; the next minute brings new ones. */
async function minutesUntil(page: Page, seen: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await page.clock.fastForward(60_000);
    await seen();
  }).toPass();
}

test('SHR-03 DEV-01-partial lists refresh every 60 s, and do not in delete mode', async ({ page, tenant }) => {
  const [router] = await tenant.routers(1);
  const [stock] = await tenant.routers(1, { claimed: false });
  const change = (note: string) =>
    tenant.owner.query('update devices set note = $1, vehicle_number = $1 where serial = $2', [note, router!.serial]);
  await onlyTheClock(page);
  await enter(page, tenant.users.admin, `/devices/list?search=${router!.serial}`);
  await expect(page.getByText(/ · reconnecting/u)).toBeVisible();
  await change('first');
  await expect(page.getByText('Updated just now').or(page.getByText(/Updated \d+ s ago/u))).toBeVisible();
  await expect(row(page, router!.serial)).not.toContainText('first');
  await page.clock.fastForward(60_000);
  await expect(row(page, router!.serial)).toContainText('first');
  // In delete mode the rows do not change while a user selects them.
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

  // The other lists that rows are picked from stand still in the same way.
  for (const [path, call] of [
    ['/groups/list', /\/dm\/group(\?|$)/u],
    ['/users', /\/accounts\/\?/u],
    ['/groups/config', /\/dm\/config(\?|$)/u],
  ] as const) {
    await page.goto(path);
    await waitUntilLoaded(page);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(page.getByText(/ · paused/u)).toBeVisible();
    let requested = 0;
    const count = (request: { url(): string }) => void (requested += call.test(request.url()) ? 1 : 0);
    page.on('request', count);
    await page.clock.fastForward(180_000);
    await expect(page.getByText(/Updated 3 min ago/u)).toBeVisible();
    expect(requested, path).toBe(0);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => requested, path).toBeGreaterThan(0);
    page.off('request', count);
  }

  const refreshes = async (path: string, call: RegExp) => {
    await page.goto(path);
    await waitUntilLoaded(page);
    const again = page.waitForRequest((request) => call.test(request.url()));
    await page.clock.fastForward(60_000);
    await again;
  };
  await refreshes('/groups/list', /\/dm\/group(\?|$)/u);
  await refreshes('/users', /\/accounts\/\?/u);
  await refreshes('/devices/service', deviceCalls);
  await refreshes('/devices/esimsList', /\/dm\/profiles\?/u);
  await refreshes('/groups/config', /\/dm\/config(\?|$)/u);
  await refreshes('/groups/firmwares', /\/dm\/firmware(\?|$)/u);
  await refreshes('/logs', /\/operation_log(\?|$)/u);
  await leave(page);
  await enter(page, tenant.users.main, '/organization');
  await refreshes('/organization', /\/services\/\?/u);
  await refreshes('/devices/orgList', deviceCalls);
  await refreshes(`/inventory?search=${stock!.serial}`, /\/dm\/inventory\?/u);
  await refreshes('/colleagues', /\/colleagues\/\?/u);
});

test('changes made while a page opens arrive with its stream, and nothing else is fetched again; seven visible windows of a browser share it', async ({
  page,
  tenant,
  request,
}) => {
  const alertCalls = /\/v1\/alerts\/count/u;
  let counts = 0;
  page.on('request', (sent) => (counts += alertCalls.test(sent.url()) ? 1 : 0));
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route(eventStream, async (route) => {
    await held;
    await route.continue();
  });
  await enter(page, tenant.users.admin, '/groups/list');
  await expect(page.getByText(/ · reconnecting/u)).toBeVisible();
  await expect.poll(() => counts).toBe(1);
  const headers = { authorization: `Bearer ${tenant.users.admin.bearer}` };
  const addGroup = async (name: string) => {
    const data = { name: `${name} ${tenant.mark}`, description: '', devices: [] };
    const answer = await request.post(`${tenant.server.url}/data_manager/v1/dm/group`, { headers, data });
    expect(answer.ok(), await answer.text()).toBe(true);
  };
  await addGroup('Meanwhile');
  await expect(row(page, 'Meanwhile')).toHaveCount(0);
  release();
  await expect(row(page, 'Meanwhile')).toHaveCount(1);
  expect(counts).toBe(1);

  // A browser allows six connections to a server: with a stream each, no call of seven windows would be answered.
  const open: Request[] = [];
  page.context().on('request', (sent) => sent.url().includes('/v1/events') && open.push(sent));
  const windows = await Promise.all(Array.from({ length: 6 }, () => page.context().newPage()));
  for (const other of windows) await other.goto(page.url());
  await addGroup('Everywhere');
  for (const other of [page, ...windows]) await expect(row(other, 'Everywhere')).toHaveCount(1);
  expect(open).toEqual([]);
  // The window with the stream closes: another one goes on.
  await page.close();
  await addGroup('Afterwards');
  for (const other of windows) await expect(row(other, 'Afterwards')).toHaveCount(1);
  expect(open).toHaveLength(1);
});

test('OVW-07-partial OVW-01-partial the overview refetches devices, counts and login status every 60 s', async ({
  page,
  tenant,
  request,
}) => {
  await onlyTheClock(page);
  const org = await tenant.seeding.organization(tenant.main, `Clock ${tenant.mark}`);
  const id = await tenant.seeding.account(org, `clock-${tenant.mark.toLowerCase()}@highline.example`, 'admin');
  const bearer = await tenant.seeding.bearer(id);
  await enter(page, { id, email: '', bearer }, '/dashboard');
  const counted = async () => {
    const answer = await request.get('/data_manager/v1/dm/statistics', { headers: { authorization: `Bearer ${bearer}` } });
    return ((await answer.json()) as { result: { devices: number } }).result.devices;
  };
  const card = (name: string) => page.getByRole('region', { name, exact: true });
  await expect(card('Devices').locator('.kpi__number')).toHaveText('0');
  await expect(card('Cloud Users')).toContainText('1 online');
  await tenant.routers(2, { org });
  const second = await tenant.seeding.account(org, `clock2-${tenant.mark.toLowerCase()}@highline.example`, 'user');
  await expect.poll(counted).toBe(2);
  await minutesUntil(page, () => expect(card('Devices').locator('.kpi__number')).toHaveText('2', { timeout: 1_000 }));
  await expect(card('Devices')).toContainText('0 online');
  await expect(card('Devices')).toContainText('0 offline');
  await expect(card('Devices')).toContainText('2 never connected');
  await expect(card('Cloud Users').locator('.kpi__number')).toHaveText('2');
  await expect(card('Cloud Users')).toContainText('1 offline');
  await expect(rows(page)).toHaveCount(2);
  await tenant.seeding.bearer(second);
  await minutesUntil(page, () => expect(card('Cloud Users')).toContainText('2 online', { timeout: 1_000 }));
  for (const [name, address] of [
    ['offline', /\/devices\/list\?presence=offline/u],
    ['online', /\/devices\/list\?presence=online/u],
    ['expiring', /\/devices\/list\?service=expiring/u],
  ] as const) {
    await page.goto('/dashboard');
    await waitUntilLoaded(page);
    await card('Devices')
      .getByRole('link', { name: new RegExp(`\\d ${name}`, 'u') })
      .click();
    await expect(page).toHaveURL(address);
  }
});

test('OVW-04-partial each carrier has one of five colours, and a click shows how many of its SIMs are online and offline', async ({
  page,
  tenant,
}) => {
  const org = await tenant.seeding.organization(tenant.main, `Carriers ${tenant.mark}`);
  const id = await tenant.seeding.account(org, `carriers-${tenant.mark.toLowerCase()}@highline.example`, 'admin');
  const routers = await tenant.routers(6, { org });
  const fleets = ['Alpha', 'Beta', 'Gamma', 'Delta', 'Epsilon'].map((carrier, index) =>
    tenant.fleet([routers[index]!, ...(index === 0 ? [routers[5]!] : [])], { carrier }),
  );
  for (const fleet of fleets) await fleet.whenAllConnected();
  await enter(page, { id, email: '', bearer: await tenant.seeding.bearer(id) }, '/dashboard');
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

test('SHR-04 a saved group, device, eSIM or config file is highlighted on its page of its list, until its cookie expires after 60 s', async ({
  page,
  tenant,
  context,
}) => {
  const { seeding, owner } = tenant;
  const org = await seeding.organization(tenant.main, `Marks ${tenant.mark}`);
  const id = await seeding.account(org, `marks-${tenant.mark.toLowerCase()}@highline.example`, 'admin');
  const four = [1, 2, 3, 4];
  const routers = await tenant.routers(4, { org });
  const { rows: devices } = await owner.query<{ id: string; serial: string }>(
    'select id, serial from devices where serial = any ($1)',
    [routers.map(({ serial }) => serial)],
  );
  const groups = await Promise.all([...four, 5, 6].map((n) => seeding.group(org, `Marked group ${n}`)));
  const configs = await Promise.all(four.map((n) => seeding.config(org, { name: `marked-${n}.cfg` })));
  const esims = await Promise.all(
    four.map((n) => {
      const eid = ['89049099990000000000000000000132', '89049099990000000000000000000229'][n % 2]!;
      const esim = { serial: routers[n % 2]!.serial, eid, code: `1$dp.example$MARK-${n}`, iccid: '', apn: 'fleet', apn2: '' };
      return seeding.esim(org, { ...esim, name: `Marked eSIM ${n}` });
    }),
  );
  const lists = [
    {
      path: '/devices/list?sort=serial',
      cookie: 'highlineD',
      items: devices.map((device) => [device.serial, `/devices/setting?device=${device.id}&tab=settings`, device.id]),
      field: 'Notes',
    },
    {
      path: '/groups/list?size=5&sort=name',
      cookie: 'highlineG',
      items: groups.map((key, index) => [`Marked group ${index + 1}`, `/groups/detail?group=${key}`, key]),
      field: 'Description',
    },
    {
      path: '/groups/config?sort=name',
      cookie: 'highlineP',
      items: configs.map((pk, index) => [`marked-${index + 1}.cfg`, `/groups/configSetting?config=${pk}`, pk]),
      field: 'Description',
    },
    {
      path: '/devices/esimsList?sort=name',
      cookie: 'highlineP',
      items: esims.map((pk, index) => [`Marked eSIM ${index + 1}`, `/devices/esimsEdit?profile=${pk}`, pk]),
      field: 'APN 2',
    },
  ];
  await enter(page, { id, email: '', bearer: await seeding.bearer(id) }, '/dashboard');
  for (const { path, cookie: name, items, field } of lists) {
    // One that the first page does not show.
    await page.goto(path);
    await waitUntilLoaded(page);
    await expect(rows(page).first()).toBeVisible();
    const shown = (await rows(page).allInnerTexts()).join();
    const [text, form, key] = items.find((item) => !shown.includes(item[0]!))!;
    await page.goto(form!);
    await waitUntilLoaded(page);
    await page.getByRole('textbox', { name: field, exact: true }).fill('marked');
    const before = Date.now();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Edit success')).toBeVisible();
    const cookie = (await context.cookies()).find((each) => each.name === name)!;
    expect(decodeURIComponent(cookie.value)).toBe(key);
    // A second of either clock's rounding.
    expect(cookie.expires).toBeGreaterThanOrEqual(before / 1000 + 59);
    expect(cookie.expires).toBeLessThanOrEqual(Date.now() / 1000 + 61);

    await page.goto(path);
    await expect(page).toHaveURL((url) => Number(url.searchParams.get('page')) === 2);
    await expect(row(page, text!)).toHaveAttribute('data-highlighted', /.*/u);
    await expect(page.locator('[data-highlighted]')).toHaveCount(1);
    await context.clearCookies({ name });
    await expect(page.locator('[data-highlighted]')).toHaveCount(0);
  }
});

test('SHR-04-partial users are marked for 5 s; an organization for 60 s after its creation or a save, for 5 s otherwise', async ({
  page,
  tenant,
}) => {
  // Five seconds may be over before a test looks into the jar: what the console writes is read as it writes it.
  await page.addInitScript(() => {
    const { get, set } = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie')!;
    Object.defineProperty(document, 'cookie', {
      get: () => get!.call(document) as string,
      set: (text: string) => {
        const before = sessionStorage.getItem('cookies') ?? '';
        if (text.startsWith('highline')) sessionStorage.setItem('cookies', `${before}${text}\n`);
        set!.call(document, text);
      },
    });
  });
  /** Name, value and seconds of the cookies since the last look. */
  const written = async () => {
    const text = await page.evaluate(() => {
      const all = sessionStorage.getItem('cookies') ?? '';
      sessionStorage.removeItem('cookies');
      return all;
    });
    return text
      .trim()
      .split('\n')
      .map((line) => /^(\w+)=([^;]*).*Max-Age=(\d+)/u.exec(line)?.slice(1) ?? line);
  };
  const mark = tenant.mark.toLowerCase();
  await enter(page, tenant.users.admin, '/users/add');
  await page.getByLabel('Username').fill('Marked Mia');
  await page.getByLabel('Email').fill(`mia-${mark}@highline.example`);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page).toHaveURL(/\/users(\?|$)/u);
  const added = rows(page).filter({ hasText: `mia-${mark}` });
  await expect(added).toBeVisible();
  const { rows: found } = await tenant.owner.query<{ id: string }>('select id from accounts where email = $1', [
    `mia-${mark}@highline.example`,
  ]);
  const { id: mia } = found[0]!;
  expect(await written()).toEqual([['highlineU', mia, '5']]);
  await expect(page.locator('[data-highlighted]')).toHaveCount(0);
  await page.goto(`/users/detail?user=${mia}`);
  await page.getByLabel('Username').fill('Marked Max');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Edit success')).toBeVisible();
  expect(await written()).toEqual([['highlineU', mia, '5']]);

  await leave(page);
  await enter(page, tenant.users.main, '/organization/add');
  const name = `Marked ${tenant.mark}`;
  await page.getByLabel('Org name').fill(name);
  await page.getByLabel('Contact email').fill(`org-${mark}@highline.example`);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.getByRole('button', { name: 'Skip', exact: true }).click();
  await page.getByRole('button', { name: 'Add Org', exact: true }).click();
  await expect(rows(page).filter({ hasText: name })).toHaveAttribute('data-highlighted', /.*/u);
  const { rows: created } = await tenant.owner.query<{ id: string }>('select id from organizations where name = $1', [name]);
  const { id: org } = created[0]!;
  expect(await written()).toEqual([['highlineO', org, '60']]);
  await page.goto(`/organization/setting?org=${org}`);
  await page.getByLabel('Phone').fill('02 555 0101');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Edit success')).toBeVisible();
  expect(await written()).toEqual([['highlineO', org, '60']]);
  await page.getByRole('link', { name: 'Add contact' }).click();
  await page.getByLabel('Username').fill('Third Person');
  await page.getByLabel('Email').fill(`third-${mark}@highline.example`);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page).toHaveURL(/\/organization\/setting/u);
  expect(await written()).toEqual([['highlineO', org, '5']]);
});

test('SHR-07 every delete mode has boxes, counts, is off for nothing, forgets on Cancel, reloads, and warns', async ({
  page,
  tenant,
}) => {
  const org = await tenant.seeding.organization(tenant.main, `Picking ${tenant.mark}`);
  const claimed = await tenant.routers(2, { org });
  const stock = await tenant.routers(2, { claimed: false });
  const id = await tenant.seeding.account(org, `picking-${tenant.mark.toLowerCase()}@highline.example`, 'admin');
  const admin = { id, email: '', bearer: await tenant.seeding.bearer(id) };
  for (const [person, path, serials] of [
    [admin, '/devices/list?sort=serial', claimed],
    [
      tenant.users.main,
      `/devices/orgList?sort=serial&field=organization&search=${encodeURIComponent(`Picking ${tenant.mark}`)}`,
      claimed,
    ],
    [tenant.users.main, `/inventory?sort=serial&search=${stock[0]!.serial.slice(0, -3)}&claimed=unclaimed`, stock],
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
    await expect(rows(page).getByRole('checkbox').first()).toBeVisible();
    await expect(rows(page).filter({ hasNot: page.getByRole('checkbox') })).toHaveCount(0);
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
    await expect(remove).toHaveCount(0);
    await expect(rows(page).getByRole('checkbox', { checked: true })).toHaveCount(0);
    await enterMode.click();
    await expect(remove).toHaveText('Delete(0)');
    await expect(rows(page).getByRole('checkbox', { checked: true })).toHaveCount(0);
    await page.getByRole('button', { name: 'Cancel' }).click();
  }
  const { rows: kept } = await tenant.owner.query('select 1 from devices where serial = any($1)', [
    claimed.map(({ serial }) => serial),
  ]);
  expect(kept).toHaveLength(2);
});

test('keys act on the row that has the focus: arrows walk, Enter opens it, Esc closes one layer', async ({ page, tenant }) => {
  const org = await tenant.seeding.organization(tenant.main, `Keys ${tenant.mark}`);
  const id = await tenant.seeding.account(org, `keys-${tenant.mark.toLowerCase()}@highline.example`, 'admin');
  const routers = await tenant.routers(3, { org });
  await enter(page, { id, email: '', bearer: await tenant.seeding.bearer(id) }, '/devices/list?sort=serial');
  await row(page, routers[1]!.serial).press('ArrowDown');
  await expect(row(page, routers[2]!.serial)).toBeFocused();
  await row(page, routers[1]!.serial).press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(routers[1]!.serial);
  await page.goBack();
  await waitUntilLoaded(page);
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox')).toBeFocused();
  await page.getByRole('button', { name: 'Filter by Group' }).click();
  await expect(page.getByRole('option', { name: 'All groups' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('option', { name: 'All groups' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Filter by Group' })).toBeFocused();
});
