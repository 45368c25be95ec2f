import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { enter, expect, expectAccessible, rows, showRows, test, visit } from './fixtures.ts';
import { INDEFINITE_MS } from './tenant.ts';

const row = (page: Page, serial: string) => rows(page).filter({ hasText: serial });

test('DEV-08 DEV-09 a router is online while it is connected, reports its details, goes offline when it dies and reconnects on its own', async ({
  page,
  tenant,
}) => {
  const [router, silent] = await tenant.routers(2);
  await enter(page, tenant.users.admin, '/devices/list');
  await showRows(page, 20);
  await expect(row(page, router!.serial)).toContainText('Never connected');
  const fleet = tenant.fleet([router!, silent!]);
  const mine = row(page, router!.serial);
  await expect(mine).toContainText('Online');
  for (const reported of ['HL-R520 5G', '2.8.1', 'depot.cfg', 'Verizon']) await expect(mine).toContainText(reported);
  await expect(mine).toContainText(/\d+d \d\d:\d\d:\d\d/u);
  await visit(page, `/dashboard`);
  await showRows(page, 20);
  for (const number of [/\d{15}/u, /89\d{17,18}/u, /1\d{10}/u]) await expect(row(page, router!.serial)).toContainText(number);
  await visit(page, '/devices/list?size=20');
  const [plain, still] = [router!, silent!].map(({ serial }) => fleet.routers.get(serial)!);
  plain!.powerCut(INDEFINITE_MS);
  await expect(mine).toContainText('Offline');
  plain!.reboot();
  await expect(mine).toContainText('Online', { timeout: 90_000 });
  // No close of the connection, only silence.
  still!.lostCoverage(INDEFINITE_MS);
  await expect(row(page, silent!.serial)).toContainText('Offline', { timeout: 90_000 });
  still!.lostCoverage(0);
  await expect(row(page, silent!.serial)).toContainText('Online', { timeout: 90_000 });
});

test('DEV-05-partial DEV-06-partial DEV-01-partial files are imported row by row as a spreadsheet saves them, and the list of the added devices is a CSV', async ({
  page,
  tenant,
}) => {
  const [good, wrong, third] = await tenant.routers(3, { claimed: false });
  await enter(page, tenant.users.admin, '/devices/add');
  const csv = `\u{feff}MAC;SN;Expiry Date;Start Date\r\n"${good!.mac}";${good!.serial};12/31/2027;01/01/2026\r\n\r\n${good!.mac};${wrong!.serial};12/31/2027;01/01/2026\r\n001122334455;=cmd|'x';13/45/2027;01/01/2026\r\n`;
  await page.setInputFiles('input[type=file]', { name: 'devices.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Successfully added: 1 of 3.');
  await expect(dialog).toContainText(`Row 4, ${wrong!.serial}:`);
  await expect(dialog).toContainText('Incorrect MAC address');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(page).toHaveURL(/\/devices\/list/u);
  await expect(row(page, good!.serial)).toHaveAttribute('data-highlighted', /.*/u);

  // From Excel for Windows, with dates that can be read in two ways and a column of its own.
  await visit(page, '/devices/add');
  const saved = `SN;MAC;Start Date;Expiry Date;Vehicle#;Depot\r\n${third!.serial};${third!.mac};03/04/2026;05/06/2027;Stra\xdfe;x\r\n`;
  await page.setInputFiles('input[type=file]', {
    name: 'devices.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(saved, 'latin1'),
  });
  await page.getByRole('button', { name: 'Check first' }).click();
  await expect(dialog).toContainText('What day is 03/04/2026?');
  await dialog.getByRole('button', { name: 'April 3, 2026' }).click();
  const check = page.getByRole('status').filter({ hasText: '1 row can be imported' });
  await expect(check).toContainText('it was read as windows-1252');
  await expect(check).toContainText('Start Date: 03/04/2026 was read as April 3, 2026.');
  await expect(check).toContainText('Ignored columns: Depot');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(dialog).toContainText('Successfully added: 1 of 1.');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(row(page, third!.serial)).toContainText('Straße');
  await visit(page, `/devices/list?search=${third!.serial}`);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download(.csv)' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('Devices_export.csv');
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toBe(
    'Device Serial#,Online Status,Service Status,Vehicle#,Device Model,Group,Carrier,Uptime,Firmware,Config File,Notes',
  );
  expect(lines[1]).toContain('Straße');
});
