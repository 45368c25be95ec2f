import { enter, expect, expectAccessible, test } from './fixtures.ts';
import { withWebGl } from './maps.ts';

test.use({ ...withWebGl, permissions: ['clipboard-read', 'clipboard-write'] });

test('SAY-07 a vehicle in a city of the demo has its street as text, to copy and to open in a map; where the map has no streets it says how to get them', async ({
  page,
  tenant,
}) => {
  const [bus, far] = await tenant.routers(2);
  const park = (serial: string, name: string, latitude: number, longitude: number) =>
    tenant.owner.query(
      `with named as (update devices set vehicle_number = $2 where serial = $1 returning router_id)
       insert into router_positions (router_id, at, latitude, longitude, speed, heading, is_jump, stored_at)
       select router_id, now(), $3, $4, 0, 0, false, now() from named`,
      [serial, name, latitude, longitude],
    );
  await tenant.owner.query(
    `update router_ownership set owned_from = now() - interval '7 days'
     where router_id in (select router_id from devices where serial = any ($1))`,
    [[bus!.serial, far!.serial]],
  );
  await park(bus!.serial, 'Bus 7', 41.97626, -87.68672);
  await park(far!.serial, 'Truck 9', 41.5868, -93.625);
  await enter(page, tenant.users.admin, '/map');
  const missing = page.getByText(
    'The map of this server has no streets here. Its operator adds a region with “highline map fetch”.',
  );
  await page.getByRole('button', { name: /Bus 7/u }).click();
  const card = page.getByRole('region', { name: 'Selected vehicle: Bus 7' });
  await expect(card).toContainText('Foster Avenue at Western Avenue');
  await expect(card.getByRole('link', { name: 'Open in maps' })).toHaveAttribute('href', /41\.97626.*-87\.68672/u);
  await card.getByRole('button', { name: 'Copy Place' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
    /^Foster Avenue at Western Avenue, .*41\.97626, -87\.68672$/u,
  );
  await expect(missing).toBeHidden();
  await expectAccessible(page);
  await page.getByRole('button', { name: /Truck 9/u }).click();
  const other = page.getByRole('region', { name: 'Selected vehicle: Truck 9' });
  await expect(other).toContainText('Des Moines');
  await expect(missing).toBeVisible({ timeout: 30_000 });
});
