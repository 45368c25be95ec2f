import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRoute, createRouter, Outlet, RouterProvider } from '@tanstack/react-router';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { loadMessages } from '../../testing/messages.ts';
import { parseListSearch } from '../../ui/list/spec.ts';
import { PlansPage } from './PlansPage.tsx';
import { UsagePage } from './UsagePage.tsx';
import { usageList } from './usage.lists.ts';

const days = [{ day: 1, sent: 1_000_000, received: 2_000_000, before: 500_000 }];
const month = (cycle: string | null, isCalendar: boolean) => ({
  month: cycle === 'last' ? '2026-10-01' : '2026-11-01',
  today: '2026-11-26',
  zone: 'America/Chicago',
  nextZone: null,
  isCalendar,
  days,
  sent: 1_000_000,
  received: 2_000_000,
  before: 500_000,
  beforeToDate: 500_000,
});
const plan = {
  id: 'p',
  version: 1,
  name: 'Fleet',
  cycleDay: 31,
  allowance: 5e9,
  isPool: false,
  costPerGb: 4,
  currency: 'USD',
  appliesTo: 'all',
  carrier: '',
  shares: [80],
  action: 'mail',
  command: null,
  notDone: [],
  use: {
    cycleFrom: '2026-10-31',
    cycleUntil: '2026-11-30',
    sims: 1,
    used: 25_555_000_000,
    allowance: 5e9,
    forecast: 30_590_000_000,
    over: 0,
    cost: 102.22,
    costForecast: 122.36,
  },
};
const row = {
  id: 'd',
  name: 'Bus 7',
  org: 'o',
  orgName: 'Org',
  device: 'd',
  deviceName: '',
  serial: 'US0001',
  carrier: 'AT&T',
  cycleFrom: '2026-10-01',
  cycleUntil: '2026-11-01',
  sent: 5,
  received: 5,
  total: 10,
  before: 0,
};

/** The calls that were made, and answers to them. */
function respondToCalls(isCalendar: boolean, rows: readonly object[] = [row]): string[] {
  const called: string[] = [];
  vi.stubGlobal('fetch', async (address: string, init?: RequestInit) => {
    const { pathname, searchParams } = new URL(address, 'http://console.example');
    called.push(`${init?.method ?? 'GET'} ${pathname}?${searchParams} ${typeof init?.body === 'string' ? init.body : ''}`.trim());
    const responses: Record<string, unknown> = {
      month: { result: month(searchParams.get('cycle'), isCalendar) },
      usage: { result: rows, total: rows.length, offset: 0 },
      plans: { result: [plan] },
      zone: { result: { zone: 'Asia/Taipei', from: '2026-11-27' } },
    };
    const last = pathname.split('/').at(-1)!;
    return last === 'export' ? new Response('file') : Response.json(responses[last] ?? { result: [] });
  });
  return called;
}

async function open(path: string): Promise<void> {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  client.setQueryData(['session'], { id: 'someone', role: 'admin', ownRole: null, limitedTo: null, visit: null });
  const root = createRootRoute({ component: () => <Outlet /> });
  const routeTree = root.addChildren([
    createRoute({
      getParentRoute: () => root,
      path: '/usage',
      component: UsagePage,
      validateSearch: (raw: Record<string, unknown>) => parseListSearch(usageList, raw as never),
    }),
    createRoute({ getParentRoute: () => root, path: '/usage/plans', component: PlansPage }),
    createRoute({ getParentRoute: () => root, path: '/summaries', component: () => null }),
    createRoute({ getParentRoute: () => root, path: '/devices/setting', component: () => null }),
  ]);
  const router = createRouter({ routeTree, history: createMemoryHistory({ initialEntries: [path] }) });
  render(
    <>
      <QueryClientProvider client={client}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </>,
  );
}

beforeAll(() => loadMessages('usage'));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('the page of data use', () => {
  it('USE-02-partial shows the chart of the month of its list, in the zone of its organization, and asks for the month where no plan says otherwise', async () => {
    const called = respondToCalls(true);
    await open('/usage?by=vehicles&cycle=last');
    const chart = await screen.findByRole('region', { name: 'Last month by day' });
    await waitFor(() => expect(chart.textContent).toContain('October 2026'));
    expect(chart.textContent).toContain('in all of September 2026');
    await waitFor(() => expect(document.body.textContent).toContain('Days are those of the time zone America/Chicago.'));
    expect(document.body.textContent).toContain('Month before');
    expect(document.body.textContent).not.toMatch(/\bcycle\b/iu);
    fireEvent.click(screen.getByRole('button', { name: 'Download(.csv)' }));
    await waitFor(() => expect(called.find((each) => each.includes('/export?'))).toMatch(/columns=[^&]*serial%2Cfrom%2Cuntil/u));
  });

  it('USE-02-partial says cycle where a plan begins on another day', async () => {
    respondToCalls(false);
    await open('/usage');
    await waitFor(() => expect(document.body.textContent).toContain('Cycle before'));
    // Of a SIM that works in several networks it is the first one.
    expect(document.body.textContent).toContain('First carrier');
  });
});

describe('the report of data use', () => {
  const running = { ...row, cycleFrom: '2026-11-15', cycleUntil: '2026-12-15' };
  const last = { ...row, cycleFrom: '2026-10-15', cycleUntil: '2026-11-15' };
  it.each([
    ['the calendar month', '', true, [row], 'Report (PDF)', 'from=2026-11-01&until=2026-11-26'],
    ['the cycle of its list, up to today', '', false, [running], 'Report (PDF)', 'from=2026-11-15&until=2026-11-26'],
    ['the last cycle', '?cycle=last', false, [last], 'Report (PDF)', 'from=2026-10-15&until=2026-11-14'],
    [
      'the calendar month, which it says, where cycles differ',
      '',
      false,
      [running, { ...row, id: 'e', cycleFrom: '2026-11-01', cycleUntil: '2026-12-01' }],
      'Report of the calendar month (PDF)',
      'from=2026-11-01&until=2026-11-26',
    ],
    [
      'the same of a group whose SIMs have several',
      '',
      false,
      [{ ...running, cycleFrom: '2026-11-01' }],
      'Report of the calendar month (PDF)',
      'from=2026-11-01&until=2026-11-26',
    ],
  ] as const)(
    'USE-02-partial RPM-01-partial is about the days of its list: %s',
    async (_, search, isCalendar, rows, name, days) => {
      respondToCalls(isCalendar, rows);
      await open(`/usage${search}`);
      await waitFor(() =>
        expect(screen.getByRole('link', { name }).getAttribute('href')).toBe(`/summaries?kind=data-use&period=dates&${days}`),
      );
    },
  );
});

describe('the page of data plans', () => {
  it('USE-03-partial says the cost so far and the forecast, and lets an admin choose the time zone of cycles', async () => {
    const called = respondToCalls(false);
    await open('/usage/plans');
    const card = await screen.findByRole('listitem');
    expect(within(card).getByText('102.22 USD so far, 122.36 USD forecast')).toBeDefined();
    const zone = await screen.findByLabelText('Time zone of days and cycles');
    expect((zone as HTMLSelectElement).value).toBe('America/Chicago');
    const puts = () => called.filter((each) => each.startsWith('PUT'));
    // As the arrow keys do.
    for (const passed of ['Asia/Seoul', 'Asia/Taipei']) fireEvent.change(zone, { target: { value: passed } });
    expect([puts(), (zone as HTMLSelectElement).disabled]).toEqual([[], false]);
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(puts()).toEqual([expect.stringContaining('Asia/Taipei')]));
  });
});
