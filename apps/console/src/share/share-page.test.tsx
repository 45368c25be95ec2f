// @vitest-environment happy-dom
import { links } from '@highline/contract';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { startConsole } from '../testing/console.tsx';
import { loadLanguage } from '../ui/language.ts';
import { SharePage } from './SharePage.tsx';

function openShare(answer: (console: ReturnType<typeof startConsole>) => void) {
  const console = startConsole({ signedIn: false });
  answer(console);
  loadLanguage();
  render(<SharePage token="a-token" />);
  return console;
}

const shown = {
  name: 'Bus 2104',
  until: '2099-01-01T00:00:00Z',
  vehicles: [['Bus 2104', 41.88123, -87.63, 1_795_425_000] as links.SharedVehicle],
  isCut: false,
};

test('RPM-06-partial the page of a link says where the vehicle is and until when, in both languages', async () => {
  const { user, requests } = openShare(({ respond }) => respond(links.openLink, { result: shown }));
  expect(await screen.findByRole('heading', { name: 'Bus 2104' })).toBeTruthy();
  expect(screen.getByText(/^Live until /u)).toBeTruthy();
  expect(screen.getByRole('link', { name: '41.88123, -87.63000' }).getAttribute('rel')).toContain('noreferrer');
  expect(requests(links.openLink).map(({ body }) => body)).toEqual([{ token: 'a-token', first: true }]);
  await user.click(screen.getByRole('button', { name: '繁體中文' }));
  expect(screen.getByText(/^即時顯示至 /u)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'English' }));
});

test('RPM-06-partial vehicles without names are numbered', async () => {
  const vehicles = [1, 2].map((number): links.SharedVehicle => [null, 41, -87 - number, 1_795_425_000]);
  openShare(({ respond }) => respond(links.openLink, { result: { ...shown, name: null, vehicles } }));
  expect(await screen.findByRole('heading', { name: 'Vehicle location' })).toBeTruthy();
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent?.slice(0, 9))).toEqual(['Vehicle 1', 'Vehicle 2']);
});

test.each([
  ['link.over', 'This link has ended'],
  ['link.not_found', 'This link does not exist'],
] as const)('RPM-06-partial %s is said plainly, and nothing asks again', async (key, title) => {
  const { requests } = openShare(({ fail }) => fail(links.openLink, key));
  expect(await screen.findByRole('heading', { name: title })).toBeTruthy();
  document.dispatchEvent(new Event('visibilitychange'));
  expect(requests(links.openLink)).toHaveLength(1);
});

test('RPM-06-partial a server that does not answer is not an ended link', async () => {
  openShare(({ fail }) => fail(links.openLink, 'server.busy'));
  expect(await screen.findByText('The location could not be loaded. It is tried again by itself.')).toBeTruthy();
});
