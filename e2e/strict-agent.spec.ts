import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStrictProcess, type TraitChoice } from '@highline/testkit/agent';
import { enter, expect, rows, waitUntilLoaded, test, visit } from './fixtures.ts';
import { button, choose, question, row } from './groups.ts';
import type { Tenant } from './tenant.ts';

// A third-party router as a separate process: it knows TR-369 and TR-181, and nothing of Highline.

const MODEL = 'SX-40';

/** A router in its own group, with the settings of its agent. */
async function strictRouter(
  tenant: Tenant,
): Promise<{ group: string; serial: string; choice: TraitChoice; end(): Promise<void> }> {
  const group = await tenant.seeding.group(tenant.org, `Strict ${tenant.mark}`);
  const [router] = await tenant.routers(1, { group });
  const { serial, mac, secret } = router!;
  const stateDir = await mkdtemp(join(tmpdir(), 'highline-strict-'));
  const server = tenant.server.url.replace('http', 'ws');
  const endpointId = `os::${mac.slice(0, 6)}-${serial}`;
  const choice = { server, serial, secret, endpointId, stateDir, model: MODEL, reconnectMs: 200 };
  return { group, serial, choice, end: () => rm(stateDir, { recursive: true }) };
}

test('DEV-08 DEV-09 GRP-10 a standard agent is online with its values, loses power and comes back, and takes firmware and a config file', async ({
  page,
  tenant,
}) => {
  const { group, serial, choice, end } = await strictRouter(tenant);
  const version = `21.1.${tenant.mark}`;
  const config = `strict-${tenant.mark}.cfg`;
  const payload = Buffer.concat([Buffer.from(`STRICT-IMAGE ${version}\n`), Buffer.alloc(50_000, 'x')]);
  await tenant.seeding.firmware(tenant.main, { version, model: MODEL, payload });
  await tenant.seeding.config(tenant.org, { name: config });
  await enter(page, tenant.users.admin, `/devices/list?search=${serial}`);
  await expect(rows(page)).toContainText(['Never connected']);

  let agent = startStrictProcess(choice);
  for (const value of ['Online', MODEL, '1.0.0', 'factory.xml', 'AT&T']) await expect(rows(page)).toContainText([value]);
  await rows(page).first().click();
  await waitUntilLoaded(page);
  // The page refetches once a minute; the first reading is written a moment after the router is online.
  await expect(async () => {
    await page.reload();
    await waitUntilLoaded(page);
    const signal = page.getByRole('region', { name: 'Signal strength (RSSI) (dBm)' });
    await expect(signal).toContainText('−73 dBm', { timeout: 3_000 });
  }).toPass();

  await visit(page, `/devices/list?search=${serial}`);
  await agent.kill();
  await expect(rows(page)).toContainText(['Offline']);
  agent = startStrictProcess(choice);
  await expect(rows(page)).toContainText(['Online']);

  await visit(page, `/groups/detail?group=${group}`);
  await choose(page, 'Firmware', new RegExp(`^${version}`, 'u'));
  await choose(page, 'Config File', new RegExp(`^${config}`, 'u'));
  await button(page, 'Save').click();
  await expect(question(page)).toContainText(serial);
  await button(question(page), 'Save').click();
  await expect(page.getByText('Edit success').last()).toBeVisible();
  for (const what of [`firmware ${version}`, `config file ${config}`]) {
    const panel = page.getByRole('region', { name: `Rollout of ${what}` });
    await expect(row(panel, serial)).toContainText('Successful', { timeout: 90_000 });
    await expect(panel).toContainText('1 / 1');
  }
  await visit(page, `/devices/list?search=${serial}`);
  for (const value of ['Online', version, config]) await expect(rows(page)).toContainText([value]);
  await agent.kill();
  await end();
});
