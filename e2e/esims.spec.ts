import { downloaded, EID, ownOrganization, row, textOf } from './esims.ts';
import { enter, expect, expectAccessible, leave, rows, waitUntilLoaded, test, visit } from './fixtures.ts';
import { INDEFINITE_MS } from './tenant.ts';

test('SIM-01 SIM-02 NAV-05-partial SHR-08-partial eSIMs are listed three a page with their states, filtered, searched, exported, and refetched every 60 s; a user has read access', async ({
  page,
  tenant,
}) => {
  const { org, admin, user } = await ownOrganization(tenant, 'Sims');
  const [bus, van] = await tenant.routers(2, { org });
  const add = async (
    serial: string,
    code: string,
    state: { status: string; carrier?: string; reason?: string },
    more: { iccid?: string; apn?: string; name?: string } = {},
  ) => {
    const { iccid = '', apn = 'fleet', name = '' } = more;
    const id = await tenant.seeding.esim(org, { serial, eid: EID, code, iccid, apn, apn2: '', name });
    await tenant.owner.query('update esim_profiles set status = $2, carrier = $3, reason = $4 where id = $1', [
      id,
      state.status,
      state.carrier ?? '',
      state.reason ?? '',
    ]);
    return id;
  };
  await add(bus!.serial, 'preload', { status: 'In Use', carrier: 'Verizon' }, { iccid: '8914800000001234562' });
  await add(bus!.serial, '1$dp.example$A', { status: 'Activated', carrier: 'AT&T' }, { name: 'Depot spare', apn: 'm2m.depot' });
  await add(bus!.serial, '1$dp.example$B', { status: 'Downloading...' });
  const failed = await add(bus!.serial, '1$dp.example$C', { status: 'Fail to download', reason: 'download-failed: used' });
  await add(van!.serial, '1$dp.example$D', { status: 'Assigning...' });
  await add(van!.serial, '1$dp.example$E', { status: 'Out of memory' });
  await add(van!.serial, '1$dp.example$F', { status: 'Fail to activate' });

  await tenant.owner.query('update devices set eid = $2 where serial = $1', [bus!.serial, EID]);

  await page.route('**/data_manager/v1/events*', (route) => route.abort());
  await page.clock.install();
  await enter(page, admin, '/dashboard');
  await page.getByRole('navigation').getByRole('link', { name: 'SIMs' }).click();
  await expect(page).toHaveURL(/\/devices\/esimsList$/u);
  await expect(rows(page)).toHaveCount(3);
  await expect(page.getByText('1–3 of 7')).toBeVisible();
  await visit(page, '/devices/esimsList?size=10');
  for (const [status, tone] of [
    ['In Use', 'ok'],
    ['Activated', 'ok'],
    ['Downloading...', 'busy'],
    ['Assigning...', 'busy'],
    ['Fail to download', 'bad'],
    ['Out of memory', 'bad'],
    ['Fail to activate', 'bad'],
  ])
    await expect(row(page, status!).locator('.status__dot')).toHaveAttribute('data-tone', tone!);

  // The selection is part of the address, and so is the search.
  await page.getByRole('button', { name: /eSIM status/u }).click();
  await expect(page.getByRole('listbox').getByRole('option')).toHaveText([
    'All eSIM status',
    'In use',
    'Activated',
    'Downloading...',
    'Assigning...',
    'Fail to download',
    'Out of memory',
  ]);
  await page.getByRole('option', { name: 'In use' }).click();
  await expect(rows(page)).toHaveCount(1);
  await expect(row(page, 'Verizon')).toBeVisible();
  for (const [status, shown] of [
    ['activated', 'Activated'],
    ['downloading', 'Downloading...'],
    ['assigning', 'Assigning...'],
    ['fail-to-download', 'Fail to download'],
    ['out-of-memory', 'Out of memory'],
  ]) {
    await visit(page, `/devices/esimsList?status=${status}`);
    await expect(rows(page)).toHaveCount(1);
    await expect(rows(page)).toContainText(shown!);
  }
  await visit(page, '/devices/esimsList?size=10');
  for (const [field, text, found, count] of [
    ['Serial #', van!.serial, van!.serial, 3],
    ['eSIM name', 'pot sp', 'Depot spare', 1],
    ['Carrier', 'Veri', 'Verizon', 1],
    ['ICCID', '0000001234', '8914800000001234562', 1],
    ['APN', 'm2m.d', 'm2m.depot', 1],
  ] as const) {
    await page.getByLabel('Search in').selectOption({ label: field });
    await page.getByRole('searchbox').fill(text);
    await expect(page).toHaveURL((url) => url.searchParams.get('search') === text);
    await expect(row(page, found)).toHaveCount(count);
    await expect(rows(page)).toHaveCount(count);
  }
  const list = await downloaded(page, 'Download(.csv)');
  expect(list.suggestedFilename()).toBe('eSIMs_export.csv');
  const lines = (await textOf(list)).trim().split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('Depot spare');
  const example = await downloaded(page, 'Download sample CSV');
  expect(example.suggestedFilename()).toBe(`eSIMs_export_example_Sims ${tenant.mark}.csv`);
  const [header, ...examples] = (await textOf(example)).trimEnd().split('\r\n');
  expect(header).toBe('\u{feff}SN,EID,Activation Code,ICCID,APN1,APN2,NAME');
  // Only one of the two routers reported its EID.
  expect(examples.map((line) => line.split(',').slice(0, 2))).toEqual([
    [bus!.serial, `'${EID}`],
    [bus!.serial, `'${EID}`],
  ]);

  // No events while the stream is down: a minute later the list is up to date.
  await visit(page, '/devices/esimsList?status=out-of-memory');
  await expect(rows(page)).toHaveCount(1);
  await tenant.owner.query("update esim_profiles set status = 'Out of memory' where id = $1", [failed]);
  await page.clock.fastForward(60_000);
  await expect(rows(page)).toHaveCount(2);
  await visit(page, '/devices/esimsEdit');
  await expect(page).toHaveURL(/\/devices\/esimsList$/u);
  await visit(page, '/devices/esimsList?field=carrier&search=AT%26T');
  await row(page, bus!.serial).locator('td').nth(4).click();
  await expect(page).toHaveURL(/\/devices\/esimsEdit\?profile=/u);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(bus!.serial);

  await leave(page);
  await enter(page, user, '/devices/esimsList?size=10');
  const addButton = page.getByRole('button', { name: 'Add', exact: true });
  await expect(addButton).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByRole('button', { name: 'Redownload' }).first()).toHaveAttribute('aria-disabled', 'true');
  await addButton.focus();
  await expect(page.getByRole('tooltip', { name: 'Only admins can change eSIMs.' }).first()).toBeVisible();
  await rows(page).first().locator('td').nth(4).click();
  await expect(page).toHaveURL(/\/devices\/esimsList/u);
  await expectAccessible(page);
  for (const path of ['/devices/esimsAdd', '/devices/esimsEdit']) {
    await visit(page, path);
    await expect(page).toHaveURL(/\/dashboard$/u);
  }
});

test('SIM-03 SIM-08 SIM-10-partial routers follow: added eSIMs are downloaded and used, failed ones retried, deleted ones removed, and the screens show it as it happens', async ({
  page,
  tenant,
}) => {
  test.slow();
  const { org, admin } = await ownOrganization(tenant, 'Live');
  const [router, lone] = await tenant.routers(2, { org });
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
  await enter(page, admin, `/devices/esimsAdd?method=manual&serial=${serial}&eid=${EID}`);
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
  await page.getByRole('button', { name: 'Move Alpha up' }).click();
  await page.getByRole('button', { name: 'Move Alpha up' }).click();
  await save.click();
  // A new first one switches the router, and a confirmation says so before anything is saved.
  await expect(dialog).toContainText(`${serial} changes carrier:`);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(save).toBeEnabled();
  await save.click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page).toHaveURL(/\/devices\/esimsList/u);
  await visit(page, '/devices/esimsList?size=10');
  await expect(row(page, 'Alpha')).toContainText('In Use', { timeout: 90_000 });
  await expect(row(page, 'preloaded_eSIM')).toContainText('Activated');

  // Deleted in the last call; a card being deleted is read-only; the router switches to another.
  await edit('Alpha');
  await page.getByRole('button', { name: 'Delete Alpha' }).click();
  await expect(dialog).toContainText('Deleting an eSIM does not cancel its data plan.');
  await expect(dialog).toContainText('The device will switch to another eSIM.');
  await expect(dialog).toContainText('This action is permanent and cannot be undone.');
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(card('Alpha')).toContainText('Will be deleted when you save.');
  await page.getByRole('button', { name: 'Delete Broken' }).click();
  await expect(dialog).not.toContainText('in use');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Edit preloaded_eSIM' }).click();
  await fill('preloaded_eSIM', { 'APN 2': 'backup' });
  calls.length = 0;
  mine.powerCut(INDEFINITE_MS);
  await save.click();
  await expect(page).toHaveURL(/\/devices\/esimsList/u);
  expect(calls).toEqual(['PATCH', 'DELETE']);
  await expect(row(page, 'Alpha')).toContainText('Deleting...');
  await row(page, 'Alpha').locator('td').nth(4).click();
  await expect(card('Alpha')).toContainText('This eSIM is being deleted and can no longer be changed.');
  await expect(card('Alpha').getByRole('textbox', { name: 'APN 1' })).toHaveAttribute('readonly', '');
  await expect(page.getByRole('button', { name: 'Move Alpha down' })).toHaveAttribute('aria-disabled', 'true');
  mine.reboot();
  await expect(card('Alpha')).toHaveCount(0, { timeout: 90_000 });
  await expect(card('preloaded_eSIM')).toContainText('In Use', { timeout: 90_000 });

  // The only one of a router.
  const only = { serial: lone!.serial, eid: EID, code: '1$dp.example$ONLY', iccid: '', apn: 'm2m', apn2: '', name: 'Only' };
  await tenant.owner.query("update esim_profiles set status = 'In Use' where id = $1", [await tenant.seeding.esim(org, only)]);
  await edit('Only');
  await page.getByRole('button', { name: 'Delete Only' }).click();
  await expect(dialog).toContainText('The device will become inaccessible.');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
});

test('SIM-03-partial what is downloaded again is marked and requested every 5 s for 60 s, and then no more', async ({
  page,
  tenant,
}) => {
  const { org, admin } = await ownOrganization(tenant, 'Tracked');
  const [router] = await tenant.routers(1, { org });
  const profile = {
    serial: router!.serial,
    eid: EID,
    code: '1$dp.example$AGAIN',
    iccid: '',
    apn: 'fleet',
    apn2: '',
    name: 'Again',
  };
  const pk = await tenant.seeding.esim(org, profile);
  await tenant.owner.query("update esim_profiles set status = 'Fail to download' where id = $1", [pk]);
  // Nothing is pushed to this page, and its clock is in the test's hand.
  await page.route('**/data_manager/v1/events*', (route) => route.abort());
  await page.clock.install();
  await enter(page, admin, '/devices/esimsList');
  await expect(row(page, 'Again')).toContainText('Fail to download');
  let requested = 0;
  page.on('request', (request) => void (requested += /\/dm\/profiles\?/u.test(request.url()) ? 1 : 0));
  const passes = (seconds: number) => page.clock.runFor(seconds * 1_000);
  const resumed = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/dm/profile/resume'));
  await row(page, 'Again').getByRole('button', { name: 'Redownload' }).click();
  expect((await resumed).postDataJSON()).toMatchObject({ profile: pk });
  await expect(row(page, 'Again')).toContainText('Assigning...');
  // Without its cookie nothing but the tracking marks the row.
  await page.context().clearCookies({ name: 'highlineP' });
  await passes(2);
  await expect(row(page, 'Again')).toHaveAttribute('data-highlighted', /.*/u);
  // What becomes of it shows within five seconds, also late within the minute.
  for (const [status, until] of [
    ['Downloading...', 25],
    ['Fail to download', 25],
  ] as const) {
    await passes(until - 5);
    await tenant.owner.query('update esim_profiles set status = $2 where id = $1', [pk, status]);
    await passes(5);
    await expect(row(page, 'Again')).toContainText(status);
    await expect(row(page, 'Again')).toHaveAttribute('data-highlighted', /.*/u);
  }
  // 52 s by now. Once the 60 s are over the mark goes, and the list asks once a minute again.
  await passes(14);
  await expect(page.locator('[data-highlighted]')).toHaveCount(0);
  await waitUntilLoaded(page);
  requested = 0;
  await passes(45);
  expect(requested).toBeLessThanOrEqual(1);
});
