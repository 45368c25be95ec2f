import { links } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { startConsole } from '../../testing/console.tsx';

const link: links.SharedLink = {
  id: 'one',
  org: 'lakeshore',
  orgName: 'Lakeshore Transit',
  showsNames: false,
  created: '2026-11-23T09:27:00Z',
  expires: '2026-11-24T09:27:00Z',
  shows: 'Bus 2104',
  group: null,
  device: 'one',
  note: 'For the school',
  state: 'active',
  opened: 12,
  lastOpened: null,
  ended: null,
  by: 'ana@lakeshore.example',
};
const field = (name: string | RegExp) => screen.getByLabelText<HTMLInputElement>(name);

test('RPM-06-partial /links loads, fails, is tried again and is empty', async () => {
  const { open, sendList, fail, user, loaded } = startConsole();
  fail(links.listLinks, 'server.busy');
  await open('/links');
  expect((await screen.findByRole('alert')).textContent).toContain('The server is busy. Try again in a moment.');
  sendList(links.listLinks, []);
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await loaded();
  expect(screen.getByText('No Records.')).toBeTruthy();
});

test('RPM-06-partial a link is listed with what it shows, its openings and its maker, and ended after a question', async () => {
  const { open, sendList, requests, respond, user, loaded } = startConsole();
  sendList(links.listLinks, [link, { ...link, id: 'two', shows: '', state: 'gone', opened: 0 }]);
  respond(links.endLink, { result: { deleted: 1 } });
  await open('/links');
  await loaded();
  const [, row, ended] = screen.getAllByRole('row');
  for (const text of ['Bus 2104', 'Active', 'For the school', '12 times', 'ana@lakeshore.example'])
    expect(row?.textContent).toContain(text);
  for (const text of ['No longer there', 'Vehicle or group is gone', 'Not yet']) expect(ended?.textContent).toContain(text);
  expect(within(ended!).queryByRole('button', { name: /End the link/u })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'End the link to Bus 2104' }));
  await user.click(await screen.findByRole('button', { name: 'End the link' }));
  await expect.poll(() => requests(links.endLink)).toHaveLength(1);
  expect(await screen.findByText('The link has ended.')).toBeTruthy();
});

test('RPM-06-partial a vehicle is shared from its page: how long is chosen, and the address is shown once', async () => {
  const { open, sendList, requests, respond, user, loaded } = startConsole();
  sendList(links.listLinks, []);
  respond(links.createLink, { result: link, token: 'a-token' });
  await open('/links?device=one');
  await loaded();
  expect(await screen.findByDisplayValue('Bus 2104')).toBeTruthy();
  expect(screen.queryByLabelText('Show')).toBeNull();
  const save = screen.getByRole('button', { name: 'Create the link' });
  expect(save.getAttribute('aria-disabled') ?? String((save as HTMLButtonElement).disabled)).toBe('true');
  await user.selectOptions(field(/Ends after/u), '1 day');
  await user.type(field('For'), ' For the school ');
  await user.click(save);
  expect(await screen.findByText(`${location.origin}/share#a-token`)).toBeTruthy();
  expect(requests(links.createLink).at(-1)?.body).toEqual({
    device: 'one',
    note: 'For the school',
    showsNames: false,
    hours: 24,
  });
});
