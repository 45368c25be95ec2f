import { createHash, randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { createBinding } from '@highline/testkit/seeding';
import {
  enter,
  expect,
  expectAccessible,
  expectStill,
  leave,
  rows,
  RULES_OF_LOOKS,
  TAKES_PICTURES,
  waitUntilLoaded,
  test,
  visit,
} from './fixtures.ts';
import type { Tenant } from './tenant.ts';

// A screen is looked at twice, wide and narrow, light and dark: the console follows its window as it changes. In English each
// screen is loaded by its address, in Chinese it is opened within the console. All rules examine the first look, and those that can
// depend on the look examine each.
const looks = [
  { language: 'en-US', views: [view('light', 1440), view('dark', 390)] },
  { language: 'zh-TW', views: [view('dark', 1440), view('light', 390)] },
] as const;

function view(scheme: 'light' | 'dark', width: number) {
  return { name: `${scheme}-${width}`, scheme, width };
}

/** @returns the secret of an invitation */
async function invite({ owner, users }: Tenant, language: string): Promise<string> {
  const secret = randomUUID();
  await owner.query(
    `insert into mailed_links (secret_hash, account_id, purpose, expires_at, inviter)
      values ($1, $2, 'invitation', now() + interval '1 day', $3)`,
    [createHash('sha256').update(secret).digest(), users.user.id, language === 'zh-TW' ? '王小明' : 'Dana'],
  );
  return secret;
}

/** Screens with elements that only a narrow window has: the frame, filters, and lists with other columns. The others are the same elements. */
const otherWhenNarrow: ReadonlySet<string> = new Set(['sign-in', 'dashboard', 'devices', 'alerts', 'org-devices']);

function rulesFor(language: string, width: number, name: string) {
  return language === 'en-US' && (width === 1440 || otherWhenNarrow.has(name)) ? undefined : RULES_OF_LOOKS;
}

// The longest tests: each runs on the next free worker.
test.describe.configure({ mode: 'parallel' });

/** The page itself never scrolls sideways; only its table may. A drawing follows a new width by and by. */
async function expectNoOverflow(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth))
    .toBeLessThanOrEqual(0);
}

/** A signal strength each ten minutes of the last day, so that there is a chart to look at. */
async function measured(tenant: Tenant, serial: string): Promise<void> {
  await tenant.owner.query("select ensure_partitions((now() - interval '2 days')::date, (now() + interval '1 day')::date)");
  await tenant.owner.query(
    `with router as (
       update router_ownership set owned_from = now() - interval '1 day'
       where router_id = (select router_id from devices where serial = $1) returning router_id
     )
     insert into telemetry (router_id, at, parameter, value)
     select router_id, now() - n * interval '10 minutes', 1, -60 - n * 7 % 23 from router, generate_series(0, 143) n`,
    [serial],
  );
}

/** A webhook whose log has its own creation, and a geofence. @returns the webhook */
async function addWebhookAndGeofence(page: Page, tenant: Tenant, name: string): Promise<string> {
  const add = async (path: string, data: object) => {
    const headers = { authorization: `Bearer ${tenant.users.admin.bearer}` };
    const answer = await page.request.post(`${tenant.server.url}/data_manager/v1/dm/${path}`, { headers, data });
    expect(answer.ok()).toBe(true);
    return ((await answer.json()) as { result: { id: string } }).result.id;
  };
  const shape = { kind: 'circle', latitude: 41.98, longitude: -87.69, radius: 400 };
  await add('geofences', { name, shape });
  return add('webhooks', { name, url: 'https://hooks.invalid/x', events: ['log.entry'] });
}

for (const { language, views } of looks) {
  const look = language.slice(0, 2);
  test(`every screen in ${views.map(({ name }) => name).join(' and ')}: accessible and within its width`, async ({
    browser,
    tenant,
  }) => {
    test.setTimeout(400_000);
    const group = await tenant.seeding.group(tenant.org, `North depot ${look}`);
    const [router] = await tenant.routers(1, { group });
    const fleet = tenant.fleet([router!]);
    await fleet.whenAllConnected();
    await createBinding(tenant.owner, tenant.org, { group, kind: 'firmware', label: `8.0.${look}`, schedule: 'bootup' });
    await tenant.seeding.firmware(tenant.main, {
      version: `8.1.${look}`,
      model: 'HL-R520 5G',
      note: 'Faster start.\\nFewer drops.',
    });
    const config = await tenant.seeding.config(tenant.org, { name: `depot-${look}.cfg`, note: 'Evening buses' });
    const { rows: stored } = await tenant.owner.query<{ id: string }>('select id from devices where serial = $1', [
      router!.serial,
    ]);
    const context = await browser.newContext({ baseURL: tenant.server.url, reducedMotion: 'reduce' });
    await context.addInitScript((chosen) => localStorage.setItem('highline.language', chosen), language);
    const page = await context.newPage();
    const order = [...views];
    const examine = async (name: string) => {
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      for (const { name: as, scheme, width } of order) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme: scheme });
        await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', scheme);
        await expectStill(page);
        await expectNoOverflow(page);
        await expectAccessible(page, rulesFor(language, width, name));
        if (TAKES_PICTURES) await page.screenshot({ path: `test-results/screens/${name}-${as}.png` });
      }
      // The next one is loaded as this one was seen last, so that screens are loaded in both.
      order.reverse();
    };
    const show = async (path: string, name: string) => {
      const isWithin = language === 'zh-TW' && (await page.getByRole('dialog').or(page.getByRole('alertdialog')).count()) === 0;
      if (isWithin) await visit(page, path);
      else await page.goto(path);
      await waitUntilLoaded(page);
      await examine(name);
    };
    const press = (name: RegExp) => page.getByRole('button', { name }).click();
    const signInPages = {
      'sign-in': '',
      invitation: `?invitation=${await invite(tenant, language)}`,
      'change-password': '?change=ann@highline.example',
      'set-up': '?setup=x',
    };
    for (const [name, query] of Object.entries(signInPages)) {
      await page.goto(`/account.html${query}`);
      await expect(page.locator('input[type=password]').first()).toBeVisible();
      await examine(name);
    }
    await page.goto('/account.html?invitation=x');
    await expect(page.getByRole('alert')).toBeVisible();
    await examine('invitation-expired');
    await measured(tenant, router!.serial);
    await enter(page, tenant.users.admin, '/logs');
    await show('/logs', 'logs');
    await show('/reports/list/record', 'reports');
    await show('/usage', 'usage');
    await show('/coverage?tab=vehicles', 'coverage');
    const webhook = await addWebhookAndGeofence(page, tenant, `North depot ${look}`);
    await show('/geofences', 'geofences');
    await show('/webhooks', 'webhooks');
    await show(`/webhooks/log?webhook=${webhook}`, 'webhook-log');
    await expect(rows(page).first()).toContainText('log.entry');
    await page.goto(`/reports/analysis?group=${group}&property=rssi&charts=average.device`);
    await expect(page.locator('.vega svg g[class*="mark-"] path').first()).toBeAttached();
    await examine('analysis');
    await page
      .getByRole('button', { name: /Pin to dashboard|釘選到總覽/u })
      .first()
      .click();
    await expect(page.getByText(/^(?:Pinned|已釘選)$/u)).toBeVisible();
    await page.goto('/dashboard');
    await expect(page.locator('.chart').locator('.time-chart__line, .amounts').first()).toBeAttached();
    await waitUntilLoaded(page);
    await examine('dashboard');
    await show('/devices/list?size=10', 'devices');
    await show(`/devices/setting?device=${stored[0]!.id}`, 'device');
    await page
      .locator('.page-header')
      .getByRole('button', { name: /Connect|連線/u })
      .click();
    await page.getByRole('radio').first().check();
    await examine('connect');
    await press(/^(?:Next|下一步)$/u);
    await expect(page.getByRole('timer')).toBeVisible();
    await examine('credentials');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await examine('credentials-close');
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: /^(?:Close|關閉)$/u })
      .click();
    await press(/^(?:Cancel Connection|取消連線)$/u);
    await expect(page.getByRole('button', { name: /^(?:Cancel Connection|取消連線)$/u })).toHaveCount(0);
    await show('/devices/add?method=manual', 'device-add');
    await show('/devices/add?method=import', 'device-import');
    const [eid] = await tenant.eids([router!.serial]);
    const esim = { serial: router!.serial, eid: eid!, iccid: '', apn: 'fleet.example', apn2: '' };
    const profile = await tenant.seeding.esim(tenant.org, { ...esim, code: '1$smdp.example.com$LOOK', name: 'Spare' });
    await show('/devices/esimsList?size=10', 'esims');
    await show(`/devices/esimsEdit?profile=${profile}`, 'esim-cards');
    await press(/^(?:Delete|刪除) Spare$/u);
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await examine('esim-delete');
    await show('/devices/esimsAdd', 'esim-import');
    const csv =
      'SN,EID,Activation Code,ICCID,APN1,APN2,NAME\r\nNO-1,89049032000000000000000000000001,1$dp.example$N,,fleet,,\r\n';
    await page.setInputFiles('input[type=file]', { name: 'esims.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await press(/^(?:Import|匯入)$/u);
    await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(1);
    await examine('esim-result');
    await show('/devices/esimsAdd?method=manual', 'esim-add');
    await show('/groups/firmwares', 'firmware');
    await show('/groups/config', 'configs');
    await show('/groups/configAdd', 'config-add');
    await show(`/groups/configSetting?config=${config}`, 'config');
    await show('/alerts', 'alerts');
    await show('/alerts/rules', 'alert-rules');
    await show('/groups/list', 'groups');
    await show('/groups/add', 'group-add');
    await show(`/groups/detail?group=${group}`, 'group');
    await page.locator('.devices-field button').click();
    await waitUntilLoaded(page);
    await examine('group-devices');
    await show('/devices/service', 'service');
    await show('/devices/service/noitify', 'notifications');
    await show('/users?size=10', 'users');
    await show('/users/add', 'user-add');
    await show(`/users/detail?user=${tenant.users.user.id}`, 'user-detail');
    await show('/profile', 'profile');
    await show('/reports/analysis?group=default%2Bgroup%2Bid&property=online&charts=device.piechart', 'analysis-empty');
    await leave(page);
    await enter(page, tenant.users.main, '/organization');
    await show('/organization', 'organizations');
    await show(`/organization/setting?org=${tenant.org.organizationId}`, 'organization-setting');
    await show(`/organization/addUser?org=${tenant.org.organizationId}`, 'organization-contact');
    await show('/organization/add', 'organization-add');
    await show('/devices/orgList?size=10', 'org-devices');
    await show(`/devices/setting?device=${stored[0]!.id}`, 'device-main');
    await show('/inventory', 'inventory');
    await show('/firmware', 'catalogue');
    await page.getByRole('button', { name: /Upload|上傳/u }).click();
    await examine('firmware-upload');
    await show('/colleagues', 'colleagues');
    await press(/^(?:Add|新增)$/u);
    await examine('colleague-add');
    await context.close();
  });
}
