import { accounts, alertPeople } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { example, startConsole } from '../../testing/console.tsx';

const [former, current] = ['AAAA', 'BBBB'];

/** A browser that is registered with a key of the installation. */
function stubBrowser(registeredWith: string) {
  let own: { endpoint: string; key: string } | null = { endpoint: 'https://push.example/former', key: registeredWith };
  const subscriptionOf = ({ endpoint, key }: NonNullable<typeof own>) => ({
    endpoint,
    options: { applicationServerKey: Uint8Array.from(atob(key), (each) => each.codePointAt(0)!).buffer },
    toJSON: () => ({ endpoint, keys: { p256dh: 'p', auth: 'a' } }),
    unsubscribe: async () => {
      own = null;
      return true;
    },
  });
  const registration = {
    pushManager: {
      getSubscription: async () => (own === null ? null : subscriptionOf(own)),
      subscribe: async ({ applicationServerKey: key }: { applicationServerKey: string }) => {
        own ??= { endpoint: 'https://push.example/again', key };
        return subscriptionOf(own);
      },
    },
  };
  const serviceWorker = {
    getRegistration: async () => registration,
    register: async () => registration,
    ready: Promise.resolve(registration),
  };
  vi.stubGlobal('PushManager', Object);
  vi.stubGlobal('Notification', { permission: 'granted', requestPermission: async () => 'granted' });
  Object.defineProperty(navigator, 'serviceWorker', { value: serviceWorker, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'serviceWorker'));
  return { keyOf: () => own?.key };
}

const known = 'https://push.example/former';
const again = 'https://push.example/again';

/** @param registered the browsers of the user */
function start(registered: readonly string[], failing: number) {
  const started = startConsole();
  const endpoints = [...registered];
  started.respond(alertPeople.pushKey, () => ({
    result: { publicKey: current, browsers: endpoints.length, endpoints: [...endpoints], failing },
  }));
  started.respond(alertPeople.addBrowser, ({ body: { endpoint } }) => {
    endpoints.push(endpoint);
    return example(alertPeople.addBrowser);
  });
  started.sendList(alertPeople.listPeople, []);
  started.respond(alertPeople.removeBrowser, { result: { deleted: 1 } });
  return started;
}
const card = async () => within(await screen.findByRole('region', { name: 'Push messages in this browser' }));

test('SAY-05-partial a browser that registered with a former key of the installation registers again when the console opens', async () => {
  const browser = stubBrowser(former);
  const { open, requests } = start([known], 1);
  await open('/alerts/people');
  await expect.poll(() => requests(alertPeople.addBrowser)).toHaveLength(1);
  expect(requests(alertPeople.addBrowser)[0]?.body).toMatchObject({ endpoint: 'https://push.example/again' });
  expect(requests(alertPeople.removeBrowser)[0]?.body).toMatchObject({ endpoint: 'https://push.example/former' });
  expect(browser.keyOf()).toBe(current);
  expect(await (await card()).findByRole('button', { name: 'Switch off' })).toBeTruthy();
  expect((await card()).getByText(/^1 of your browsers gets no messages at the moment\./u)).toBeTruthy();
});

test('SAY-05-partial with a former key of the installation push messages are off, and another person is not registered', async () => {
  stubBrowser(former);
  const { open, requests } = start([], 0);
  await open('/alerts/people');
  expect(await (await card()).findByRole('button', { name: 'Switch on' })).toBeTruthy();
  expect(requests(alertPeople.addBrowser)).toEqual([]);
});

test('SAY-05-partial with the key of the installation push messages are on', async () => {
  stubBrowser(current);
  const { open, requests } = start([known], 0);
  await open('/alerts/people');
  expect(await (await card()).findByRole('button', { name: 'Switch off' })).toBeTruthy();
  expect(requests(alertPeople.addBrowser)).toEqual([]);
});

test('SAY-05-partial a browser that another person used last says that it shows no alerts of this one, who can switch them on', async () => {
  stubBrowser(current);
  const { open, requests, user } = start([again], 0);
  await open('/alerts/people');
  await user.click(await (await card()).findByRole('button', { name: 'Switch on' }));
  await expect.poll(() => requests(alertPeople.addBrowser)[0]?.body).toMatchObject({ endpoint: known });
  expect(await (await card()).findByRole('button', { name: 'Switch off' })).toBeTruthy();
});

test('SAY-05-partial a browser of another person is not registered for this one with a new key of the installation', async () => {
  const browser = stubBrowser(former);
  const { open, requests } = start([again], 0);
  await open('/alerts/people');
  expect(await (await card()).findByRole('button', { name: 'Switch on' })).toBeTruthy();
  expect(requests(alertPeople.addBrowser)).toEqual([]);
  expect(browser.keyOf()).toBe(former);
});

test('SAY-05-partial AUTH-05-partial logging out names the browser, so that it shows alerts of this person no more', async () => {
  stubBrowser(current);
  const { open, requests, user } = start([known], 0);
  await open('/alerts/people');
  await user.click(screen.getByRole('button', { name: 'Account' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Log Out' }));
  await expect.poll(() => requests(accounts.signOut)[0]?.body).toEqual({ browser: known });
});
