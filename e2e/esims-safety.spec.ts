import { makeIccid } from '@highline/usp';
import { EID, ownOrganization, row } from './esims.ts';
import { enter, expect, expectAccessible, rows, waitUntilLoaded, test } from './fixtures.ts';

const HEADER = 'SN,EID,Activation Code,ICCID,APN1,APN2,NAME';
const FACTORY_PROFILE = '8914800000001234562';

test('SIM-04-partial SIM-08-partial SIM-10-partial an import is checked first and changes no carrier; Use now names vehicle and carriers, the router switches; deleting the one in use names the next one', async ({
  page,
  tenant,
}) => {
  test.slow();
  const { org, admin } = await ownOrganization(tenant, 'Safe');
  const [router] = await tenant.routers(1, { org });
  const { serial } = router!;
  await tenant.owner.query("update devices set vehicle_number = 'Bus 2104' where serial = $1", [serial]);
  // Its preloaded eSIM is in use, and no one has set it up here.
  const fleet = tenant.fleet([router!], { eid: EID, iccid: FACTORY_PROFILE, carrier: 'AT&T' });
  await fleet.whenAllConnected();
  await expect.poll(() => tenant.eids([serial])).toEqual([EID]);
  const inUse = async () =>
    (
      await tenant.owner.query<{ carrier: string }>(
        `select p ->> 'carrier' as carrier from routers r, jsonb_array_elements(r.reported -> 'esim' -> 'profiles') p
         where r.serial = $1 and (p ->> 'active')::boolean`,
        [serial],
      )
    ).rows.map(({ carrier }) => carrier);
  const card = (name: string) => page.getByRole('listitem', { name, exact: true });
  const dialog = page.getByRole('alertdialog');

  await enter(page, admin, '/devices/esimsAdd');
  const send = page.getByRole('button', { name: 'Import', exact: true });
  const lines = [
    `${serial},${EID},1$smdp.t-mobile.example$NEW-1,${makeIccid(3_000_001)},fleet,,Roaming`,
    `UNKNOWN,${EID},1$dp.example$X,,fleet,,`,
  ];
  await page.setInputFiles('input[type=file]', {
    name: 'esims.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from([HEADER, ...lines].join('\r\n')),
  });
  const check = page.locator('.import-check');
  await expect(check).toContainText('1 will be added; 0 vehicles will change carrier.');
  await expect(check).toContainText('1 row is rejected:');
  await expect(check).toContainText('Row 3, UNKNOWN: Invalid SN or EID');
  await expectAccessible(page);
  const kept = await tenant.owner.query('select 1 from esim_profiles where serial = $1', [serial]);
  expect(kept.rowCount).toBe(0);
  await send.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await expect(row(page, 'Roaming')).toContainText('Activated', { timeout: 90_000 });
  expect(await inUse()).toEqual(['AT&T']);

  // Below the preloaded one; when requested, the vehicle and both carriers are named before the router switches.
  await row(page, 'Roaming').locator('td').nth(4).click();
  await expect(page.getByRole('listitem', { name: /preloaded_eSIM|Roaming/u })).toHaveCount(2);
  await expect(page.getByRole('listitem', { name: /preloaded_eSIM|Roaming/u }).first()).toContainText(
    'The router is using it now.',
  );
  await card('Roaming').getByRole('button', { name: 'Use now' }).click();
  await expect(dialog).toContainText(`Bus 2104 (${serial}) changes carrier: AT&T → T-Mobile.`);
  await expect(dialog).toContainText('switches back by itself');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(card('Roaming')).toContainText('Activated');
  expect(await inUse()).toEqual(['AT&T']);
  await card('Roaming').getByRole('button', { name: 'Use now' }).click();
  await dialog.getByRole('button', { name: 'Use now' }).click();
  await expect(card('Roaming')).toContainText('In Use', { timeout: 90_000 });
  await expect.poll(inUse).toEqual(['T-Mobile']);

  // Deleting the one in use: the eSIM that the vehicle switches to.
  await page.getByRole('button', { name: 'Delete Roaming' }).click();
  await expect(dialog).toContainText('Deleting an eSIM does not cancel its data plan.');
  await expect(dialog).toContainText('This eSIM is in use. The device will switch to another eSIM.');
  await expect(dialog).toContainText(`Bus 2104 (${serial}) changes carrier: T-Mobile → AT&T.`);
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page).toHaveURL(/\/devices\/esimsList/u);
  await expect(rows(page)).toHaveCount(0, { timeout: 90_000 });
  await expect.poll(inUse).toEqual(['AT&T']);
});

test('SIM-06-partial a router without an eUICC is rejected with a clear message; for one that never connected, support is unknown; both in Chinese', async ({
  page,
  tenant,
}) => {
  const { org, admin } = await ownOrganization(tenant, 'Plain');
  const [plain, unknown] = await tenant.routers(2, { org });
  await tenant.owner.query(`update routers set reported = reported || '{"esim": null}' where serial = $1`, [plain!.serial]);
  const check = async (serial: string, button: string) => {
    await page.locator('input[name=serial]').fill(serial);
    await page.locator('input[name=eid]').fill(EID);
    await page.getByRole('button', { name: button }).click();
  };
  await enter(page, admin, '/devices/esimsAdd?method=manual');
  await check(plain!.serial, 'Check Its SIMs');
  await expect(page.getByText('This router has no eUICC: it reports a plain SIM or none.')).toBeVisible();
  await check(unknown!.serial, 'Check Its SIMs');
  await expect(page.getByText('it is not known whether it supports eSIMs')).toBeVisible();
  await waitUntilLoaded(page);
  await expectAccessible(page);
  await page.evaluate(() => localStorage.setItem('highline.language', 'zh-TW'));
  await page.goto('/devices/esimsAdd?method=manual');
  await check(plain!.serial, '檢查其 SIM 卡');
  await expect(page.getByText('此路由器沒有 eUICC')).toBeVisible();
});
