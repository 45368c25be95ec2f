import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { parse } from 'csv-parse/sync';
import { enter, expect, leave, rows, waitUntilLoaded, test, visit } from './fixtures.ts';

const EID = '89049099990000000000000000000132';
const ICCID = '8914800000001234562';

/** Values a spreadsheet would execute, and values that break a careless CSV. */
const hostile = {
  link: '=HYPERLINK("http://evil.test","win")',
  sum: '@SUM(1+1)*cmd|calc',
  plus: '+1-1',
  lines: '-2+3\r\n"quoted"; second, line',
};

/** Press the button and read the file as a spreadsheet would: marked as UTF-8, CRLF line ends, as many cells in each line. */
async function downloaded(page: Page, button: string): Promise<{ name: string; header: string[]; lines: string[][] }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button, exact: true }).click(),
  ]);
  const text = await readFile(await download.path(), 'utf8');
  expect(text.startsWith('\u{feff}')).toBe(true);
  expect(text.endsWith('\r\n')).toBe(true);
  const [header, ...lines] = parse(text, { bom: true, record_delimiter: '\r\n' });
  for (const cell of lines.flat()) expect(cell).not.toMatch(/^\s*[=+\-@]/u);
  return { name: download.suggestedFilename(), header: header!, lines };
}

test('SHR-08 every CSV is saved under its name with the columns of its list, and nothing in it runs in a spreadsheet', async ({
  page,
  tenant,
}) => {
  const { owner, seeding, mark } = tenant;
  const org = await seeding.organization(tenant.main, `=Files ${mark}`);
  await owner.query('update organizations set phone = $2, address = $3 where id = $1', [
    org.organizationId,
    hostile.plus,
    hostile.lines,
  ]);
  const id = await seeding.account(org, `files-${mark.toLowerCase()}@highline.example`, 'admin');
  await owner.query('update accounts set name = $2 where id = $1', [id, hostile.sum]);
  const group = await seeding.group(org, `=1+1 ${mark}`);
  await owner.query('update groups set description = $2 where key = $1', [group, hostile.lines]);
  const [router] = await tenant.routers(1, { org, group, expired: '12/31/2031' });
  const { serial } = router!;
  await owner.query('update devices set vehicle_number = $2, note = $3 where serial = $1', [serial, hostile.plus, hostile.lines]);
  const esim = { serial, eid: EID, code: '1$dp.example$CSV', iccid: ICCID, apn: hostile.sum, apn2: '', name: hostile.link };
  await seeding.esim(org, esim);
  await tenant.audit(org, { email: '=evil@highline.example', address: '192.0.2.7' }, hostile.link, new Date());

  const file = async (path: string, name: string, header: readonly string[], cells: readonly string[]) => {
    await visit(page, path);
    const csv = await downloaded(page, 'Download(.csv)');
    expect(csv.name).toBe(`${name}.csv`);
    expect(csv.header).toEqual(header);
    for (const cell of cells) expect(csv.lines.flat(), name).toContain(cell);
  };
  await enter(page, { id, email: '', bearer: await seeding.bearer(id) }, '/dashboard');
  await file(
    '/groups/list',
    'Groups_export',
    ['#', 'Group', 'Firmware', 'Config File', 'Schedule to Update', 'Postpone Update Until', 'Update Status', 'Description'],
    [`'=1+1 ${mark}`, `'${hostile.lines}`],
  );
  await file(
    '/devices/list',
    'Devices_export',
    [
      'Device Serial#',
      'Online Status',
      'Service Status',
      'Vehicle#',
      'Device Model',
      'Group',
      'Carrier',
      'Uptime',
      'Firmware',
      'Config File',
      'Notes',
    ],
    [serial, `'${hostile.plus}`, `'=1+1 ${mark}`, `'${hostile.lines}`],
  );
  await file(
    '/devices/esimsList',
    'eSIMs_export',
    [
      'Device Serial#',
      'Vehicle#',
      'Status',
      'Reason',
      'eSIM Name',
      'Carrier',
      'Signal (dBm)',
      'ICCID',
      'Bytes this cycle',
      'APN 1',
      'Priority',
    ],
    // Long numbers are prefixed with an apostrophe too, because a spreadsheet would round them.
    [`'${hostile.link}`, `'${hostile.sum}`, `'${ICCID}`],
  );
  await file(
    '/devices/service',
    'Service_export',
    ['Device Serial#', 'Service Status', 'Expiration Date', 'Group', 'Notes'],
    [serial, 'Subscribed', '12/31/2031', `'=1+1 ${mark}`],
  );
  await file('/users', 'Users_export', ['Username', 'Email', 'Role'], [`'${hostile.sum}`, 'Admin']);
  await file(
    '/logs',
    'Logs_export',
    ['#', 'Date/Time', 'Cloud User', 'IP Address', 'Action'],
    ["'=evil@highline.example", '192.0.2.7', `'${hostile.link}`],
  );

  await visit(page, '/devices/esimsList');
  const columns = ['SN', 'EID', 'Activation Code', 'ICCID', 'APN1', 'APN2', 'NAME'];
  const example = await downloaded(page, 'Download sample CSV');
  expect([example.name, example.header]).toEqual([`eSIMs_export_example_=Files ${tenant.mark}.csv`, columns]);
  expect(example.lines.map((line) => line[2])).toContain('preload');
  await visit(page, '/devices/esimsAdd');
  const rejectedRow = ['NO-SUCH-ROUTER', EID, '=cmd', '', hostile.plus, '', hostile.sum];
  await page.setInputFiles('input[type=file]', {
    name: 'esims.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`${columns.join(',')}\r\n${rejectedRow.join(',')}\r\n`),
  });
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText('Successfully added: 0 of 1. Failed to add:');
  const errors = await downloaded(page, 'Download Report');
  expect(errors.name).toBe('eSIMs_error.csv');
  expect(errors.header).toEqual(['serial', 'eid', 'ac', 'iccid', 'apn1', 'apn2', 'name', 'error']);
  expect(errors.lines).toHaveLength(1);
  for (const cell of ['NO-SUCH-ROUTER', "'=cmd", `'${hostile.plus}`, `'${hostile.sum}`]) expect(errors.lines[0]).toContain(cell);

  await leave(page);
  await enter(page, tenant.users.main, '/organization');
  await visit(page, `/organization?search=${encodeURIComponent(`=Files ${mark}`)}`);
  await expect(rows(page)).toHaveCount(1);
  await file(
    `/organization?search=${encodeURIComponent(`=Files ${mark}`)}`,
    'Organizations_export',
    [
      'Org Name',
      'Online/All Devices',
      'Groups with Failed Routers',
      'Expiring',
      'Contact',
      'Phone',
      'Address',
      'Expiring/All Devices',
    ],
    [`'=Files ${mark}`, `'${hostile.plus}`, `'${hostile.lines}`, '0 / 1'],
  );

  // In the language of the console.
  await page.evaluate(() => localStorage.setItem('highline.language', 'zh-TW'));
  await page.reload();
  await waitUntilLoaded(page);
  const { header } = await downloaded(page, '下載（.csv）');
  expect(header).toEqual([
    '組織名稱',
    '線上／所有裝置',
    '有失敗路由器的群組',
    '即將到期',
    '聯絡人',
    '電話',
    '地址',
    '即將到期／所有裝置',
  ]);
});
