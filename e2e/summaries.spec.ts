import { readPdfPages } from '@highline/testkit/pdf';
import { makeIccid } from '@highline/usp';
import { enter, expect, expectAccessible, test, waitUntilLoaded } from './fixtures.ts';
import { used } from './usage.ts';

const FORMER = makeIccid(4_100_001);
const PRESENT = makeIccid(4_100_002);
const GB = 1_000_000_000;

test('RPM-02 the month of the boss is two presses from Data use: a PDF with organization, month, zone, vehicle, plan, cost, and serial numbers and carriers of then', async ({
  page,
  tenant,
}) => {
  const [bus, spare] = await tenant.routers(2);
  const { owner } = tenant;
  await owner.query("update devices set vehicle_number = 'Bus 12' where serial = $1", [bus!.serial]);
  // Its router was replaced within the month, and with it SIM and carrier.
  await owner.query(
    `insert into router_ownership (router_id, owned_from, owned_until, organization_id, device_id)
     select r.id, now() - interval '90 days', now(), d.organization_id, d.id from devices d, routers r
     where d.serial = $1 and r.serial = $2`,
    [bus!.serial, spare!.serial],
  );
  await used(tenant, bus!.serial, FORMER, 0, GB, GB);
  await used(tenant, bus!.serial, PRESENT, 0, 0, 3 * GB);
  await owner.query(
    `with plan as (insert into usage_plans (organization_id, id, name, cycle_day, allowance, is_pool, cost_per_gb, currency, applies_to, shares, action, actor)
       select organization_id, gen_random_uuid(), 'Fleet 5', 1, 5000000000, false, 4, 'USD', 'all', '{80}', 'mail', '{}' from devices where serial = $1
       returning organization_id, id)
     update usage_sims s set plan_id = p.id, carrier = case s.iccid when $2 then 'AT&T' else s.carrier end from plan p
     where s.organization_id = p.organization_id`,
    [bus!.serial, FORMER],
  );
  const { rows } = await owner.query<{ name: string }>(
    'select o.name from organizations o join devices d on d.organization_id = o.id where d.serial = $1',
    [bus!.serial],
  );
  await enter(page, tenant.users.admin, '/usage');
  await waitUntilLoaded(page);
  await page.evaluate(() => {
    window.addEventListener('click', () => {
      document.body.dataset['presses'] = String(Number(document.body.dataset['presses'] ?? 0) + 1);
    });
  });
  await page.getByRole('link', { name: 'Report (PDF)' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Summaries' })).toBeVisible();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'PDF', exact: true }).click();
  const stream = await (await saved).createReadStream();
  const [text, ...more] = await readPdfPages(Buffer.concat((await stream.toArray()) as Buffer[]));
  expect(await page.locator('body').getAttribute('data-presses')).toBe('2');
  expect(more).toEqual([]);
  expect(text).toContain(rows[0]!.name);
  expect(text).toMatch(/\d{2}\/01\/\d{4} – \d{2}\/\d{2}\/\d{4}, \S+/u);
  for (const part of [
    'Bus 12',
    'Fleet 5',
    FORMER,
    PRESENT,
    'AT&T',
    'Verizon',
    bus!.serial,
    spare!.serial,
    '8.00',
    '12.00',
    'USD',
  ])
    expect(text).toContain(part);
  await expectAccessible(page);
});
