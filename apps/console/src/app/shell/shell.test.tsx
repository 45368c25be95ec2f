import { accounts, devices, logs } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { button, example, startConsole } from '../../testing/console.tsx';
import { prefersTraditionalChinese } from './LanguageOffer.tsx';

const menu = () => within(screen.getByRole('navigation', { name: 'Menu' }));
const sizes = () => screen.getByLabelText<HTMLSelectElement>('Rows');

describe('the frame of every screen', () => {
  test.each([
    ['main', '/organization'],
    ['admin', '/dashboard'],
    ['user', '/dashboard'],
  ] as const)('NAV-01 / leads %s to %s', async (role, path) => {
    const { open, address } = startConsole({ role });
    await open('/');
    await expect.poll(address).toBe(path);
  });

  test('NAV-07-partial a browser in Chinese begins in English, and is offered Chinese until the person has chosen', async () => {
    const { open, user } = startConsole();
    vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['zh-TW', 'en']);
    localStorage.removeItem('highline.language');
    await open('/devices/list');
    expect(screen.getByRole('heading', { level: 1, name: 'Devices' })).toBeTruthy();
    await user.click(button('改用繁體中文'));
    expect(await screen.findByRole('heading', { level: 1, name: '裝置' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: '改用繁體中文' })).toBeNull();
    expect(localStorage.getItem('highline.language')).toBe('zh-TW');
  });

  test('NAV-07-partial an offer that was declined, and a browser in another language, has none', async () => {
    const { open, user } = startConsole();
    const languages = vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['zh-Hant-TW']);
    localStorage.removeItem('highline.language');
    await open('/devices/list');
    await user.click(
      within(screen.getByRole('button', { name: '改用繁體中文' }).parentElement!).getByRole('button', { name: 'Close' }),
    );
    expect(localStorage.getItem('highline.language')).toBe('en-US');
    languages.mockReturnValue(['zh-CN', 'zh-TW']);
    expect(prefersTraditionalChinese(navigator.languages)).toBe(false);
  });

  test('an address without a page says so next to the sidebar, whose lists are named', async () => {
    const { open } = startConsole();
    await open('/devices/list/more');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Page not found');
    const updates = within(menu().getByRole('list', { name: 'Updates' })).getAllByRole('link');
    expect(updates.map(({ textContent }) => textContent)).toEqual(['Groups', 'Firmware', 'Config Files']);
    expect(screen.getByRole('link', { name: 'Go to home page' }).getAttribute('href')).toBe('/');
  });

  test('NAV-03 NAV-04 the sidebar, with version and year below, is closed on narrow windows until it is opened, and again after a choice', async () => {
    const { open, user, address } = startConsole({ width: 1024 });
    await open('/groups/list');
    expect(screen.queryByRole('navigation', { name: 'Menu' })).toBeNull();
    await user.click(button('Open the menu'));
    expect(screen.getByText(/^Highline \d+\.\d+\.\d+ · 2026$/u)).toBeTruthy();
    await user.click(menu().getByRole('link', { name: 'Config Files' }));
    await expect.poll(address).toBe('/groups/config');
    expect(screen.queryByRole('navigation', { name: 'Menu' })).toBeNull();
  });

  test('NAV-03-partial it is open above 1024 px', async () => {
    const { open } = startConsole({ width: 1025 });
    await open('/groups/list');
    expect(menu().getByRole('link', { name: 'Groups' }).getAttribute('aria-current')).toBe('page');
  });

  test.each([
    ['admin', '/devices/setting', '/devices/list'],
    ['admin', '/groups/detail', '/groups/list'],
    ['admin', '/groups/configSetting', '/groups/config'],
    ['admin', '/users/detail', '/users'],
    ['admin', '/devices/esimsEdit', '/devices/esimsList'],
    ['main', '/devices/setting', '/devices/orgList'],
    ['main', '/organization/setting', '/organization'],
    ['main', '/organization/addUser', '/organization'],
    ['main', '/organization/user', '/organization'],
  ] as const)('NAV-05 without a selected item %s goes from %s to %s', async (role, from, to) => {
    const { open, address } = startConsole({ role });
    await open(from);
    await expect.poll(() => address().split('?')[0]).toBe(to);
  });

  test('while the server has not said who is signed in, the page says that it is loading', async () => {
    const { open, hold } = startConsole();
    const release = hold(accounts.introspect);
    const opened = open('/groups/list');
    expect(await screen.findByText('Loading the page…')).toBeTruthy();
    release();
    await opened;
    expect(menu().getByRole('link', { name: 'Groups' })).toBeTruthy();
    expect(screen.queryByText('Loading the page…')).toBeNull();
  });
});

describe('the time zone', () => {
  const zone = () => button(/^Time zone/u);

  test('NAV-06 nine zones and that of the browser; the chosen one holds for every time on the screen at once, and is kept', async () => {
    const { open, sendList, user } = startConsole();
    sendList(logs.listLogs, [{ timestamp: Date.parse('2026-11-23T12:00:05Z') / 1000 }]);
    await open('/logs');
    const time = async (text: string) => {
      await expect.poll(() => document.querySelector('tbody time')?.textContent).toContain(text);
    };
    await time('11/23/2026 06:00:05');
    const choose = async (name: string | RegExp) => {
      await user.click(zone());
      const choices = await screen.findAllByRole('menuitemradio');
      expect(choices).toHaveLength(10);
      await user.click(screen.getByRole('menuitemradio', { name }));
    };
    await choose('Chamorro +10');
    await time('11/23/2026 22:00:05');
    expect(document.cookie).toContain('timezone=Pacific%2FGuam');
    expect(document.cookie).toContain('tz=10');
    await choose('Hawaii-Aleutian -10');
    await time('11/23/2026 02:00:05');
    await choose(/^Local time/u);
    expect(zone().textContent).toContain('Local time');
  });

  test.each([
    ['/groups/firmwares', /^\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d$/u],
    ['/reports/list/record?day=week&device=d1&property=rssi', /\d\d:\d\d/u],
  ])('NAV-06-partial NAV-07-partial it holds at %s too, with times of the form %s', async (path, form) => {
    const { open, user } = startConsole();
    await open(path);
    const instant = () => Date.parse(`${document.querySelector('tbody time')?.textContent} GMT`);
    const choose = async (name: string) => {
      await user.click(zone());
      await user.click(await screen.findByRole('menuitemradio', { name }));
    };
    await choose('Chamorro +10');
    await expect.poll(() => document.querySelector('tbody time')?.textContent).toMatch(form);
    const guam = instant();
    await choose('Hawaii-Aleutian -10');
    await expect.poll(() => guam - instant()).toBe(20 * 3_600_000);
  });
});

describe('every list', () => {
  test('SHR-02 it sorts by a header and pages, with a field for the page above five pages, and says that nothing matches', async () => {
    const { open, respond, sendList, requests, user, address, rows } = startConsole();
    sendList(devices.listDevices, []);
    await open('/devices/list');
    expect(screen.getByText('No Records.')).toBeTruthy();
    const serials = Array.from({ length: 17 }, (_, at) => ({ device: `d${at}`, serial_number: `S-${at}` }));
    sendList(devices.listDevices, serials);
    await user.click(button(/^Device Serial#/u));
    expect(await screen.findByText('1–3 of 17')).toBeTruthy();
    await expect.poll(address).toMatch(/[?&]sort=serial/u);
    const offered = within(sizes())
      .getAllByRole('option')
      .map(({ textContent }) => textContent);
    expect(offered).toEqual(['3', '5', '10', '20', '30', '40', '50']);
    await user.type(screen.getByLabelText('Go to page'), '6{Enter}');
    expect(await screen.findByText('16–17 of 17')).toBeTruthy();
    expect(rows()).toHaveLength(2);
    await user.click(button(/^Device Serial#/u));
    await expect.poll(() => requests(devices.listDevices).at(-1)?.query).toMatchObject({ sort: '-serial', limit: 3, offset: 0 });
    await user.selectOptions(sizes(), '10');
    await expect.poll(() => rows().length).toBe(10);
    expect(screen.queryByLabelText('Go to page')).toBeNull();
    respond(devices.listDevices, { result: [], total: 0 });
    await user.type(screen.getByRole('searchbox'), 'nothing');
    expect(await screen.findByText('No matched results.')).toBeTruthy();
  });

  test("SHR-02-partial each has its own size until a person chooses one, which then is every list's; few rows can all be shown", async () => {
    const { open, visit, sendList, user, rows } = startConsole();
    const listed = Array.from({ length: 12 }, (_, at) => ({ device: `d${at}`, serial_number: `S-${at}` }));
    sendList(devices.listDevices, listed);
    const first = {
      '/devices/list': '3',
      '/devices/service': '3',
      '/devices/esimsList': '3',
      '/groups/list': '10',
      '/users': '3',
      '/groups/config': '3',
      '/groups/firmwares': '3',
      '/logs': '10',
      '/reports/list/all': '10',
      '/dashboard': '3',
    };
    await open('/devices/list');
    for (const [path, size] of Object.entries(first)) {
      await visit(path);
      await expect.poll(() => [path, screen.queryByLabelText<HTMLSelectElement>('Rows')?.value]).toEqual([path, size]);
    }
    await visit('/devices/list');
    await user.click(await screen.findByRole('button', { name: 'Show all 12' }));
    await expect.poll(() => rows().length).toBe(12);
    expect(screen.queryByRole('button', { name: 'Show all 12' })).toBeNull();
    expect(button('Show 50 rows in every list')).toBeTruthy();
    await visit('/devices/service');
    // All of them for once: nothing is stored.
    await expect.poll(() => rows().length).toBe(3);
    await user.selectOptions(sizes(), '5');
    await expect.poll(() => rows().length).toBe(5);
    for (const path of Object.keys(first)) {
      await visit(path);
      await expect.poll(() => [path, screen.queryByLabelText<HTMLSelectElement>('Rows')?.value]).toEqual([path, '5']);
    }
  });

  test('SHR-05 matches that differ only in case are counted and one click away, until another text is typed or the filter is removed', async () => {
    const { open, respond, sendList, requests, user } = startConsole();
    sendList(accounts.listAccounts, []);
    await open('/users');
    expect(screen.getByText('No Records.')).toBeTruthy();
    const latest = () => requests(accounts.listAccounts).at(-1)?.query;
    respond(accounts.listAccounts, ({ query }) => {
      const found = query.ignoreCase === 'true' && 'north depot'.includes((query.search ?? '').toLowerCase()) ? 1 : 0;
      return { ...example(accounts.listAccounts), result: { list: [] }, total: found };
    });
    await user.type(screen.getByRole('searchbox'), 'NORTH');
    const other = '1 matches if upper and lower case are ignored';
    await user.click(await screen.findByRole('button', { name: other }));
    await expect.poll(latest).toMatchObject({ search: 'NORTH', ignoreCase: 'true' });
    await user.click(await screen.findByRole('button', { name: /^Remove filter Letter case/u }));
    await user.click(await screen.findByRole('button', { name: other }));
    await user.type(screen.getByRole('searchbox'), ' D');
    await expect
      .poll(() =>
        requests(accounts.listAccounts).some(({ query }) => query.search === 'NORTH D' && query.ignoreCase === undefined),
      )
      .toBe(true);
    await user.clear(screen.getByRole('searchbox'));
    await user.type(screen.getByRole('searchbox'), 'no such');
    await expect
      .poll(() => requests(accounts.listAccounts).some(({ query }) => query.search === 'no such' && query.ignoreCase === 'true'))
      .toBe(true);
    await expect.poll(() => screen.queryByRole('button', { name: /case are ignored/u })).toBeNull();
  });
});
