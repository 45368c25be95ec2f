// @vitest-environment happy-dom
import { accounts, inventory } from '@highline/contract';
import { act, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { example, startConsole } from '../testing/console.tsx';
import { watchSession } from './sign-out.ts';

const frame = () => screen.getByTitle<HTMLIFrameElement>('Sign-in page');
const SESSION = { type: 'login', id: 'ana', vap: 'bearer' };

test('AUTH-02-partial AUTH-03-partial without a session /login shows the frame; its message, and no other one, opens the session and the requested page', async () => {
  const { open, respond, requests, address, left } = startConsole({ signedIn: false });
  respond(accounts.loginFrame, { data: `${location.origin}/account.html` });
  await open('/devices/list?search=x');
  await expect.poll(address).toBe('/login?next=%2Fdevices%2Flist%3Fsearch%3Dx');
  expect(requests(accounts.introspect)).toEqual([]);
  await expect.poll(() => frame().src).toBe(`${location.origin}/account.html`);
  const source = {} as Window;
  Object.defineProperty(frame(), 'contentWindow', { value: source });
  const post = (origin: string, from: Window) =>
    act(async () => window.dispatchEvent(new MessageEvent('message', { origin, source: from, data: SESSION })));
  await post('https://elsewhere.example', source);
  await post(location.origin, window);
  expect(requests(accounts.openSession)).toEqual([]);
  document.cookie = 'logout=1; Path=/';
  await post(location.origin, source);
  await expect.poll(() => left).toEqual(['/devices/list?search=x']);
  expect(requests(accounts.openSession).map(({ body }) => body)).toEqual([{ id: 'ana', vap: 'bearer' }]);
  expect(document.cookie).not.toContain('logout=1');
});

test('AUTH-06-partial it says that a session has ended only where one has', async () => {
  const { open, visit, respond } = startConsole({ signedIn: false });
  respond(accounts.loginFrame, { data: '/account.html' });
  await open('/login');
  expect(screen.queryByText(/Your session has ended/u)).toBeNull();
  await visit('/login?ended=1');
  const ended = await screen.findByText(/Your session has ended/u);
  expect(ended.textContent).toBe('Auth token timeout Your session has ended. Sign in again.');
  await visit('/login?ended=kept');
  expect(await screen.findByText(/Sign in again; what you typed is kept\./u)).toBeTruthy();
});

test('an email address of the directory of cells goes on to the frame and leaves the address', async () => {
  const { open, respond, address } = startConsole({ signedIn: false });
  respond(accounts.loginFrame, { data: '/account.html' });
  await open('/login#email=someone%2Bfleet%40example.com');
  expect((await screen.findByTitle('Sign-in page')).getAttribute('src')).toBe(
    '/account.html#email=someone%2Bfleet%40example.com',
  );
  expect(address() + location.hash).toBe('/login');
});

test('AUTH-06-partial a session that ends over a dialog, which keeps nothing, does not say that what was typed is kept', async () => {
  const { open, fail, user, left } = startConsole({ role: 'main' });
  await open('/inventory');
  await user.click(screen.getByRole('button', { name: 'Report intervals' }));
  const { model } = example(inventory.listModelSettings).result.models[0]!;
  await user.type(await screen.findByRole('textbox', { name: model }), '0');
  fail(inventory.saveModelSettings, 'session.invalid');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await expect.poll(() => left).toEqual(['/login?next=%2Finventory&ended=1']);
});

test('AUTH-06-partial an answer without the word token keeps the page and its input, one with it leaves for the sign-in page', async () => {
  const { open, fail, user, left } = startConsole();
  await open('/users/detail?user=rider');
  const name = await screen.findByLabelText<HTMLInputElement>(/^Username/u);
  await user.clear(name);
  await user.type(name, 'typed before the end');
  fail(accounts.editAccount, 'permission.denied');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await user.click(await screen.findByRole('button', { name: 'OK' }));
  expect(name.value).toBe('typed before the end');
  expect(left).toEqual([]);
  fail(accounts.editAccount, 'request.invalid', { message: 'a bad token' });
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await expect.poll(() => left).toEqual(['/login?next=%2Fusers%2Fdetail%3Fuser%3Drider&ended=kept']);
  expect(document.cookie).toContain('logout=1');
});

test('AUTH-05-partial AUTH-06-partial a 401 of a proxy loads the page once, which leads to its sign-in, and keeps the session', async () => {
  const { open, user, left } = startConsole();
  await open('/users/detail?user=rider');
  await user.type(await screen.findByLabelText(/^Username/u), '!');
  vi.stubGlobal('fetch', async () => Response.json({ error: 'Unauthorized' }, { status: 401 }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await expect.poll(() => left).toEqual(['reload']);
  // The page that was loaded.
  watchSession();
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await expect.poll(() => left).toEqual(['reload', '/login?next=%2Fusers%2Fdetail%3Fuser%3Drider&ended=kept']);
  expect(document.cookie).not.toContain('logout=1');
});

test('AUTH-05-partial logging out ends the session, leads to the sign-in page, and marks the browser, also without a network', async () => {
  const { open, lose, requests, user, left } = startConsole();
  await open('/groups/list');
  const logOut = async () => {
    await user.click(screen.getByRole('button', { name: 'Account' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Log Out' }));
  };
  await logOut();
  await expect.poll(() => left).toEqual(['/login']);
  expect(requests(accounts.signOut)).toHaveLength(1);
  expect(document.cookie).toContain('logout=1');
  document.cookie = 'logout=; Path=/; Max-Age=0';
  lose();
  await logOut();
  await expect.poll(() => left).toEqual(['/login', '/login']);
  expect(document.cookie).toContain('logout=1');
});
