import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StrictAgent } from '@highline/testkit/agent';
import type { Locator } from '@playwright/test';
import { enter, expect, expectAccessible, test, visit, waitUntilLoaded } from './fixtures.ts';
import type { Tenant, TenantRouter } from './tenant.ts';

const SSID = 'Device.WiFi.SSID.1.SSID';

/** A router of another vendor, as it were: it knows TR-369 and TR-181, and nothing of Highline. */
async function startStrict(tenant: Tenant, { serial, mac, secret }: TenantRouter) {
  const stateDir = await mkdtemp(join(tmpdir(), 'highline-strict-'));
  const server = tenant.server.url.replace('http', 'ws');
  const agent = new StrictAgent({
    server,
    serial,
    secret,
    endpointId: `os::${mac.slice(0, 6)}-${serial}`,
    stateDir,
    model: 'SX-40',
    reconnectMs: 200,
  });
  agent.powerOn();
  return {
    agent,
    async end() {
      agent.cutPower();
      await rm(stateDir, { recursive: true, force: true });
    },
  };
}

test('TPL-02 TPL-03 TPL-05 one network name goes to a group in six presses, with the exception of a vehicle, and what is changed at a router shows and is restored or adopted', async ({
  page,
  tenant,
}) => {
  const group = await tenant.seeding.group(tenant.org, `Settings ${tenant.mark}`);
  const [ours, second, special] = (await tenant.routers(3, { group })) as [TenantRouter, TenantRouter, TenantRouter];
  const fleet = tenant.fleet([ours]);
  const [plain, exception] = [await startStrict(tenant, second), await startStrict(tenant, special)];
  await fleet.whenAllConnected();
  const { rows } = await tenant.owner.query<{ id: string; serial: string }>(
    'select id, serial from devices where serial = any($1)',
    [[ours, second, special].map(({ serial }) => serial)],
  );
  const idOf = ({ serial }: TenantRouter) => rows.find((row) => row.serial === serial)!.id;
  const nameField = () => page.getByLabel('Network name (SSID)').first();
  try {
    await enter(page, tenant.users.admin, `/groups/settings?device=${idOf(special)}`);
    await nameField().fill('Special');
    await page.getByRole('button', { name: 'Review changes' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save only' }).click();
    await expect(page.getByRole('dialog')).toBeHidden();

    await visit(page, `/groups/detail?group=${group}`);
    let presses = 0;
    const press = async (target: Locator) => {
      presses += 1;
      await target.click();
    };
    await press(page.getByRole('link', { name: 'Router settings' }));
    await press(nameField());
    await page.keyboard.type('Depot');
    await press(page.getByRole('button', { name: 'Review changes' }));
    const review = page.getByRole('dialog');
    await expect(review).toContainText('Something changes for 2 of 3 vehicles.');
    await expectAccessible(page);
    await press(review.getByRole('button', { name: 'Save and send to 3 vehicles' }));
    expect(presses).toBeLessThanOrEqual(6);

    const rollout = page.getByRole('region', { name: 'Rollout of router settings, version 1' });
    await expect(rollout).toContainText('3 / 3', { timeout: 60_000 });
    await waitUntilLoaded(page);
    await expectAccessible(page);
    expect(plain.agent.value(SSID)).toBe('Depot');
    expect(exception.agent.value(SSID)).toBe('Special');
    await visit(page, `/devices/setting?device=${idOf(ours)}&tab=settings`);
    await expect(page.getByRole('region', { name: 'Router settings' })).toContainText('As set');

    // Changed at the router, without a press.
    await visit(page, `/devices/setting?device=${idOf(second)}&tab=settings`);
    const settings = page.getByRole('region', { name: 'Router settings' });
    await expect(settings).toContainText('As set');
    plain.agent.change(SSID, 'Changed here');
    await expect(settings).toContainText('Changed here', { timeout: 60_000 });
    await settings.getByRole('button', { name: 'Send settings' }).click();
    await expect.poll(() => plain.agent.value(SSID)).toBe('Depot');
    await expect(settings).toContainText('As set', { timeout: 60_000 });
    plain.agent.change(SSID, 'Changed again');
    await expect(settings).toContainText('Changed again', { timeout: 60_000 });
    await settings.getByRole('button', { name: 'Adopt what the router has' }).click();
    await expect(settings).toContainText('As set');
    expect(plain.agent.value(SSID)).toBe('Changed again');
  } finally {
    await plain.end();
    await exception.end();
  }
});
