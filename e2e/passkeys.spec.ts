import { enter, expect, expectAccessible, leave, test } from './fixtures.ts';
import { PASSWORD, serverUnderTest } from './tenant.ts';

// Passkeys belong to a host with a name.
const byName = () => serverUnderTest().url.replace('127.0.0.1', 'localhost');

test.use({ baseURL: async ({}, use) => use(byName()) });

test('IAM-06-partial a person adds a passkey, signs in with it alone, and removes it', async ({ page, tenant }) => {
  const browser = await page.context().newCDPSession(page);
  await browser.send('WebAuthn.enable');
  await browser.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await enter(page, await tenant.person('user', PASSWORD), '/profile');
  const passkeys = page.getByRole('region', { name: 'Passkeys' });
  await expect(passkeys).toContainText('No passkey yet.');
  await passkeys.getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
  await dialog.getByLabel('Name').fill('Work laptop');
  await dialog.getByLabel('Your password').fill('not this one');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog).toContainText('Wrong password.');
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(passkeys).toContainText('Work laptop');
  await expect(passkeys).toContainText('Not used yet');
  await expectAccessible(page);

  await leave(page);
  await page.goto('/login');
  await page.frameLocator('iframe').getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page).toHaveURL(/\/dashboard/u);
  await page.goto('/profile');
  await expect(page.getByRole('region', { name: 'Sessions' })).toContainText('by passkey');

  await passkeys.getByRole('button', { name: 'Remove the passkey Work laptop' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect(passkeys).toContainText('No passkey yet.');
  await leave(page);
  await page.goto('/login');
  const frame = page.frameLocator('iframe');
  await frame.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(frame.getByRole('alert')).toContainText('This passkey was not accepted.');
});
