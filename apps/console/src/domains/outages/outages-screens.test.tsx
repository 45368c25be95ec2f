import { organizations, outages, places } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { row, startConsole } from '../../testing/console.tsx';
import { formatDate } from '../../ui/time/format.ts';
import { daysOf, daysSince, historyBegins } from '../../ui/time/period.ts';

const BEGAN = Date.UTC(2026, 10, 19, 10, 5) / 1_000;
const lost = {
  device: 'bus',
  name: 'Bus 2166',
  from: BEGAN,
  until: BEGAN + 1_440,
  minutes: 24,
  kind: 'lost',
  reason: 'no-answer',
  carrier: 'AT&T',
  rsrp: -117.4,
  latitude: 41.88,
  longitude: -87.63,
} as const;

describe('/outages', () => {
  test('RPM-04-partial each outage says when, how long, why, its last place as text, and carrier, cell and signal before it; one that goes on says so', async () => {
    const { open, sendList, respond } = startConsole();
    respond(places.describePlaces, { result: [{ street: 'Foster Avenue', crossing: 'Western Avenue', near: null }] });
    sendList(outages.listOutages, [
      { ...lost, servingCell: '310-410-7' },
      { ...lost, device: 'rail', name: 'Rail 11', until: null, reason: 'flooding', kind: 'server', rsrp: null },
    ]);
    await open('/outages');
    await screen.findAllByText('Foster Avenue at Western Avenue');
    expect(
      within(row('Bus 2166'))
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    ).toEqual(expect.arrayContaining(['24', 'No answer', 'AT&T', '−117 dBm', 'Foster Avenue at Western Avenue', '310-410-7']));
    expect(row('Rail 11').textContent).toMatch(/ongoing.*Ended by the server/u);
    expect(screen.getByText(/Lost connections count/u)).toBeTruthy();
  });

  test('RPM-04-partial the evidence is about what is chosen, in the language and zone of the reader', async () => {
    const { open, sendList, respond, requests, user } = startConsole();
    sendList(outages.listOutages, [lost]);
    respond(outages.evidencePack, '%PDF-1.7');
    await open('/outages?device=bus&period=7');
    await user.click(screen.getByRole('button', { name: 'Evidence (PDF)' }));
    const query = requests(outages.evidencePack).at(-1)?.query;
    expect(query).toMatchObject({ device: 'bus', language: 'en-US' });
    expect(query).toMatchObject(daysOf('7', Date.now(), query!.zone!));
  });

  test('RPM-04-partial the evidence is about all that is chosen on the screen, the group too', async () => {
    const { open, sendList, respond, requests, user } = startConsole();
    sendList(outages.listOutages, [lost]);
    respond(outages.evidencePack, '%PDF-1.7');
    await open('/outages?group=night&carrier=Northern&hexagon=882664c1a9fffff');
    await user.click(screen.getByRole('button', { name: 'Evidence (PDF)' }));
    expect(requests(outages.evidencePack).at(-1)?.query).toMatchObject({
      group: 'night',
      carrier: 'Northern',
      hexagon: '882664c1a9fffff',
    });
  });

  test('RPM-04-partial sums of places are named by text, and those of months say what does not count apart', async () => {
    const { open, sendList, respond, user } = startConsole();
    respond(places.describePlaces, { result: [{ street: 'Foster Avenue', crossing: 'Western Avenue', near: null }] });
    const place = {
      id: '882664c1a9fffff',
      name: '882664c1a9fffff',
      outages: 2,
      minutes: 54,
      latitude: 41.976,
      longitude: -87.689,
    };
    sendList(outages.sumOutages, [{ ...place, excludedMinutes: 90, parkedMinutes: 60, plannedMinutes: 30 }]);
    await open('/outages?tab=hexagons');
    const link = await screen.findByRole('link', { name: 'Foster Avenue at Western Avenue' });
    expect(link.getAttribute('href')).toContain('hexagon=882664c1a9fffff');
    await user.click(screen.getByRole('button', { name: 'Columns' }));
    for (const name of ['Not counted', 'Parked', 'Planned']) await user.click(screen.getByRole('checkbox', { name }));
    expect(row('Foster Avenue').textContent).toMatch(/90 min60 min30 min/u);
  });

  test('RPM-05-partial vehicles have their availability, the sums lead to the outages of one', async () => {
    const { open, sendList, user, address } = startConsole();
    sendList(outages.sumOutages, [
      {
        id: 'bus',
        name: 'Bus 2166',
        outages: 2,
        minutes: 54,
        longestMinutes: 30,
        excludedMinutes: 60,
        share: 97.9,
        target: null,
      },
    ]);
    await open('/outages?tab=vehicles');
    expect(row('Bus 2166').textContent).toMatch(/97\.90%--54 min230 min.*60 min/u);
    await user.click(within(row('Bus 2166')).getByRole('link', { name: 'Bus 2166' }));
    await expect.poll(address).toBe('/outages?device=bus');
  });

  test('RPM-05-partial vehicles, groups and carriers stand against what is agreed, the worst ten first', async () => {
    const { open, sendList, requests } = startConsole();
    sendList(outages.sumOutages, [
      { id: 'Northern', name: 'Northern', outages: 9, minutes: 400, share: 98.5, target: 99.5 },
      { id: 'Southern', name: 'Southern', outages: 1, minutes: 3, share: 99.9, target: 99.5 },
      { id: 'Western', name: 'Western', outages: 0, minutes: 0, share: 100, target: null },
    ]);
    await open('/outages?tab=carriers');
    const worst = within(await screen.findByRole('region', { name: 'The worst ten' }));
    expect(worst.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Northern 98.50% −1.00',
      'Southern 99.90% +0.40',
    ]);
    expect(requests(outages.sumOutages).some(({ query }) => query.sort === 'share' && Number(query.limit) === 10)).toBe(true);
    expect(row('Northern').textContent).toMatch(/98\.50%.*−1\.00/u);
  });

  test('RPM-05-partial an organization that keeps fewer days than were chosen is read about these, and the page says since when', async () => {
    const { open, sendList, requests } = startConsole();
    sendList(organizations.listOrganizations, [{ retentionDays: 10, maxRetentionDays: 30 }]);
    sendList(outages.sumOutages, []);
    await open('/outages?tab=vehicles&period=90');
    const note = await screen.findByText(/Outages are kept since .* \(UTC\); earlier time is not counted/u);
    const begins = historyBegins(new Date(), 10);
    expect(note.textContent).toContain(formatDate(begins, 'UTC'));
    const ofThese = (zone: string) => daysSince(daysOf('90', Date.now(), zone), begins, zone).from;
    await expect
      .poll(() => requests(outages.sumOutages).map(({ query: { from, zone } }) => from === ofThese(zone!)))
      .toContain(true);
    expect(ofThese('UTC')).toBe(begins.toISOString().slice(0, 10));
  });

  test('RPM-05-partial ninety days are kept where readings are for thirty: nothing is cut, and nothing said', async () => {
    const { open, sendList, requests } = startConsole();
    sendList(organizations.listOrganizations, [{ retentionDays: null, maxRetentionDays: 30 }]);
    sendList(outages.sumOutages, []);
    await open('/outages?tab=vehicles&period=90');
    await expect.poll(() => requests(organizations.listOrganizations).length).toBeGreaterThan(0);
    const { zone, ...query } = requests(outages.sumOutages).at(-1)!.query;
    expect(query).toMatchObject(daysOf('90', Date.now(), zone!));
    expect(screen.queryByText(/Outages are kept since/u)).toBeNull();
  });

  test.each([
    ['groups', 'group=default%2Bgroup%2Bid'],
    ['carriers', 'carrier=default%2Bgroup%2Bid'],
    ['hexagons', 'hexagon=default%2Bgroup%2Bid'],
  ])(
    'RPM-04-partial RPM-05-partial a sum of %s of a main account leads to the outages of its organization alone',
    async (tab, filter) => {
      const { open, sendList, requests, user, address } = startConsole({ role: 'main' });
      const sum = { id: 'default+group+id', name: 'default', outages: 5, minutes: 54, share: 97.9, latitude: null };
      sendList(outages.sumOutages, [
        { ...sum, org: 'acme', orgName: 'Acme' },
        { ...sum, org: 'lakeshore', orgName: 'Lakeshore Transit' },
      ]);
      sendList(outages.listOutages, [lost]);
      sendList(organizations.listOrganizations, [{ id: 'acme', name: 'Acme' }]);
      await open(`/outages?tab=${tab}`);
      await user.click(within(row('Acme')).getByRole('link', { name: 'default' }));
      await expect.poll(address).toBe(`/outages?${filter}&org=acme`);
      await expect.poll(() => requests(outages.listOutages).at(-1)?.query).toMatchObject({ org: 'acme' });
      await user.click(await screen.findByRole('button', { name: 'Remove filter Organization: Acme' }));
      await expect.poll(() => requests(outages.listOutages).at(-1)?.query.org).toBeUndefined();
    },
  );

  test('RPM-04-partial a main account has no evidence, which is of one organization; nothing lost is said', async () => {
    const { open, sendList } = startConsole({ role: 'main' });
    sendList(outages.listOutages, []);
    await open('/outages');
    expect(screen.queryByRole('button', { name: 'Evidence (PDF)' })).toBeNull();
    expect(screen.getByText('No Records.')).toBeTruthy();
    expect(screen.getByText(/that keep history for fewer days, only these count/u)).toBeTruthy();
  });
});

test('RPM-04-partial periods are days of the zone: a month ends with its last day, also across a change of the clock', () => {
  const now = Date.UTC(2026, 10, 2, 3);
  expect(daysOf('last-month', now, 'America/Chicago')).toEqual({ from: '2026-10-01', until: '2026-10-31' });
  expect(daysOf('month', now, 'America/Chicago')).toEqual({ from: '2026-11-01', until: '2026-11-01' });
  // A Sunday, and the Monday after it.
  expect(daysOf('last-week', Date.UTC(2026, 10, 1, 12), 'UTC')).toEqual({ from: '2026-10-19', until: '2026-10-25' });
  expect(daysOf('last-week', Date.UTC(2026, 10, 2, 12), 'UTC')).toEqual({ from: '2026-10-26', until: '2026-11-01' });
  expect(daysOf('7', now, 'Asia/Taipei')).toEqual({ from: '2026-10-27', until: '2026-11-02' });
});
