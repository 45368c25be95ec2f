import { enter, expect, expectAccessible, rows, test } from './fixtures.ts';
import { PASSWORD, serverUnderTest } from './tenant.ts';

/** A call of the directory, from elsewhere. */
async function callAs(secret: string, method: string, path: string, body?: object): Promise<{ status: number; id: string }> {
  const response = await fetch(`${serverUnderTest().url}/scim/v2${path}`, {
    method,
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/scim+json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { id = '' } = (await response.json()) as { id?: string };
  return { status: response.status, id };
}

test('IAM-02 an admin connects the directory, which adds a person and deactivates one who is at work', async ({
  page,
  browser,
  tenant,
}) => {
  const leaver = await tenant.person('user', PASSWORD);
  const other = await browser.newContext();
  const atWork = await other.newPage();
  await enter(atWork, leaver, `${serverUnderTest().url}/devices`);

  await enter(page, tenant.users.admin, '/identity-providers');
  await page.getByRole('link', { name: 'Directory' }).click();
  await expect(page.getByRole('heading', { name: 'Directory', level: 1 })).toBeVisible();
  await page.getByRole('button', { name: 'Make a secret' }).click();
  const form = page.getByRole('dialog', { name: 'New secret' });
  await form.getByLabel('Name').fill('Entra ID');
  await form.getByRole('button', { name: 'Make' }).click();
  const shown = page.getByRole('dialog', { name: 'The secret of your directory' });
  const secret = (await shown.getByText(/^hls_/u).textContent()) ?? '';
  await shown.getByRole('button', { name: 'Copy' }).click();
  await shown.getByRole('button', { name: 'Done' }).click();
  await expectAccessible(page);

  const email = `nia-${tenant.mark.toLowerCase()}@highline.example`;
  expect((await callAs(secret, 'POST', '/Users', { userName: email, displayName: 'Nia New' })).status).toBe(201);
  const group = await callAs(secret, 'POST', '/Groups', { displayName: 'Fleet admins' });
  expect(group.status).toBe(201);
  const off = { Operations: [{ op: 'Replace', path: 'active', value: 'False' }] };
  expect((await callAs(secret, 'PATCH', `/Users/${leaver.id}`, off)).status).toBe(200);
  expect((await callAs(secret, 'PATCH', `/Users/${tenant.users.admin.id}`, { Operations: [] })).status).toBe(400);

  await expect(atWork).toHaveURL(/\/login/u);
  await other.close();
  await expect(page.getByText('Operations is a list of operations.')).toBeVisible();
  await page.getByLabel('Role of Fleet admins').selectOption('Admin');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('The roles were saved.')).toBeVisible();
  await page.goto(`/users?field=email&search=${encodeURIComponent(leaver.email)}`);
  await expect(rows(page).filter({ hasText: leaver.email })).toContainText('No access');
  await page.goto(`/users?field=email&search=${encodeURIComponent(email)}`);
  await expect(rows(page).filter({ hasText: email })).toContainText('Nia New');
});
