import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StrictAgent } from '@highline/testkit/agent';
import { enter, expect, expectAccessible, test, visit } from './fixtures.ts';
import { button, question } from './groups.ts';
import { PASSWORD, type Tenant, type TenantRouter } from './tenant.ts';

test('LIV-11 an admin sets the password of a router and sees it once, replaces those of many, and is shown one again for the own password', async ({
  page,
  tenant,
}) => {
  const routers = await tenant.routers(3);
  const agents = await Promise.all(routers.map((router) => startWithUsers(tenant, router)));
  const passwords = () => agents.map(({ agent }) => agent.value('Device.Users.User.1.Password')!);
  const factory = passwords();
  const { rows } = await tenant.owner.query<{ id: string }>('select id from devices where serial = $1', [routers[0]!.serial]);
  const diagnostics = `/devices/setting?device=${rows[0]!.id}&tab=diagnostics`;
  const panel = page.getByRole('region', { name: 'Web page password' });
  try {
    await enter(page, await tenant.person('admin', PASSWORD), diagnostics);
    await expect(panel).toContainText('Not set');
    await button(panel, 'Set password').click();
    const form = page.getByRole('dialog', { name: /^Set the web page password of/u });
    await expectAccessible(page);
    await button(form, 'Set password').click();
    const secret = page.getByRole('dialog', { name: /^New password of/u });
    await expect.poll(() => passwords()[0]).not.toBe(factory[0]);
    const [own] = passwords();
    await expect(secret).toContainText(own!);
    await secret.getByRole('button', { name: /^Copy/u }).first().click();
    await secret.getByRole('button', { name: 'Close' }).click();
    await expect(panel).toContainText('Set for admin');
    await expect(page.getByText(own!)).toHaveCount(0);

    await visit(page, '/commands/passwords');
    await expect(page.locator('table tbody tr')).toHaveCount(3);
    await page.getByRole('checkbox', { name: /all/iu }).check();
    await button(page, 'Set random passwords').click();
    await button(question(page), 'Set random passwords').click();
    await expect(page.getByText('3 routers get new passwords.')).toBeVisible();
    await expect.poll(() => passwords().filter((password, index) => ![factory[index], own].includes(password)).length).toBe(3);
    expect(new Set(passwords()).size).toBe(3);
    await expectAccessible(page);

    await visit(page, diagnostics);
    await button(panel, 'Show password').click();
    const asks = page.getByRole('dialog', { name: /^Web page password of/u });
    await asks.getByLabel('Your password').fill('not this one, I think');
    await button(asks, 'Show password').click();
    await expect(asks).toContainText('That is not your password.');
    await asks.getByLabel('Your password').fill(PASSWORD);
    await button(asks, 'Show password').click();
    await expect(page.getByText(passwords()[0]!)).toBeVisible();
  } finally {
    for (const { end } of agents) await end();
  }
});

/** A router of another maker whose users have passwords, once its device says so. */
async function startWithUsers(tenant: Tenant, { serial, mac, secret }: TenantRouter) {
  const stateDir = await mkdtemp(join(tmpdir(), 'highline-passwords-'));
  const server = tenant.server.url.replace('http', 'ws');
  const endpointId = `os::${mac.slice(0, 6)}-${serial}`;
  const agent = new StrictAgent({ server, serial, secret, endpointId, stateDir, hasUsers: true });
  agent.powerOn();
  const isReady = async () =>
    (await tenant.owner.query<{ ready: boolean }>(`select presence = 'online' as ready from devices where serial = $1`, [serial]))
      .rows[0]!.ready;
  await expect.poll(isReady).toBe(true);
  return {
    agent,
    async end() {
      agent.cutPower();
      await rm(stateDir, { recursive: true, force: true });
    },
  };
}
