import { alertPeople } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startConsole } from '../../testing/console.tsx';

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
        own = { endpoint: 'https://push.example/again', key };
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

function start(browsers: number, failing: number) {
  const started = startConsole();
  started.respond(alertPeople.pushKey, { result: { publicKey: current, browsers, failing } });
  started.sendList(alertPeople.listPeople, []);
  started.respond(alertPeople.removeBrowser, { result: { deleted: 1 } });
  return started;
}
const card = async () => within(await screen.findByRole('region', { name: 'Push messages in this browser' }));

test('SAY-05-partial a browser that registered with a former key of the installation registers again when the console opens', async () => {
  const browser = stubBrowser(former);
  const { open, requests } = start(1, 1);
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
  const { open, requests } = start(0, 0);
  await open('/alerts/people');
  expect(await (await card()).findByRole('button', { name: 'Switch on' })).toBeTruthy();
  expect(requests(alertPeople.addBrowser)).toEqual([]);
});

test('SAY-05-partial with the key of the installation push messages are on', async () => {
  stubBrowser(current);
  const { open, requests } = start(1, 0);
  await open('/alerts/people');
  expect(await (await card()).findByRole('button', { name: 'Switch off' })).toBeTruthy();
  expect(requests(alertPeople.addBrowser)).toEqual([]);
});
