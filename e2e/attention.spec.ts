import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { enter, expect, leave, rows, test, waitUntilLoaded } from './fixtures.ts';
import { serverUnderTest } from './tenant.ts';

/** The network between browser and server, which can stop carrying anything, or reject connections. */
async function createNetwork() {
  const { hostname, port } = new URL(serverUnderTest().url);
  const sockets = new Set<Socket>();
  let state: 'open' | 'frozen' | 'cut' = 'open';
  const proxy = createServer((near) => {
    if (state === 'cut') return void near.destroy();
    const far = connect(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy()).on('close', () => (sockets.delete(from), to.destroy()));
      from.on('data', (bytes) => void to.write(bytes));
      if (state === 'frozen') from.pause();
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    freeze() {
      state = 'frozen';
      for (const socket of sockets) socket.pause();
    },
    cut() {
      state = 'cut';
      for (const socket of sockets) socket.destroy();
    },
    open() {
      state = 'open';
      for (const socket of sockets) socket.resume();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

test.describe('without a server', () => {
  // The browser's own report of the failed files; nothing of it may reach the screen.
  test.use({ expectedNotes: [/LoadingFault|could not be loaded|dynamically imported module|preload/u] });

  test('ATT-05 a lost connection shows within 12 s and says since when, and everything returns by itself', async ({
    page,
    tenant,
  }) => {
    test.slow();
    const network = await createNetwork();
    try {
      const [router] = await tenant.routers(1);
      const { id, bearer } = tenant.users.admin;
      await page.goto(`${network.url}/devices/list?search=${router!.serial}&id=${id}&vap=${bearer}`);
      await waitUntilLoaded(page);
      await expect(page.getByText(/ · live/u)).toBeVisible();
      const banner = page.getByRole('alert').filter({ hasText: 'Connection lost' });

      network.freeze();
      await expect(banner).toBeVisible();
      await expect(banner).toContainText(/lost at \d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d/u);
      await expect(page.getByText(/ · reconnecting/u)).toBeVisible();
      const dimmed = page.locator('#content > *').first();
      expect(Number(await dimmed.evaluate((element) => getComputedStyle(element).opacity))).toBeLessThan(0.8);
      await tenant.owner.query(`update devices set note = 'changed meanwhile' where serial = $1`, [router!.serial]);
      network.open();
      await expect(banner).toHaveCount(0);
      await expect(rows(page)).toContainText('changed meanwhile');
      await expect(page.getByText(/ · live/u)).toBeVisible();

      // A page whose files cannot be fetched says so plainly, and opens when the server is back.
      network.cut();
      await page.getByRole('link', { name: 'Config Files' }).click();
      const content = page.locator('#content');
      await expect(content).toContainText('It opens by itself as soon as the server answers.');
      await expect(page.locator('body')).not.toContainText(/\.js|\.css|http|Error|at \w+ \(/u);
      await expect(banner).toBeVisible();
      network.open();
      await expect(page.getByRole('heading', { name: 'Config Files' })).toBeVisible();
      await expect(banner).toHaveCount(0);
    } finally {
      await network.close();
    }
  });
});

test('ATT-01 ATT-02 ATT-03-partial the overview says what needs attention, opens the list of it, and shows the share of devices online', async ({
  page,
  tenant,
}) => {
  const org = await tenant.seeding.organization(tenant.main, `Attention ${tenant.mark}`);
  const email = `attention-${tenant.mark.toLowerCase()}@highline.example`;
  const id = await tenant.seeding.account(org, email, 'admin');
  const person = { id, email, bearer: await tenant.seeding.bearer(id) };
  await enter(page, person, '/dashboard');
  const card = page.getByRole('region', { name: 'Needs attention' });
  await expect(card).toContainText('Nothing needs attention.');

  const [silent, weak] = await tenant.routers(2, { org });
  const set = (columns: string, serial: string) =>
    tenant.owner.query(`update devices set ${columns} where serial = $1`, [serial]);
  await set(
    `vehicle_number = 'Bus 12', presence_since = now() - interval '2 hours', presence_reason = 'connection-lost', carrier = 'Verizon', cell_id = '77'`,
    silent!.serial,
  );
  await set(`presence = 'online'`, weak!.serial);
  await tenant.owner.query(
    `insert into router_contacts (router_id, last_contact_at, rssi, is_weak)
      select router_id, now(), -101, true from devices where serial = any ($1)`,
    [[weak!.serial]],
  );
  await tenant.owner.query(
    `insert into online_shares (organization_id, main_account_id, at, online, devices)
      select $1, $2, date_bin('5 minutes', now(), 'epoch') - i * interval '5 minutes', i, 2 from generate_series(0, 2) i
      on conflict (organization_id, at) do nothing`,
    [org.organizationId, tenant.main.mainAccountId],
  );
  await page.reload();
  await waitUntilLoaded(page);
  await expect(card).toContainText(/Bus 12 2 h ago · Connection lost · Verizon · cell 77/u);

  // The arrow keys and the pointer name the moments of the chart.
  const share = page.getByRole('region', { name: 'Devices online (%)' });
  const moments = share.getByRole('slider', { name: 'Devices online (%)' });
  await moments.focus();
  await page.keyboard.press('Home');
  await expect(moments).toHaveAttribute('aria-valuetext', /\d\d:\d\d:00: 100% \(2 of 2\)$/u);
  await page.keyboard.press('ArrowRight');
  await expect(share).toContainText('50% (1 of 2)');
  await share.getByRole('button', { name: '7 days' }).click();
  await expect(share.getByRole('button', { name: '7 days' })).toHaveAttribute('aria-pressed', 'true');
  await expect(moments).toHaveAttribute('aria-valuetext', /% \(/u);

  // The choice is stored, and each line opens its list.
  await card.getByLabel('Offline for more than').selectOption('6 hours');
  await expect(card).not.toContainText('Bus 12');
  await page.reload();
  await expect(card.getByLabel('Offline for more than')).toHaveValue('6h');
  await expect(card).not.toContainText('Bus 12');
  await card.getByLabel('Offline for more than').selectOption('1 hour');
  await card.getByRole('link', { name: '1 device offline for more than 1 hour' }).click();
  await expect(page).toHaveURL(/\/devices\/list\?offline=1h$/u);
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText(silent!.serial);
  await page.goBack();
  await card.getByRole('link', { name: '1 device with a weak signal' }).click();
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText(weak!.serial);
  await page.getByRole('button', { name: /Signal: Weak/u }).click();
  await expect(rows(page)).toHaveCount(2);
  await leave(page);

  // The main account finds the same vehicle among the devices of all its organizations (ATT-03).
  await enter(page, tenant.users.main, `/devices/orgList?offline=1h&org=${org.organizationId}`);
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText(silent!.serial);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Vehicle#' }).check();
  await page.keyboard.press('Escape');
  await expect(rows(page)).toContainText('Bus 12');
});
