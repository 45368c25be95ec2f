import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StrictAgent } from '@highline/testkit/agent';
import { enter, expect, expectAccessible, test, visit } from './fixtures.ts';
import { button } from './groups.ts';

test('TPL-06 TPL-07 a router is backed up, its versions are compared and restored, and what it runs fills the form of its settings', async ({
  page,
  tenant,
}) => {
  const [router] = await tenant.routers(1);
  const { serial, mac, secret } = router!;
  const stateDir = await mkdtemp(join(tmpdir(), 'highline-backups-'));
  const server = tenant.server.url.replace('http', 'ws');
  const agent = new StrictAgent({ server, serial, secret, endpointId: `os::${mac.slice(0, 6)}-${serial}`, stateDir });
  const file = join(stateDir, 'VendorConfigFile.1');
  await writeFile(file, 'hostname = bus\nadmin_password = first\nzone = EST5EDT\n');
  agent.powerOn();
  const { rows } = await tenant.owner.query<{ id: string }>('select id from devices where serial = $1', [serial]);
  const panel = page.getByRole('region', { name: 'Backups of the configuration' });
  const versions = panel.getByRole('listitem');
  try {
    await expect
      .poll(
        async () =>
          (await tenant.owner.query('select 1 from devices where serial = $1 and presence = $2', [serial, 'online'])).rowCount,
      )
      .toBe(1);
    await enter(page, await tenant.person('admin'), `/devices/setting?device=${rows[0]!.id}&tab=settings`);
    await button(panel, 'Back up now').click();
    await expect(versions).toHaveCount(1);
    await writeFile(file, 'hostname = bus\nadmin_password = second\nzone = CST6CDT\n');
    await expect(button(panel, 'Back up now')).not.toHaveAttribute('aria-disabled', 'true');
    await button(panel, 'Back up now').click();
    await expect(versions).toHaveCount(2);
    await expectAccessible(page);

    await button(versions.first(), 'Show differences').click();
    const dialog = page.getByRole('dialog', { name: /^Configuration of/u });
    await expect(dialog.locator('ins')).toHaveText([/admin_password = ••••••/u, /zone = CST6CDT/u]);
    await expect(dialog).not.toContainText('second');
    await expectAccessible(page);
    await button(dialog, 'Close').click();

    await button(versions.nth(1), 'Restore').click();
    const question = page.getByRole('alertdialog', { name: /^Restore the configuration of/u });
    await question.getByRole('textbox').fill(serial);
    await button(question, 'Restore').click();
    await expect.poll(() => readFile(file, 'utf8')).toContain('zone = EST5EDT');
    await expect(panel).toContainText('Last restore: Done');

    await visit(page, `/groups/settings?device=${rows[0]!.id}`);
    await button(page, 'Profiles').click();
    const profiles = page.getByRole('dialog', { name: 'Profiles of settings' });
    await profiles.getByLabel('Compare with').selectOption({ label: 'What the router runs now' });
    await button(profiles, 'Compare').click();
    await expect(profiles.getByRole('status')).toContainText('values differ');
    await expectAccessible(page);
    await button(profiles, 'Fill the form with it').click();
    await expect(page.getByText(/values changed$/u)).toBeVisible();

    await visit(page, '/backups?days=1');
    await button(page, 'Backup settings').click();
    const settings = page.getByRole('dialog', { name: 'Backup settings' });
    await settings.getByRole('checkbox', { name: 'Back up routers every night' }).check();
    await button(settings, 'Save').click();
    await expect(page.getByText('Routers are backed up every night')).toBeVisible();
    await expectAccessible(page);
  } finally {
    agent.cutPower();
    await rm(stateDir, { recursive: true, force: true });
  }
});
