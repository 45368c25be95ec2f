import { createHash, randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { createBinding } from '@highline/testkit/seeding';
import { chooseLooks, describeChoice, first, type Look, looksOf } from '../scripts/looks.ts';
import {
  enter,
  expect,
  expectAccessible,
  expectStill,
  leave,
  rows,
  RULES_OF_LOOKS,
  TAKES_PICTURES,
  test as base,
  visit,
  waitUntilLoaded,
} from './fixtures.ts';
import { expectPicture, packWritten, withSteadyPixels } from './pictures.ts';
import type { Tenant } from './tenant.ts';
import { used } from './usage.ts';

// Each screen and what opens on it, in the looks that scripts/looks.ts chooses. All tests of a worker share one page: a context and a
// session of its own for each would cost more than the look.

/** What the screens show. */
interface World {
  readonly tenant: Tenant;
  readonly device: string;
  readonly group: string;
  readonly config: string;
  readonly webhook: string;
  /** The secret of an invitation. */
  readonly invitation: string;
  readonly profile: string;
}

interface Screen {
  readonly name: string;
  readonly who: 'none' | 'admin' | 'main';
  readonly path: (world: World) => string;
  /** Before the page is opened. */
  readonly prepare?: (page: Page) => Promise<unknown>;
  /** Open what is looked at, on the loaded page. */
  readonly act?: (page: Page) => Promise<unknown>;
  /** Leave nothing open that another screen would show. */
  readonly end?: (page: Page) => Promise<unknown>;
}

const press = (page: Page, name: RegExp) => page.getByRole('button', { name }).first().click();
const closed = (name: string, query: (world: World) => string = () => ''): Screen => ({
  name,
  who: 'none',
  path: (world) => `/account.html${query(world)}`,
  act: (page) => expect(page.locator('input[type=password]').first()).toBeVisible(),
});
const admin = (name: string, path: string | ((world: World) => string), more: Partial<Screen> = {}): Screen => ({
  name,
  who: 'admin',
  path: typeof path === 'string' ? () => path : path,
  ...more,
});
const main = (name: string, path: string | ((world: World) => string), act?: Screen['act']): Screen => ({
  ...admin(name, path, act === undefined ? {} : { act }),
  who: 'main',
});

async function connect(page: Page): Promise<void> {
  await page
    .locator('.page-header')
    .getByRole('button', { name: /Connect|連線/u })
    .click();
  await page.getByRole('radio').first().check();
}

async function showCredentials(page: Page): Promise<void> {
  await connect(page);
  await press(page, /^(?:Next|下一步)$/u);
  await expect(page.getByRole('timer')).toBeVisible();
}

async function closeCredentials(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alertdialog')).toBeVisible();
}

async function cancelConnection(page: Page): Promise<void> {
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^(?:Close|關閉)$/u })
    .click();
  await press(page, /^(?:Cancel Connection|取消連線)$/u);
  await expect(page.getByRole('button', { name: /^(?:Cancel Connection|取消連線)$/u })).toHaveCount(0);
}

async function importRejected(page: Page): Promise<void> {
  const csv = 'SN,EID,Activation Code,ICCID,APN1,APN2,NAME\r\nNO-1,89049032000000000000000000000001,1$dp.example$N,,fleet,,\r\n';
  await page.setInputFiles('input[type=file]', { name: 'esims.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await press(page, /^(?:Import|匯入)$/u);
  await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(1);
}

const chart = (page: Page) => expect(page.locator('.vega svg g[class*="mark-"] path').first()).toBeAttached();
const device = ({ device: id }: World) => `/devices/setting?device=${id}`;

const screens: readonly Screen[] = [
  closed('sign-in'),
  closed('invitation', ({ invitation }) => `?invitation=${invitation}`),
  {
    ...closed('invitation-expired', () => '?invitation=x'),
    act: (page) => expect(page.getByRole('alert')).toBeVisible(),
  },
  closed('change-password', () => '?change=ann@highline.example'),
  closed('set-up', () => '?setup=x'),
  admin('logs', '/logs'),
  admin('reports', '/reports/list/record'),
  admin('usage', '/usage'),
  admin('coverage', '/coverage?tab=vehicles'),
  // Without the map itself: to draw it in software costs as much as ten screens, and map-fleet.spec.ts draws it.
  admin('map', '/map', {
    prepare: (page) => page.route(/\/assets\/VehicleMap-/u, () => undefined),
    act: (page) => expect(page.locator('.vehicle-list__item').first()).toBeVisible(),
  }),
  admin('geofences', '/geofences'),
  admin('webhooks', '/webhooks'),
  admin('webhook-log', ({ webhook }) => `/webhooks/log?webhook=${webhook}`, {
    act: (page) => expect(rows(page).first()).toContainText('log.entry'),
  }),
  admin('analysis', ({ group }) => `/reports/analysis?group=${group}&property=rssi&charts=average.device`, { act: chart }),
  admin('analysis-empty', '/reports/analysis?group=default%2Bgroup%2Bid&property=online&charts=device.piechart'),
  admin('dashboard', '/dashboard', {
    act: (page) => expect(page.locator('.chart .amounts').first()).toBeAttached(),
  }),
  admin('devices', '/devices/list?size=10'),
  admin('device', device),
  admin('connect', device, { act: connect }),
  admin('credentials', device, {
    act: showCredentials,
    end: async (page) => {
      await closeCredentials(page);
      await cancelConnection(page);
    },
  }),
  admin('credentials-close', device, {
    act: async (page) => {
      await showCredentials(page);
      await closeCredentials(page);
    },
    end: cancelConnection,
  }),
  admin('device-add', '/devices/add?method=manual'),
  admin('device-import', '/devices/add?method=import'),
  admin('esims', '/devices/esimsList?size=10'),
  admin('esim-cards', ({ profile }) => `/devices/esimsEdit?profile=${profile}`),
  admin('esim-delete', ({ profile }) => `/devices/esimsEdit?profile=${profile}`, {
    act: async (page) => {
      await press(page, /^(?:Delete|刪除) Spare$/u);
      await expect(page.getByRole('alertdialog')).toBeVisible();
    },
  }),
  admin('esim-import', '/devices/esimsAdd'),
  admin('esim-result', '/devices/esimsAdd', { act: importRejected }),
  admin('esim-add', '/devices/esimsAdd?method=manual'),
  admin('firmware', '/groups/firmwares'),
  admin('configs', '/groups/config'),
  admin('config-add', '/groups/configAdd'),
  admin('config', ({ config }) => `/groups/configSetting?config=${config}`),
  admin('alerts', '/alerts'),
  admin('alert-rules', '/alerts/rules'),
  admin('groups', '/groups/list'),
  admin('group-add', '/groups/add'),
  admin('group', ({ group }) => `/groups/detail?group=${group}`),
  admin('group-devices', ({ group }) => `/groups/detail?group=${group}`, {
    act: async (page) => {
      await page.locator('.devices-field button').click();
      await waitUntilLoaded(page);
    },
  }),
  admin('service', '/devices/service'),
  admin('notifications', '/devices/service/noitify'),
  admin('users', '/users?size=10'),
  admin('user-add', '/users/add'),
  admin('user-detail', ({ tenant }) => `/users/detail?user=${tenant.users.user.id}`),
  admin('profile', '/profile'),
  main('organizations', '/organization'),
  main('organization-setting', ({ tenant }) => `/organization/setting?org=${tenant.org.organizationId}`),
  main('organization-contact', ({ tenant }) => `/organization/addUser?org=${tenant.org.organizationId}`),
  main('organization-add', '/organization/add'),
  main('org-devices', '/devices/orgList?size=10'),
  main('device-main', device),
  main('inventory', '/inventory'),
  main('catalogue', '/firmware'),
  main('firmware-upload', '/firmware', (page) => press(page, /Upload|上傳/u)),
  main('colleagues', '/colleagues'),
  main('colleague-add', '/colleagues', (page) => press(page, /^(?:Add|新增)$/u)),
];

/** Screens with elements that only a narrow window has: the frame, filters, and lists with other columns. The others are the same elements. */
const otherWhenNarrow: ReadonlySet<string> = new Set(['sign-in', 'dashboard', 'devices', 'alerts', 'org-devices']);

/** The twelve main screens: their pictures are compared, in the first look. */
const pictured: ReadonlySet<string> = new Set([
  'dashboard',
  'devices',
  'device',
  'groups',
  'group',
  'map',
  'alerts',
  'usage',
  'esims',
  'users',
  'logs',
  'reports',
]);

/** All rules examine the elements of a screen once; in other looks, those that can depend on it. */
function rulesFor(screen: string, { language, width }: Look) {
  return language === 'en-US' && (width === 1440 || otherWhenNarrow.has(screen)) ? undefined : RULES_OF_LOOKS;
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

/** @returns the secret of an invitation */
async function invite({ owner, users }: Tenant): Promise<string> {
  const secret = randomUUID();
  await owner.query(
    `insert into mailed_links (secret_hash, account_id, purpose, expires_at, inviter)
      values ($1, $2, 'invitation', now() + interval '1 day', '王小明')`,
    [createHash('sha256').update(secret).digest(), users.user.id],
  );
  return secret;
}

/** A fleet of one router with something on each screen, and a chart of its admin's overview. */
async function createWorld(tenant: Tenant): Promise<World> {
  const group = await tenant.seeding.group(tenant.org, 'North depot');
  const [router] = await tenant.routers(1, { group });
  const { serial } = router!;
  await tenant.fleet([router!]).whenAllConnected();
  await measured(tenant, serial);
  await createBinding(tenant.owner, tenant.org, { group, kind: 'firmware', label: '8.0.0', schedule: 'bootup' });
  const note = 'Faster start.\\nFewer drops.';
  await tenant.seeding.firmware(tenant.main, { version: `8.1.${tenant.mark}`, model: 'HL-R520 5G', note });
  const config = await tenant.seeding.config(tenant.org, { name: 'depot.cfg', note: 'Evening buses' });
  const deviceOf = async () =>
    (await tenant.owner.query<{ id: string; iccid: string }>('select id, iccid from devices where serial = $1', [serial]))
      .rows[0]!;
  await expect.poll(async () => (await deviceOf()).iccid).toMatch(/^\d/u);
  const { id: stored, iccid } = await deviceOf();
  // So much that what the router itself counts does not show.
  await used(tenant, serial, iccid, 0, 20_000_000_000, 30_000_000_000);
  const add = async (path: string, data: object): Promise<string> => {
    const response = await fetch(`${tenant.server.url}/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.users.admin.bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify(data),
    });
    expect(response.ok).toBe(true);
    return ((await response.json()) as { result: { id: string } }).result.id;
  };
  const shape = { kind: 'circle', latitude: 41.98, longitude: -87.69, radius: 400 };
  await add('data_manager/v1/dm/geofences', { name: 'North depot', shape });
  const hook = { name: 'North depot', url: 'https://hooks.invalid/x', events: ['log.entry'] };
  const webhook = await add('data_manager/v1/dm/webhooks', hook);
  await add('vega_lite_manager/api/v1/store_draw', {
    spec: { mark: 'bar' },
    api: { chartType: 'device', arguments: { groupId: group, propertyId: 'rssi' } },
    content: { mark: 'bar', title: 'Signal by device', argsLabel: ['Today', 'North depot'] },
  });
  await expect.poll(() => tenant.eids([serial])).not.toContain('');
  const [eid] = await tenant.eids([serial]);
  const esim = { serial, eid: eid!, iccid: '', apn: 'fleet.example', apn2: '' };
  const profile = await tenant.seeding.esim(tenant.org, { ...esim, code: '1$smdp.example.com$LOOK', name: 'Spare' });
  await tenant.owner.query(
    `insert into online_shares (organization_id, main_account_id, at, online, devices)
     values ($1, $2, date_trunc('minute', now()) - interval '5 minutes', 1, 1)`,
    [tenant.org.organizationId, tenant.main.mainAccountId],
  );
  // What is under way ends before it is looked at.
  const ends = `select t.state, e.status from rollout_targets t join esim_profiles e using (organization_id) where organization_id = $1`;
  await expect
    .poll(async () => (await tenant.owner.query(ends, [tenant.org.organizationId])).rows)
    .toEqual([{ state: 'failed', status: 'Activated' }]);
  return { tenant, device: stored, group, config, webhook, profile, invitation: await invite(tenant) };
}

/** Shows screens on the page of a worker, which stays signed in, and stays where it is for another look at the same elements. */
interface Stage {
  readonly page: Page;
  readonly world: World;
  show(screen: Screen, look: Look): Promise<void>;
}

function createStage(page: Page, world: World): Stage {
  let shown: { readonly screen: Screen; readonly language: Look['language'] } | undefined;
  const open = async (screen: Screen, language: Look['language']) => {
    const path = screen.path(world);
    await shown?.screen.end?.(page);
    await screen.prepare?.(page);
    if (shown?.screen.who !== screen.who || shown.language !== language) {
      await leave(page);
      await page.goto('/mark.svg');
      await page.evaluate((chosen) => localStorage.setItem('highline.language', chosen), language);
      await (screen.who === 'none' ? page.goto(path) : enter(page, world.tenant.users[screen.who], path));
      // In English each screen is loaded by its address, with its own files only; in Chinese it is opened within the console.
    } else if (language === 'zh-TW' && screen.who !== 'none' && (await page.locator('dialog[open]').count()) === 0)
      await visit(page, path);
    else await page.goto(path);
    await waitUntilLoaded(page);
    await screen.act?.(page);
    shown = { screen, language };
  };
  return {
    page,
    world,
    async show(screen, { language, scheme, width }) {
      if (shown?.screen !== screen || shown.language !== language) await open(screen, language);
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: scheme });
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      await expect(page.locator('html')).toHaveAttribute('data-scheme', scheme);
      await expectStill(page);
    },
  };
}

const choice = chooseLooks();

const test = base.extend<object, { stage: Stage }>({
  stage: [
    async ({ browser, tenants }, use) => {
      process.stderr.write(`${describeChoice(choice)}\n`);
      const tenant = await tenants.of(import.meta.filename);
      const context = await browser.newContext({
        baseURL: tenant.server.url,
        reducedMotion: 'reduce',
        locale: 'en-US',
        timezoneId: 'America/Chicago',
      });
      await use(createStage(await context.newPage(), await createWorld(tenant)));
      await context.close();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  page: async ({ stage }, use) => {
    await use(stage.page);
    // Those that watched this test.
    stage.page.removeAllListeners('pageerror');
    stage.page.removeAllListeners('console');
  },
});

test.use({ ...withSteadyPixels, expectedNotes: [/WebGL|webgl/u] });
packWritten();

// The first language as a whole, then the second: the page changes its language and its users as seldom as possible.
for (const language of ['en-US', 'zh-TW'])
  for (const screen of screens)
    for (const look of looksOf(screen.name, choice).filter((each) => each.language === language))
      test(`${screen.name} in ${look.name} is accessible and within its width`, async ({ page, stage }) => {
        await stage.show(screen, look);
        // The page itself never scrolls sideways; only its table may. A drawing follows a new width by and by.
        await expect
          .poll(() => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth))
          .toBeLessThanOrEqual(0);
        await expectAccessible(page, rulesFor(screen.name, look));
        if (look === first && pictured.has(screen.name)) await expectPicture(page, screen.name, stage.world.tenant.mark);
        const file = `${screen.name}-${look.name.replaceAll(/[, ]+/gu, '-')}`;
        if (TAKES_PICTURES) await page.screenshot({ path: `test-results/screens/${file}.png` });
      });
