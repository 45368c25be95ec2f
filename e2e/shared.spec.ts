import type { Page, Request } from '@playwright/test';
import { enter, expect, rows, test } from './fixtures.ts';

const row = (page: Page, serial: string) => rows(page).filter({ hasText: serial });
const eventStream = '**/data_manager/v1/events*';

test('changes made while a page opens arrive with its stream, and nothing else is fetched again; seven visible windows of a browser share it', async ({
  page,
  tenant,
  request,
}) => {
  const alertCalls = /\/v1\/alerts\/count/u;
  let counts = 0;
  page.on('request', (sent) => (counts += alertCalls.test(sent.url()) ? 1 : 0));
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route(eventStream, async (route) => {
    await held;
    await route.continue();
  });
  await enter(page, tenant.users.admin, '/groups/list');
  await expect(page.getByText(/ · reconnecting/u)).toBeVisible();
  await expect.poll(() => counts).toBe(1);
  const headers = { authorization: `Bearer ${tenant.users.admin.bearer}` };
  const addGroup = async (name: string) => {
    const data = { name: `${name} ${tenant.mark}`, description: '', devices: [] };
    const response = await request.post(`${tenant.server.url}/data_manager/v1/dm/group`, { headers, data });
    expect(response.ok(), await response.text()).toBe(true);
  };
  await addGroup('Meanwhile');
  await expect(row(page, 'Meanwhile')).toHaveCount(0);
  release();
  await expect(row(page, 'Meanwhile')).toHaveCount(1);
  expect(counts).toBe(1);

  // A browser allows six connections to a server: with a stream each, no call of seven windows would be answered.
  const open: Request[] = [];
  page.context().on('request', (sent) => sent.url().includes('/v1/events') && open.push(sent));
  const windows = await Promise.all(Array.from({ length: 6 }, () => page.context().newPage()));
  for (const other of windows) await other.goto(page.url());
  await addGroup('Everywhere');
  for (const other of [page, ...windows]) await expect(row(other, 'Everywhere')).toHaveCount(1);
  expect(open).toEqual([]);
  // The window with the stream closes: another one goes on.
  await page.close();
  await addGroup('Afterwards');
  for (const other of windows) await expect(row(other, 'Afterwards')).toHaveCount(1);
  expect(open).toHaveLength(1);
});
