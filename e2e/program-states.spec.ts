import { enter, expect, expectAccessible, leave, rows, test, waitUntilLoaded } from './fixtures.ts';

// What looks.spec.ts does not show of geofences and webhooks: while they load, when they fail, and while there is nothing.

test.use({ expectedNotes: [/the server responded with a status of 502/u] });

test('HKS-01-partial POS-05-partial geofences, webhooks and a log load, fail, are retried and are empty; who may not see them is led away', async ({
  page,
  tenant,
}) => {
  const org = await tenant.seeding.organization(tenant.main, `States ${tenant.mark}`);
  const email = `states-${tenant.mark.toLowerCase()}@highline.example`;
  const id = await tenant.seeding.account(org, email, 'admin');
  const bearer = await tenant.seeding.bearer(id);
  await enter(page, { id, email, bearer }, '/devices/list');
  const answer = await page.request.post(`${tenant.server.url}/data_manager/v1/dm/webhooks`, {
    headers: { authorization: `Bearer ${bearer}` },
    data: { name: 'Fleet bot', url: 'https://hooks.invalid/x', events: ['device.online'] },
  });
  const { result: webhook } = (await answer.json()) as { result: { id: string } };

  const screens = [
    { path: '/geofences', call: /\/dm\/geofences(?:\?|$)/u, shows: page.getByText('No geofences yet') },
    { path: '/webhooks', call: /\/dm\/webhooks\?/u, shows: rows(page).filter({ hasText: 'Fleet bot' }) },
    {
      path: `/webhooks/log?webhook=${webhook.id}`,
      call: /\/dm\/webhooks\/[^/]+\/deliveries\?/u,
      shows: page.getByText('No Records.'),
    },
  ];
  for (const { path, call, shows } of screens) {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(call, async (route) => {
      await released;
      await route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' });
    });
    await page.goto(path);
    await expect(page.locator('[aria-busy="true"]')).not.toHaveCount(0);
    await expect(shows).toHaveCount(0);
    await expectAccessible(page);
    release();
    await expect(page.getByRole('alert')).toContainText('The server is busy. Try again in a moment.');
    await expectAccessible(page);
    await page.unroute(call);
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(shows).toBeVisible();
    await waitUntilLoaded(page);
    await expectAccessible(page);
  }

  // A log that is not there, or is another organization's.
  await page.goto('/webhooks/log?webhook=019a0000-0000-7000-8000-000000000000');
  await expect(page.getByRole('alert')).toBeVisible();
  await leave(page);
  await enter(page, tenant.users.admin, `/webhooks/log?webhook=${webhook.id}`);
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page.getByText('Fleet bot')).toHaveCount(0);
  // The main account has no geofences of its own, and a user no webhooks.
  await leave(page);
  await enter(page, tenant.users.main, '/geofences');
  await expect(page).toHaveURL(/\/organization$/u);
  await leave(page);
  for (const path of ['/webhooks', `/webhooks/log?webhook=${webhook.id}`]) {
    await enter(page, tenant.users.user, path);
    await expect(page).toHaveURL(/\/dashboard$/u);
  }
});
