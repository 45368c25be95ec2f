import { readPdfPages } from '@highline/testkit/pdf';
import type { Page } from '@playwright/test';
import { enter, expect, expectAccessible, rows, test, waitUntilLoaded } from './fixtures.ts';

/** Of resolution 8, with the place of the outage. */
const HEXAGON = '882664c1a9fffff';

/** Count presses from now on. */
async function countPresses(page: Page): Promise<() => Promise<string | null>> {
  await page.evaluate(() => {
    document.body.dataset['presses'] = '0';
    window.addEventListener('click', () => {
      document.body.dataset['presses'] = String(Number(document.body.dataset['presses']) + 1);
    });
  });
  return () => page.locator('body').getAttribute('data-presses');
}

/** Press "Evidence" on the page of outages. @returns the text of the document */
async function takeEvidence(page: Page): Promise<string> {
  await expect(page.getByRole('heading', { level: 1, name: 'Outages' })).toBeVisible();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Evidence (PDF)' }).click();
  const stream = await (await saved).createReadStream();
  return (await readPdfPages(Buffer.concat((await stream.toArray()) as Buffer[]))).join(' ');
}

test('RPM-04 the evidence pack for a carrier is two presses from a device and from a dead zone: map, chart and table, with times, cells, signal and places as text', async ({
  page,
  tenant,
}) => {
  const [bus] = await tenant.routers(1);
  const { owner } = tenant;
  await owner.query("update devices set vehicle_number = 'Bus 12' where serial = $1", [bus!.serial]);
  const { rows: devices } = await owner.query<{ id: string }>(
    `insert into outages (organization_id, device_id, router_id, began_at, ended_at, kind, reason, carrier, technology, serving_cell, rsrp, latitude, longitude, hexagon)
     select d.organization_id, d.id, d.router_id, now() - interval '2 days', now() - interval '2 days' + interval '24 minutes', 'lost', 'no-answer',
       'Northern', 'LTE', '310-410-7', -117, 41.88, -87.63, $2 from devices d where d.serial = $1 returning device_id as id`,
    [bus!.serial, HEXAGON],
  );
  await owner.query(
    `insert into coverage_days (organization_id, cell, day, carrier, technology, resolution, samples, drops, lost_seconds)
     select organization_id, $2, (now() - interval '2 days')::date, 'Northern', 'LTE', 8, 3, 1, 1440 from devices where serial = $1`,
    [bus!.serial, HEXAGON],
  );
  const device = devices[0]!.id;

  await enter(page, tenant.users.admin, `/devices/setting?device=${device}`);
  await waitUntilLoaded(page);
  const ofDevice = await countPresses(page);
  await page.getByRole('link', { name: 'Outages and evidence' }).click();
  const one = await takeEvidence(page);
  expect(await ofDevice()).toBe('2');
  await expect(rows(page).filter({ hasText: 'Bus 12' })).toContainText('Clark Street at Madison Street');
  await expect(rows(page).filter({ hasText: 'Bus 12' })).toContainText('310-410-7');
  await expectAccessible(page);

  await enter(page, tenant.users.admin, '/coverage?tab=zones');
  await waitUntilLoaded(page);
  const ofZone = await countPresses(page);
  await page.getByRole('link', { name: '1 lost connection: outages and evidence' }).click();
  const other = await takeEvidence(page);
  expect(await ofZone()).toBe('2');

  expect(one).toContain('Lost connections: Bus 12');
  expect(other).toMatch(/Lost connections: .*Chicago/u);
  for (const text of [one, other])
    for (const part of [
      'Minutes without a connection by day',
      'North is up',
      '24.0',
      '310-410-7',
      'Northern LTE',
      'No answer',
      '-117',
      'Clark Street at Madison Street',
    ])
      expect(text).toContain(part);
});
