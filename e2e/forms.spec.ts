import type { Page } from '@playwright/test';
import { enter, expect, leave, rows, waitUntilLoaded, test, visit } from './fixtures.ts';
import type { Tenant } from './tenant.ts';

test.use({ timezoneId: 'UTC' });

// The common behaviour of all forms: Save waits for a change, failures are readable, and unsaved input is never lost without a warning.

const EID = '89049099990000000000000000000132';
const LEAVE = 'There are unsaved changes. Do you want to leaving?';
const SAVE_FIRST = 'There are unsaved changes. Do you want to save them before leaving?';

/** Answers of a server that fails, and which of their texts is the message. */
const shapes = [
  [{ error: 'first', data: 'no', message: 'no', reason: 'no' }, 'first'],
  [{ error: { message: 'second' }, data: 'no', message: 'no', reason: 'no' }, 'second'],
  [{ data: 'third', message: 'no', reason: 'no' }, 'third'],
  [{ message: 'fourth', reason: 'no' }, 'fourth'],
  [{ reason: 'fifth' }, 'fifth'],
] as const;

interface Form {
  readonly path: string;
  /** The label of its Save button. */
  readonly save: string;
  readonly change: (page: Page) => Promise<void>;
  /** The call that saves. */
  readonly call: string;
  readonly leaveQuestion: typeof LEAVE | typeof SAVE_FIRST;
  /** The failure after which OK leads to this list. */
  readonly gone?: readonly [key: string, list: string];
}

const fill = (label: string, text: string) => (page: Page) => page.getByRole('textbox', { name: label, exact: true }).fill(text);
const csv = { name: 'routers.csv', mimeType: 'text/csv', buffer: Buffer.from('SN,MAC\r\nx,y\r\n') };
const pick = (page: Page) => page.setInputFiles('input[type=file]', csv);
const byHand = async (page: Page) => {
  await page.getByLabel('Serial number').fill('E2E-UNKNOWN');
  await page.getByLabel('MAC address').fill('00B2D056C227');
  await page.getByLabel('Start Date').fill('01/01/2026');
  await page.getByLabel('Expiry Date').fill('12/31/2031');
};

/** An organization with one of everything that a form can be about. @param name distinguishes it from those of other tests */
async function formsOf(tenant: Tenant, name: string) {
  const org = await tenant.seeding.organization(tenant.main, `${name} ${tenant.mark}`);
  const person = async (role: 'admin' | 'user', who: string) => {
    const email = `${who}-${name.toLowerCase()}-${tenant.mark.toLowerCase()}@highline.example`;
    const id = await tenant.seeding.account(org, email, role);
    return { id, email, bearer: await tenant.seeding.bearer(id) };
  };
  const admin = await person('admin', 'ann');
  const user = await person('user', 'uma');
  const group = await tenant.seeding.group(org, 'Depot');
  const config = await tenant.seeding.config(org, { name: 'depot.cfg' });
  const [router] = await tenant.routers(1, { org });
  const esim = { serial: router!.serial, eid: EID, code: '1$dp.example$FORM', iccid: '', apn: 'fleet', apn2: '', name: 'Spare' };
  const profile = await tenant.seeding.esim(org, esim);
  const { rows: stored } = await tenant.owner.query<{ id: string }>('select id from devices where serial = $1', [router!.serial]);
  const device = stored[0]!.id;

  // Import waits for a row that passes the check.
  const row = `SN,EID,Activation Code,ICCID,APN1,APN2,NAME\r\n${router!.serial},${EID},1$dp.example$SECOND,,fleet,,\r\n`;
  const pickEsim = (page: Page) =>
    page.setInputFiles('input[type=file]', { name: 'esims.csv', mimeType: 'text/csv', buffer: Buffer.from(row) });

  const ofAdmin: readonly Form[] = [
    { path: '/groups/add', save: 'Save', change: fill('Group Name', 'North'), call: '**/dm/group', leaveQuestion: LEAVE },
    {
      path: `/groups/detail?group=${group}`,
      save: 'Save',
      change: fill('Description', 'changed'),
      call: '**/dm/group/*',
      leaveQuestion: LEAVE,
      gone: ['group.not_found', '/groups/list'],
    },
    { path: '/groups/configAdd', save: 'Upload', change: pick, call: '**/dm/config', leaveQuestion: SAVE_FIRST },
    {
      path: `/groups/configSetting?config=${config}`,
      save: 'Save',
      change: fill('Description', 'changed'),
      call: '**/dm/config/*',
      leaveQuestion: SAVE_FIRST,
      gone: ['config.not_found', '/groups/config'],
    },
    {
      path: `/devices/setting?device=${device}&tab=settings`,
      save: 'Save',
      change: fill('Notes', 'changed'),
      call: '**/dm/device',
      leaveQuestion: SAVE_FIRST,
      gone: ['not_found', '/devices/list'],
    },
    { path: '/devices/add?method=manual', save: 'Add', change: byHand, call: '**/dm/devices', leaveQuestion: SAVE_FIRST },
    { path: '/devices/add?method=import', save: 'Import', change: pick, call: '**/dm/devices/batch*', leaveQuestion: SAVE_FIRST },
    {
      path: '/devices/esimsAdd',
      save: 'Import',
      change: pickEsim,
      call: '**/dm/profile/batch*confirmed*',
      leaveQuestion: SAVE_FIRST,
    },
    {
      path: `/devices/esimsEdit?profile=${profile}`,
      save: 'Save',
      change: fill('eSIM name', 'changed'),
      call: '**/dm/profile/*',
      leaveQuestion: SAVE_FIRST,
    },
    {
      path: '/devices/service/noitify',
      save: 'Save',
      change: fill('Email', 'new@partner.example'),
      call: '**/notify/user',
      leaveQuestion: SAVE_FIRST,
    },
    {
      path: '/users/add',
      save: 'Add',
      change: async (page) => {
        await page.getByLabel('Username').fill('Nora');
        await page.getByLabel('Email').fill('nora@highline.example');
      },
      call: '**/vendorAccounts/',
      leaveQuestion: SAVE_FIRST,
    },
    {
      path: `/users/detail?user=${user.id}`,
      save: 'Save',
      change: fill('Username', 'changed'),
      call: `**/accounts/${user.id}`,
      leaveQuestion: SAVE_FIRST,
      gone: ['account.not_found', '/users'],
    },
  ];
  const ofMain: readonly Form[] = [
    {
      path: `/organization/setting?org=${org.organizationId}`,
      save: 'Save',
      change: fill('Phone', '+1 312 555 0199'),
      call: '**/services/*',
      leaveQuestion: SAVE_FIRST,
    },
    {
      path: `/organization/addUser?org=${org.organizationId}`,
      save: 'Add',
      change: async (page) => {
        await page.getByLabel('Username').fill('Rosa');
        await page.getByLabel('Email').fill('rosa@highline.example');
      },
      call: '**/vendorAccounts/',
      leaveQuestion: SAVE_FIRST,
    },
    {
      path: `/devices/setting?device=${device}&tab=settings`,
      save: 'Save',
      change: fill('Expiry Date', '12/31/2033'),
      call: '**/dm/device/subscription',
      leaveQuestion: SAVE_FIRST,
      gone: ['not_found', '/devices/orgList'],
    },
  ];
  return { org, admin, user, group, ofAdmin, ofMain };
}

/** The next saving call fails so; reading goes on. */
async function fails(page: Page, call: string, status: number, answer: object): Promise<void> {
  let hasFailed = false;
  await page.route(call, (route) => {
    if (hasFailed || route.request().method() === 'GET') return route.fallback();
    hasFailed = true;
    return route.fulfill({ status, json: answer });
  });
}

test('SHR-01 SHR-06 every Save waits for a change, every failure is shown in a dialog titled Error Message whose OK continues as required, and leaving warns', async ({
  page,
  tenant,
}) => {
  test.slow();
  const { admin, group, ofAdmin, ofMain } = await formsOf(tenant, 'Forms');
  const dialog = page.getByRole('alertdialog');
  const answer = (name: string) => dialog.getByRole('button', { name, exact: true }).click();
  const away = async () => {
    await page.getByRole('navigation').getByRole('link').first().click();
    await expect(dialog).toBeVisible();
  };
  for (const [person, forms] of [
    [admin, ofAdmin],
    [tenant.users.main, ofMain],
  ] as const) {
    await leave(page);
    await enter(page, person, '/');
    const home = new URL(page.url()).pathname;
    for (const [index, form] of forms.entries()) {
      await test.step(form.path, async () => {
        await visit(page, form.path);
        // The main account sees a device's other form too, to look at.
        const save = page.getByRole('button', { name: form.save, exact: true }).first();
        await expect(save).toHaveAttribute('aria-disabled', 'true');
        await form.change(page);
        await expect(save).not.toHaveAttribute('aria-disabled', 'true');

        const [shape, message] = shapes[index % shapes.length]!;
        // Imports report a 400 row by row (DEV-06, SIM-05).
        await fails(page, form.call, 409, shape);
        await save.click();
        await expect(dialog.getByRole('heading')).toHaveText('Error Message');
        await expect(dialog.locator('p').first()).toHaveText(message);
        await expect(dialog.getByRole('button')).toHaveText(['OK']);
        await answer('OK');
        await expect(dialog).toHaveCount(0);
        expect(page.url()).toContain(form.path);

        // Organizations and contacts start over after a failure (ORG-06); everything else is still typed.
        if (form.path.startsWith('/organization/')) await form.change(page);
        await away();
        await expect(dialog).toContainText(form.leaveQuestion);
        await expect(dialog.getByRole('button')).toHaveText(form.leaveQuestion === LEAVE ? ['No', 'Yes'] : ['Discard', 'Save']);
        await page.keyboard.press('Escape');
        await expect(dialog).toHaveCount(0);
        expect(page.url()).toContain(form.path);
        await expect(save).not.toHaveAttribute('aria-disabled', 'true');

        if (form.gone === undefined) {
          await away();
          await answer(form.leaveQuestion === LEAVE ? 'Yes' : 'Discard');
          await expect(page).toHaveURL((url) => url.pathname === home);
          return;
        }
        // The record of the page no longer exists: OK leads to its list, without a warning about unsaved changes.
        const [key, list] = form.gone;
        await fails(page, form.call, 404, { error: { key, message: 'It is gone.' } });
        await save.click();
        await expect(dialog.locator('p').first()).toHaveText('It is gone.');
        await answer('OK');
        await expect(page).toHaveURL((url) => url.pathname === list);
        await expect(dialog).toHaveCount(0);
      });
    }
  }

  // The main account's dialogs wait for input as well, and report failures in the same way.
  await page.goto('/firmware');
  await waitUntilLoaded(page);
  await page.getByRole('button', { name: 'Upload', exact: true }).first().click();
  const sheet = page.getByRole('dialog');
  const upload = sheet.getByRole('button', { name: 'Upload', exact: true });
  await expect(upload).toHaveAttribute('aria-disabled', 'true');
  await pick(page);
  await expect(upload).not.toHaveAttribute('aria-disabled', 'true');
  await page.goto('/inventory');
  await waitUntilLoaded(page);
  await page.getByRole('button', { name: 'Add router' }).click();
  const add = sheet.getByRole('button', { name: 'Add', exact: true });
  await expect(add).toHaveAttribute('aria-disabled', 'true');
  await sheet.getByLabel('Serial number').fill('E2E-FORM');
  await sheet.getByLabel('MAC address').fill('00B2D056C227');
  await expect(add).not.toHaveAttribute('aria-disabled', 'true');
  await fails(page, '**/dm/inventory', 409, { error: 'not now' });
  await add.click();
  await expect(dialog.locator('p').first()).toHaveText('not now');
  await answer('OK');
  await expect(sheet.getByLabel('Serial number')).toHaveValue('E2E-FORM');
  await page.goto('/colleagues');
  await waitUntilLoaded(page);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(add).toHaveAttribute('aria-disabled', 'true');
  await sheet.getByLabel('Name').fill('Kim Lee');
  await sheet.getByLabel('Email').fill('kim@highline.example');
  await fails(page, '**/colleagues/', 409, { error: 'not now' });
  await add.click();
  await expect(dialog.locator('p').first()).toHaveText('not now');
  await answer('OK');
  await expect(sheet.getByLabel('Name')).toHaveValue('Kim Lee');

  // A user who saves in order to leave reaches the target, and the change is saved; if saving fails, the user stays.
  await leave(page);
  await enter(page, admin, '/users/add');
  const email = `leaver-${tenant.mark.toLowerCase()}@highline.example`;
  await page.getByLabel('Username').fill('Lea');
  await away();
  await answer('Save');
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL(/\/users\/add$/u);
  await page.getByLabel('Email').fill(email);
  await away();
  await answer('Save');
  await expect(page).toHaveURL(/\/dashboard$/u);
  expect((await tenant.owner.query('select name from accounts where email = $1', [email])).rows).toEqual([{ name: 'Lea' }]);

  // The same without a dialog in between: the group is deleted while its page is open.
  await page.route('**/data_manager/v1/events*', (route) => route.abort());
  await page.goto(`/groups/detail?group=${group}`);
  await waitUntilLoaded(page);
  await page.getByLabel('Description').fill('too late');
  await tenant.owner.query('delete from groups where key = $1', [group]);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog).toContainText('This group does not exist.');
  await answer('OK');
  await expect(page).toHaveURL(/\/groups\/list(\?|$)/u);

  // The devices of a group: Save waits until one was moved.
  await page.goto('/groups/add');
  await waitUntilLoaded(page);
  await page.getByRole('button', { name: 'Devices Edit' }).click();
  await expect(sheet.getByRole('button', { name: 'Save', exact: true })).toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);

  // A message has OK alone, and a confirmation Yes and No: Yes goes on, No stays.
  await page.goto('/logs');
  await waitUntilLoaded(page);
  await rows(page).first().getByRole('button').first().click();
  await expect(dialog.getByRole('button')).toHaveText(['OK']);
  await answer('OK');
  await expect(dialog).toHaveCount(0);
  await page.goto('/groups/add');
  await page.getByLabel('Group Name').fill('x');
  await away();
  await answer('No');
  await expect(page.getByLabel('Group Name')).toHaveValue('x');
  await away();
  await answer('Yes');
  await expect(page).toHaveURL(/\/dashboard$/u);
});

test('SHR-06-partial a form is no longer dirty once the server has saved it: leaving while the page loads again does not ask', async ({
  page,
  tenant,
}) => {
  const { admin, ofAdmin, ofMain } = await formsOf(tenant, 'Saved');
  const saved = (forms: readonly Form[], start: string) => forms.find(({ path }) => path.startsWith(start))!;
  const dialog = page.getByRole('alertdialog');
  for (const [person, { path, save, change }] of [
    [admin, saved(ofAdmin, '/users/detail')],
    [admin, saved(ofAdmin, '/devices/setting')],
    [admin, saved(ofAdmin, '/groups/configSetting')],
    [tenant.users.main, saved(ofMain, '/organization/setting')],
    [tenant.users.main, saved(ofMain, '/devices/setting')],
  ] as const) {
    await test.step(`${path} of ${person.email}`, async () => {
      await leave(page);
      await enter(page, person, path);
      await change(page);
      // What the page loads after the save stays on its way until the form was left.
      const { promise: left, resolve: release } = Promise.withResolvers<void>();
      await page.route(
        (url) => url.pathname.startsWith('/data_manager/v1/') || url.pathname.includes('/accounts'),
        async (route) => {
          if (route.request().method() === 'GET') await left;
          await route.fallback();
        },
      );
      await page.getByRole('button', { name: save, exact: true }).first().click();
      await expect(page.getByText('Edit success')).toBeVisible();
      await page.getByRole('navigation').getByRole('link').first().click();
      await expect(page).not.toHaveURL((url) => url.pathname === path.split('?')[0]);
      await expect(dialog).toHaveCount(0);
      release();
      await page.unrouteAll({ behavior: 'wait' });
    });
  }
});

test('SHR-09 forms and lists speak in the generic texts, and numbers have at most 10 decimals', async ({ page, tenant }) => {
  const org = await tenant.seeding.organization(tenant.main, `Texts ${tenant.mark}`);
  const id = await tenant.seeding.account(org, `texts-${tenant.mark.toLowerCase()}@highline.example`, 'admin');
  const config = await tenant.seeding.config(org, { name: 'depot.cfg' });
  await tenant.seeding.group(org, 'Depot');
  const [router] = await tenant.routers(1, { org });
  const { rows: found } = await tenant.owner.query<{ router_id: string }>('select router_id from devices where serial = $1', [
    router!.serial,
  ]);
  await tenant.owner.query("update router_ownership set owned_from = now() - interval '2 days' where router_id = $1", [
    found[0]!.router_id,
  ]);
  await tenant.owner.query("select ensure_partitions((now() - interval '1 day')::date, (now() + interval '1 day')::date)");
  await tenant.owner.query(
    'insert into telemetry (router_id, at, parameter, value) values ($1, now(), 5, $2), ($1, now(), 5, $3)',
    [found[0]!.router_id, 0.1 + 0.2, 1 / 3],
  );
  const save = page.getByRole('button', { name: 'Save', exact: true });
  const add = page.getByRole('button', { name: 'Add', exact: true });

  await enter(page, { id, email: '', bearer: await tenant.seeding.bearer(id) }, '/devices/add?method=manual');
  await page.getByLabel('MAC address').fill('00B2D0');
  await add.click();
  await expect(page.getByText('Please enter the Serial number', { exact: true })).toBeVisible();
  await expect(page.getByText('Invalid MAC address format', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(page).toHaveURL(/\/devices\/list/u);

  await page.goto('/groups/add');
  const name = page.getByRole('textbox', { name: 'Group Name', exact: true });
  await name.fill('Depot');
  await save.click();
  await expect(page.getByText('Group Name already exists', { exact: true })).toBeVisible();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await name.fill('North');
  await expect(page.getByText('Group Name already exists')).toHaveCount(0);
  await save.click();
  await expect(page.getByText('Group Save Success', { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/\/groups\/list/u);

  await page.goto(`/groups/configSetting?config=${config}`);
  await page.getByRole('textbox', { name: 'Description', exact: true }).fill('of the depot');
  await save.click();
  await expect(page.getByText('Edit success', { exact: true })).toBeVisible();
  await page.goto('/groups/config');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await rows(page).first().getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Delete(1)', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('Delete Success', { exact: true })).toBeVisible();

  await page.goto('/reports/analysis?group=default%2Bgroup%2Bid&property=online&condition=more&value=1');
  await waitUntilLoaded(page);
  await page
    .getByRole('group', { name: 'Draw a chart' })
    .getByRole('button', { name: /^Devices/u })
    .click();
  await expect(page.getByText('Condition Error', { exact: true })).toBeVisible();
  await page.goto('/reports/list/record?day=week&property=voltage');
  await waitUntilLoaded(page);
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).getByText('0.3 V', { exact: true })).toBeVisible();
  await expect(rows(page).getByText('0.3333333333 V', { exact: true })).toBeVisible();
});
