import { accounts, identityProviders, secondFactor } from '@highline/contract';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { button, Failed, startConsole } from '../testing/console.tsx';
import { loadLanguage } from '../ui/language.ts';
import { AccountApp, takeLink } from './AccountApp.tsx';

const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const SECRET = 'a long enough passphrase';

/** The page of the account service at this address. */
function openAccount(path: string) {
  const console = startConsole({ signedIn: false });
  history.pushState(null, '', path);
  loadLanguage();
  render(
    <>
      <AccountApp link={takeLink()} />
    </>,
  );
  const type = async (texts: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(texts)) {
      await console.user.clear(field(name));
      await console.user.type(field(name), text);
    }
  };
  return { ...console, type };
}

test('AUTH-02-partial a wrong password or address is answered alike, and the right one opens the console with its session', async () => {
  const { user, type, fail, respond, requests, left } = openAccount('/account.html');
  await user.click(button('Sign in'));
  expect(screen.getByText('Enter your email address')).toBeTruthy();
  await expect.poll(() => document.activeElement).toBe(field('Email address'));
  fail(accounts.signIn, 'account.wrong_password');
  await type({ 'Email address': ' ana@lakeshore.example ', Password: SECRET });
  await user.click(button('Sign in'));
  expect(await screen.findByText('Wrong email or password.')).toBeTruthy();
  respond(accounts.signIn, { result: { id: 'ana', vap: 'bearer' } });
  await user.click(button('Sign in'));
  await expect.poll(() => left).toEqual(['/']);
  expect(requests(accounts.signIn).at(-1)?.body).toEqual({ email: 'ana@lakeshore.example', password: SECRET });
  expect(requests(accounts.openSession).map(({ body }) => body)).toEqual([{ id: 'ana', vap: 'bearer' }]);
});

test('with a second factor the code is required after the password, and a wrong one is said at it', async () => {
  const { user, type, respond, requests, left } = openAccount('/account.html');
  respond(accounts.signIn, ({ body }) => new Failed(body.otp === undefined ? 'account.otp_needed' : 'account.otp_wrong'));
  expect(screen.queryByLabelText('Code')).toBeNull();
  await type({ 'Email address': 'ana@lakeshore.example', Password: SECRET });
  await user.click(button('Sign in'));
  expect(await screen.findByLabelText('Code')).toBe(document.activeElement);
  await type({ Code: '123456' });
  await user.click(button('Sign in'));
  expect(await screen.findByText('This code is wrong or was already used.')).toBeTruthy();
  respond(accounts.signIn, { result: { id: 'ana', vap: 'bearer' } });
  await type({ Code: 'aaaa-bbbb' });
  await user.click(button('Sign in'));
  await expect.poll(() => left).toEqual(['/']);
  expect(requests(accounts.signIn).map(({ body }) => body.otp)).toEqual([undefined, '123456', 'aaaa-bbbb']);
});

test('AUTH-04-partial an account without roles is led to the page that says so', async () => {
  const { user, type, fail, left } = openAccount('/account.html');
  fail(accounts.signIn, 'account.no_roles');
  await type({ 'Email address': 'ana@lakeshore.example', Password: SECRET });
  await user.click(button('Sign in'));
  await expect.poll(() => left).toEqual(['/error_acc_invalid.html']);
});

test('an email address that the directory of cells hands over is filled in, and the password is next', () => {
  openAccount('/account.html#email=someone%2Bfleet%40example.com');
  expect(field('Email address').value).toBe('someone+fleet@example.com');
  expect(document.activeElement).toBe(field('Password'));
});

test('a forgotten password: a link is sent to the address, in the language of the page', async () => {
  const { user, type, requests } = openAccount('/account.html');
  await user.click(button('Forgot password?'));
  await type({ 'Email address': 'ana' });
  await user.click(button('Send link'));
  expect(screen.getByText('Invalid email address format')).toBeTruthy();
  await type({ 'Email address': 'ana@lakeshore.example' });
  await user.click(button('Send link'));
  expect(await screen.findByText(/^If an account with this address exists, a link is on its way\./u)).toBeTruthy();
  expect(requests(accounts.forgotPassword).map(({ body }) => body)).toEqual([
    { email: 'ana@lakeshore.example', language: 'en-US' },
  ]);
});

test('the link of a mail sets a password, typed twice, and leaves the address', async () => {
  const { user, type, respond, requests, address } = openAccount('/account.html?reset=secret-1');
  expect(address()).toBe('/account.html');
  await type({ 'New password': SECRET, 'Repeat the new password': 'another one' });
  await user.click(button('Set password'));
  expect(screen.getByText('The passwords do not match.')).toBeTruthy();
  await type({ 'Repeat the new password': SECRET });
  respond(accounts.resetPassword, { result: { email: 'ana@lakeshore.example' } });
  await user.click(button('Set password'));
  expect(await screen.findByText('The new password is set. All earlier sessions of this account have ended.')).toBeTruthy();
  expect(requests(accounts.resetPassword).map(({ body }) => body)).toEqual([{ secret: 'secret-1', password: SECRET }]);
});

test('a link that was used leads to a new one', async () => {
  const { user, type, fail } = openAccount('/account.html?reset=secret-1');
  fail(accounts.resetPassword, 'account.link_invalid');
  await type({ 'New password': SECRET, 'Repeat the new password': SECRET });
  await user.click(button('Set password'));
  expect((await screen.findByRole('alert')).textContent).toContain('This link has expired or was already used.');
  await user.click(button('Request a new link'));
  expect(button('Send link')).toBeTruthy();
});

test('USR-03-partial the password is changed with the current one, and a code where the account has them; it leads out of the console', async () => {
  const { user, type, fail, respond, requests, left } = openAccount('/account.html?change=ana@lakeshore.example');
  expect(field('Email address').readOnly).toBe(true);
  fail(accounts.changePassword, 'account.wrong_password');
  await type({ 'Current password': 'not the old one', 'New password': SECRET, 'Repeat the new password': SECRET });
  await user.click(button('Set password'));
  expect(await screen.findByText('The current password is wrong.')).toBeTruthy();
  fail(accounts.changePassword, 'account.otp_needed');
  await type({ 'Current password': 'the old passphrase' });
  await user.click(button('Set password'));
  await screen.findByLabelText('Code');
  await type({ Code: '123456' });
  respond(accounts.changePassword, { result: { email: 'ana@lakeshore.example' } });
  await user.click(button('Set password'));
  await user.click(await screen.findByRole('button', { name: 'Sign in' }));
  expect(left).toEqual(['/logout']);
  expect(requests(accounts.changePassword).at(-1)?.body).toEqual({
    email: 'ana@lakeshore.example',
    password: 'the old passphrase',
    newPassword: SECRET,
    otp: '123456',
  });
});

test('USR-03-partial where the company requires a second factor, a passkey confirms the change', async () => {
  const { user, type, fail } = openAccount('/account.html?change=ana@lakeshore.example');
  fail(accounts.changePassword, 'account.passkey_needed');
  await type({ 'Current password': 'the old passphrase', 'New password': SECRET, 'Repeat the new password': SECRET });
  await user.click(button('Set password'));
  expect(await screen.findByRole('button', { name: 'Confirm with your passkey' })).toBeTruthy();
  expect(screen.getByText('Your company requires a second factor: confirm that it is you.')).toBeTruthy();
});

test('IAM-01-partial company sign-in leaves for the page of the identity provider; without one the page says so', async () => {
  const { user, type, fail, respond, requests, left } = openAccount('/account.html?next=%2Fdevices');
  await user.click(button('Company sign-in'));
  expect(screen.getByText('Enter your email address')).toBeTruthy();
  fail(identityProviders.beginProviderSignIn, 'provider.none');
  await type({ 'Email address': ' ana@lakeshore.example ' });
  await user.click(button('Company sign-in'));
  expect(await screen.findByText('Company sign-in is not set up for this address. Use your password.')).toBeTruthy();
  respond(identityProviders.beginProviderSignIn, { result: { url: 'https://id.example.com/authorize' } });
  await user.click(button('Company sign-in'));
  await expect.poll(() => left).toEqual(['https://id.example.com/authorize']);
  expect(requests(identityProviders.beginProviderSignIn).at(-1)?.body).toEqual({
    email: 'ana@lakeshore.example',
    next: '/devices',
  });
});

test('IAM-01-partial a company sign-in that was rejected says why, whatever the address says', async () => {
  openAccount('/account.html?failed=provider.no_role');
  expect(screen.getByRole('alert').textContent).toBe('Your company has not given you a role in Highline. Contact an admin.');
  expect(location.search).toBe('');
  expect(button('Back to sign in')).toBe(document.activeElement);
});

test.each(['', 'toString', '<b>x</b>', 'server.fault'])('IAM-01-partial %j is no reason that the page shows', (failure) => {
  openAccount(`/account.html?failed=${encodeURIComponent(failure)}`);
  expect(screen.getByRole('alert').textContent).toBe('The identity provider did not sign you in.');
});

test('IAM-06-partial where the company requires a second factor, it is set up before anything else opens', async () => {
  const { user, type, fail, respond, requests, left } = openAccount('/account.html');
  fail(accounts.signIn, 'account.factor_needed');
  respond(secondFactor.beginAtSignIn, { result: { uri: 'otpauth://totp/Highline:ana?secret=ABCD', secret: 'ABCDEFGH' } });
  await type({ 'Email address': 'ana@lakeshore.example', Password: SECRET });
  await user.click(button('Sign in'));
  expect(await screen.findByText('ABCD EFGH')).toBeTruthy();
  expect(await screen.findByRole('img', { name: 'QR code of the key' })).toBeTruthy();
  await user.click(button('Turn on and sign in'));
  expect(screen.getByText('Enter the code')).toBeTruthy();
  fail(secondFactor.confirmAtSignIn, 'account.otp_wrong');
  await type({ Code: '000000' });
  await user.click(button('Turn on and sign in'));
  expect(await screen.findByText('This code is wrong or was already used.')).toBeTruthy();
  respond(secondFactor.confirmAtSignIn, { result: { id: 'ana', vap: 'bearer', recoveryCodes: ['aaaa-bbbb-cccc-dddd'] } });
  await type({ Code: '123456' });
  await user.click(button('Turn on and sign in'));
  expect(await screen.findByText('aaaa-bbbb-cccc-dddd')).toBeTruthy();
  expect(left).toEqual([]);
  await user.click(button('I have kept them'));
  await expect.poll(() => left).toEqual(['/']);
  expect(requests(secondFactor.confirmAtSignIn).at(-1)?.body).toEqual({
    email: 'ana@lakeshore.example',
    password: SECRET,
    code: '123456',
  });
});

test('IAM-06-partial passkeys are offered where the browser has them, and only there', () => {
  openAccount('/account.html');
  expect(screen.queryByRole('button', { name: 'Sign in with a passkey' })).toBeNull();
});
