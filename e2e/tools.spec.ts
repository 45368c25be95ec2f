import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { checkPcap, countedByCapinfos } from '@highline/testkit/pcap';
import { unzip } from '@highline/testkit/zip';
import { enter, expect, expectAccessible, test } from './fixtures.ts';
import { withWebGl } from './maps.ts';
import type { Tenant } from './tenant.ts';

test.use(withWebGl);

/** A connected router. @returns its serial number and the id of its device */
async function connected(tenant: Tenant): Promise<{ readonly serial: string; readonly device: string }> {
  const [router] = await tenant.routers(1);
  const { serial } = router!;
  await tenant.fleet([router!], { fixSeconds: 1 }).whenAllConnected();
  const { rows } = await tenant.owner.query('select id from devices where serial = $1', [serial]);
  return { serial, device: rows[0]!.id };
}

const partsOf = (page: Page) => {
  const form = page.getByRole('region', { name: 'Run a test' });
  return {
    form,
    result: page.getByRole('region', { name: 'Result' }),
    history: page.getByRole('region', { name: 'Tests of the last 90 days' }).getByRole('link'),
    run: async (tool: string): Promise<void> => {
      await form.getByLabel('Test', { exact: true }).selectOption({ label: tool });
      await form.getByRole('button', { name: 'Run' }).click();
    },
  };
};

/** A DNS server that has one address for every name. */
async function startNameServer() {
  const socket = createSocket('udp4');
  const server = { lastByte: 7, address: '', close: () => socket.close() };
  socket.on('message', (question, { port, address }) => {
    const end = question.indexOf(0, 12) + 5;
    const isAddress = question.readUInt16BE(end - 4) === 1;
    const header = Buffer.from(question.subarray(0, end));
    header.writeUInt16BE(0x81_80, 2);
    header.writeUInt16BE(isAddress ? 1 : 0, 6);
    header.writeUInt32BE(0, 8);
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, server.lastByte]);
    socket.send(isAddress ? Buffer.concat([header, record]) : header, port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  server.address = `127.0.0.1:${socket.address().port}`;
  return server;
}

test('LIV-04 an admin lets a router ping over IPv4 and IPv6, trace a route and look up a name, compares each with the last, and shares it; a rule pings by itself', async ({
  page,
  browser,
  tenant,
}) => {
  const { device } = await connected(tenant);
  const nameServer = await startNameServer();
  try {
    await enter(page, tenant.users.admin, `/devices/setting?device=${device}&tab=tools`);
    const { form, result, history, run } = partsOf(page);
    const version = form.getByLabel('IP version');
    const host = form.getByLabel('Host name or address');
    const compared = /as before|(?:more|less) than before/u;

    await host.fill('127.0.0.1');
    await version.selectOption('IPv4');
    await run('Ping');
    await expect(result).toContainText('4 of 4');
    await expect(result).not.toContainText('before');
    const address = page.url();
    await run('Ping');
    await expect(history).toHaveCount(2);
    await expect(result).toContainText(compared);
    await expect(result.getByRole('region', { name: 'Average time' })).toBeVisible();
    await expectAccessible(page);
    await host.fill('::1');
    await version.selectOption('IPv6');
    await run('Ping');
    await expect(result.getByRole('definition').first()).toHaveText('::1');
    await expect(result).toContainText('4 of 4');

    for (const before of [false, true]) {
      await run('Traceroute');
      await expect(result.getByRole('row')).toHaveCount(2);
      await expect(result.getByRole('cell', { name: '::1' })).toBeVisible();
      if (before) await expect(result).toContainText('1 hop · as before');
    }

    // Someone else of the organization follows the list meanwhile.
    const other = await (await browser.newContext({ baseURL: tenant.server.url })).newPage();
    await enter(other, tenant.users.user, `/devices/setting?device=${device}&tab=tools`);
    const seen = partsOf(other);
    await expect(seen.history).toHaveCount(5);
    await form.getByLabel('Test', { exact: true }).selectOption({ label: 'DNS lookup' });
    await host.fill('depot.example');
    await form.getByLabel(/^DNS server/u).fill(nameServer.address);
    for (const [lastByte, said] of [
      [7, undefined],
      [7, '192.0.2.7 · as before'],
      [9, '192.0.2.7 · different'],
    ] as const) {
      nameServer.lastByte = lastByte;
      await run('DNS lookup');
      if (said !== undefined) await expect(result).toContainText(said);
      await expect(result.getByRole('definition').first()).toHaveText(`192.0.2.${lastByte}`);
    }
    await expect(seen.history).toHaveCount(8);
    await expect(seen.history.first()).toContainText('192.0.2.9');

    // The link of the first result, as another role opens it.
    await other.goto(address);
    await expect(seen.result).toContainText('4 of 4');
    await expect(seen.form).toContainText('Only admins can run tests.');
    await other.context().close();

    await page.goto('/alerts/rules');
    await page.getByRole('button', { name: 'Add rule' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^Name/u).fill('Depot');
    await dialog.getByLabel('Condition').selectOption({ label: 'A test by the router fails' });
    await dialog.getByLabel('Host name or address').fill('127.0.0.1');
    await dialog.getByLabel('How often').selectOption({ label: '15 min' });
    await dialog.getByLabel('Also email the first admin of the organization').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('row', { name: /Depot/u })).toContainText('tested every 15 min');
    await page.goto(`/devices/setting?device=${device}&tab=tools`);
    await expect(history).toHaveCount(9, { timeout: 90_000 });
    await history.first().click();
    await expect(result).toContainText('by the rule Depot');
    await expect(result).toContainText('4 of 4');
  } finally {
    nameServer.close();
  }
});

test('LIV-05 LIV-06 a speed test says its bytes first, counts as data used, and is on the chart and the map; a capture, the log and a support bundle are files', async ({
  page,
  tenant,
}) => {
  const { serial, device } = await connected(tenant);
  const countOf = async (text: string): Promise<number> => Number((await tenant.owner.query(text, [device])).rows[0]!.count);
  // It has a position and counters from before: both come with its reports, the counters a minute after the first.
  await expect
    .poll(() => countOf('select count(*) from router_positions p join devices d on d.router_id = p.router_id where d.id = $1'), {
      timeout: 180_000,
    })
    .toBeGreaterThan(0);
  await expect
    .poll(() => countOf('select count(*) from usage_days where device_id = $1'), { timeout: 180_000 })
    .toBeGreaterThan(0);
  await enter(page, tenant.users.admin, `/devices/setting?device=${device}&tab=tools`);
  const { form, result, run } = partsOf(page);
  const question = page.getByRole('alertdialog');
  const confirm = () => question.getByRole('button', { name: 'Run' }).click();

  await form.getByLabel('Test', { exact: true }).selectOption({ label: 'Speed test, download' });
  await form.getByLabel('Size').selectOption({ label: '25.0 MB' });
  for (const before of [false, true]) {
    await run('Speed test, download');
    await expect(question).toContainText('The router transfers 25.0 MB over its SIM. They count as data used.');
    await confirm();
    await expect(result.getByText('Speed', { exact: true })).toBeVisible();
    await expect(result).toContainText('25.0 MB');
    if (before) await expect(result).toContainText('before');
  }
  await form.getByLabel('Test', { exact: true }).selectOption({ label: 'Speed test, upload' });
  await form.getByLabel('Size').selectOption({ label: '1.00 MB' });
  await run('Speed test, upload');
  await expect(question).toContainText('The router transfers 1.00 MB');
  await confirm();
  await expect(result).toContainText('Speed test, upload');
  await expect(result).toContainText('1.00 MB');
  const speeds = page.getByRole('region', { name: 'Speed tests' });
  await expect(speeds.getByRole('region', { name: 'Download speed' })).toBeVisible();
  await expect(speeds.getByRole('region', { name: 'Map of speed tests' })).toBeVisible();
  await expect(page.getByText('No position is known')).toHaveCount(0);
  await expectAccessible(page);

  await form.getByLabel('Test', { exact: true }).selectOption({ label: 'Packet capture' });
  await form.getByLabel('Seconds').fill('61');
  await run('Packet capture');
  await expect(form).toContainText('Invalid Seconds format');
  // A router that has nothing to report is silent for some seconds.
  await form.getByLabel('Seconds').fill('20');
  await expect(form.getByLabel('File size at most').getByRole('option')).toHaveText(['100 KB', '1.00 MB', '10.0 MB']);
  await run('Packet capture');
  await expect(question).toContainText('each download is logged');
  await confirm();
  await expect(result.getByText('Packets', { exact: true })).toBeVisible({ timeout: 120_000 });
  const download = async (region: typeof result): Promise<Buffer> => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      region.getByRole('button', { name: 'Download the file' }).click(),
    ]);
    return readFile(await file.path());
  };
  const capture = await download(result);
  const packets = checkPcap(capture);
  expect(packets).toBeGreaterThan(0);
  // Where Wireshark is installed, it reads as many.
  expect(countedByCapinfos(capture) ?? packets).toBe(packets);

  await run('Router log');
  await result.getByRole('button', { name: 'Show the log' }).click();
  await expect(page.getByRole('dialog')).toContainText('connected to the cloud');
  await page.keyboard.press('Escape');
  expect((await download(result)).toString()).toContain('connected to the cloud');

  const bundle = page.getByRole('region', { name: 'Support bundle' });
  await bundle.getByLabel('Period').selectOption({ label: 'The last day' });
  const files = unzip(await download(bundle));
  expect(files.get('device.jsonl')).toContain(serial);
  // Another test of this organization may have a rule that pings its routers.
  const tests = files.get('tests.jsonl')!.split('\n');
  expect(tests.filter((line) => line.includes(`"started_by":"${tenant.users.admin.email}"`))).toHaveLength(5);
  expect(files.get('log.jsonl')).toContain(`Ran a packet capture on device ${serial}`);
  const [{ secret }] = (
    await tenant.owner.query("select encode(secret_hash, 'hex') as secret from routers where serial = $1", [serial])
  ).rows as [{ secret: string }];
  expect([...files.values()].join('')).not.toContain(secret);

  // Each run and each download is in the log, and what was transferred in the data used.
  await page.goto('/logs');
  for (const text of [
    `Ran a packet capture on device ${serial}`,
    `Downloaded the file of a packet capture of device ${serial}`,
    `Downloaded the support bundle of device ${serial}`,
  ])
    await expect(page.getByText(text).first()).toBeVisible();
  await expect
    .poll(() => countOf('select coalesce(sum(received), 0)::bigint as count from usage_days where device_id = $1'))
    .toBeGreaterThan(50_000_000);
  await page.goto(`/devices/setting?device=${device}&tab=sims`);
  await expect(page.getByRole('region', { name: 'This cycle' })).toContainText(/5\d\.\d MB/u);
});
