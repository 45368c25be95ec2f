// @vitest-environment happy-dom
import { devices, geofences, places, positions } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { button, example, startConsole } from '../../testing/console.tsx';

const NOW = Date.parse('2026-11-23T15:30:00Z') / 1_000;
type Vehicle = positions.MapVehicle;
const vehicle = (id: string, name: string, hours: number, presence: Vehicle[5], latitude = 41.8826): Vehicle => {
  const rest = [-70, 0, 0, 5, false, null, null] as const;
  return [id, name, latitude, -87.6233, NOW - hours * 3_600, presence, ...rest];
};

function start(role: 'admin' | 'main' = 'admin') {
  const started = startConsole({ role });
  started.respond(positions.map, {
    result: {
      vehicles: [vehicle('a', 'Bus 7', 0.1, 'online'), vehicle('b', 'Tram 4', 30, 'offline', 41.9)],
      isCut: false,
      never: 1,
      old: 1,
      rejected: 0,
      asOf: NOW * 1_000,
    },
  });
  started.sendList(devices.listDevices, []);
  return started;
}

test('POS-02-partial POS-07-partial the list has state and age of each vehicle, is used by keyboard, and a chosen one says where it is', async () => {
  const { open, user, address } = start();
  await open('/map');
  expect(screen.getByText(/^2 vehicles/u)).toBeTruthy();
  const list = screen.getByRole('list', { name: 'Vehicles on the map' });
  const item = (name: RegExp) => within(list).getByRole('button', { name });
  expect(item(/Bus 7/u).textContent).toContain('Online');
  expect(item(/Tram 4/u).textContent).toContain('No position for 24 h');
  item(/Bus 7/u).focus();
  await user.keyboard('{Enter}');
  const card = await screen.findByRole('region', { name: 'Selected vehicle: Bus 7' });
  expect(card.textContent).toContain('41.88260, -87.62330');
  expect(item(/Bus 7/u).getAttribute('aria-pressed')).toBe('true');
  expect(address()).toBe('/map?vehicle=a');
  await user.click(button('Clear selection'));
  await expect.poll(() => screen.queryByRole('region', { name: /^Selected vehicle/u })).toBeNull();
});

test('POS-02-partial with another filter the map is moved to the vehicles that match it, once they are there', async () => {
  const { open, respond, hold, user, loaded } = start();
  await open('/map?carrier=Verizon');
  expect(await screen.findByRole('img', { name: 'Map of Bus 7, Tram 4' })).toBeTruthy();
  respond(positions.map, {
    result: {
      vehicles: [vehicle('c', 'Rail 8', 0.1, 'online', 47.6)],
      isCut: false,
      never: 0,
      old: 0,
      rejected: 0,
      asOf: NOW * 1_000,
    },
  });
  const release = hold(positions.map);
  await user.click(button('Remove filter Carrier: Verizon'));
  expect(screen.getByRole('img', { name: 'Map of Bus 7, Tram 4' })).toBeTruthy();
  release();
  await loaded();
  expect(screen.getByRole('img', { name: 'Map of Rail 8' })).toBeTruthy();
});

test('POS-02-partial a vehicle that goes offline without a new position is shown so within 20 s, also if positions of others came meanwhile', async () => {
  const { open, respond, push, advance } = startConsole({ timers: 'fake' });
  let presence: Vehicle[5] = 'online';
  respond(positions.map, ({ query: { since } }) => ({
    result: {
      vehicles: since === undefined ? [vehicle('a', 'Bus 7', 0.1, presence)] : [],
      isCut: false,
      never: 0,
      old: 0,
      rejected: 0,
      asOf: NOW * 1_000,
    },
  }));
  await open('/map');
  presence = 'offline';
  await advance(10_000);
  push('positions');
  await advance(1_000);
  expect(button(/Bus 7/u).textContent).toContain('Online');
  await advance(10_000);
  expect(button(/Bus 7/u).textContent).toContain('Offline');
});

test('POS-02-partial a carrier that the overview leads here with is a filter that can be taken away', async () => {
  const { open, user, requests } = start();
  await open('/map?carrier=Verizon');
  expect(requests(positions.map).at(-1)?.query).toMatchObject({ carrier: 'Verizon' });
  await user.click(screen.getByRole('button', { name: 'Remove filter Carrier: Verizon' }));
  await expect.poll(() => requests(positions.map).at(-1)?.query.carrier).toBeUndefined();
});

test('POS-02-partial a tag in the address is a filter that can be taken away', async () => {
  const { open } = start();
  await open('/map?tag=north');
  expect(button('Remove filter Tags: north')).toBeTruthy();
});

test.each([
  ['en-US', ['Critical alert', 'Open alert', 'No open alert'], 'Alert'],
  ['zh-TW', ['嚴重警報', '有尚未解除的警報', '沒有尚未解除的警報'], '警報'],
] as const)(
  'POS-02-partial where colours mean alerts, the list and the card say the alert of each vehicle as text, in %s',
  async (language, texts, label) => {
    const { open, respond } = startConsole({ language });
    const withAlert = (id: string, name: string, alert: Vehicle[11]) =>
      vehicle(id, name, 0.1, 'online').with(11, alert) as Vehicle;
    respond(positions.map, {
      result: {
        vehicles: [withAlert('a', 'Bus 7', 'critical'), withAlert('b', 'Bus 8', 'info'), withAlert('c', 'Bus 9', null)],
        isCut: false,
        never: 0,
        old: 0,
        rejected: 0,
        asOf: NOW * 1_000,
      },
    });
    await open('/map?color=alert&vehicle=a');
    expect(['Bus 7', 'Bus 8', 'Bus 9'].map((name) => button(new RegExp(name, 'u')).textContent)).toEqual(
      texts.map((text) => expect.stringContaining(text)),
    );
    const card = within(screen.getByRole('region', { name: /Bus 7/u }));
    expect(card.getByText(label)).toBeTruthy();
    expect(card.getByRole('link', { name: texts[0] }).getAttribute('href')).toBe('/alerts?device=a&state=open');
  },
);

test('POS-02-partial IAM-03-partial who may not open alerts or devices reads the alert of a vehicle, without links to pages that are closed', async () => {
  const { open, respond } = startConsole({
    session: { ownRole: { id: 'dispatch', name: 'Dispatcher', rights: ['positions.read'] } },
  });
  respond(positions.map, {
    result: {
      vehicles: [vehicle('a', 'Bus 7', 0.1, 'online').with(11, 'critical') as Vehicle],
      isCut: false,
      never: 1,
      old: 0,
      rejected: 0,
      asOf: NOW * 1_000,
    },
  });
  await open('/map?vehicle=a');
  const card = await screen.findByRole('region', { name: 'Selected vehicle: Bus 7' });
  expect(within(card).getByText('Critical alert')).toBeTruthy();
  expect(screen.getByText(/1 never had a position/u)).toBeTruthy();
  const links = screen.getAllByRole('link').map((link) => link.getAttribute('href') ?? '');
  expect(links.filter((to) => /^\/(?:alerts|devices)/u.test(to))).toEqual([]);
});

test('SAY-07-partial the place of a chosen vehicle is described in the language of the page, and opens in a map', async () => {
  const { open, respond, hold, user, requests } = start();
  const near = { kind: 'geofence' as const, name: 'North depot', chinese: null, metres: 1_240, direction: 'ne' as const };
  respond(places.describePlaces, { result: [{ street: 'Foster Avenue', crossing: 'Western Avenue', near }] });
  await open('/map?vehicle=a');
  const card = await screen.findByRole('region', { name: 'Selected vehicle: Bus 7' });
  expect(await within(card).findByText('Foster Avenue at Western Avenue')).toBeTruthy();
  expect(card.textContent).toContain('0.8\u00A0mi north-east of North depot');
  expect(within(card).getByRole('link', { name: 'Open in maps' }).getAttribute('href')).toContain('41.8826');
  expect(requests(places.describePlaces).at(-1)?.query).toEqual({ at: [[41.8826, -87.6233]] });
  await user.click(screen.getByRole('button', { name: 'Copy Place' }));
  expect(await navigator.clipboard.readText()).toBe(
    'Foster Avenue at Western Avenue, 0.8\u00A0mi north-east of North depot, 41.88260, -87.62330',
  );
  // Another vehicle does not get the place of this one while its own is described.
  const release = hold(places.describePlaces);
  await user.click(screen.getByRole('button', { name: /Tram 4/u }));
  const other = await screen.findByRole('region', { name: 'Selected vehicle: Tram 4' });
  expect(other.textContent).not.toContain('Foster Avenue');
  release();
});

test.each([
  ['admin', '/devices/list'],
  ['main', '/devices/orgList'],
] as const)(
  'POS-02-partial POS-07-partial filters of the %s are sent, and lead with those without a position to %s',
  async (role, list) => {
    const { open, requests, user } = start(role);
    await open('/map?presence=offline&search=Bus&field=vehicle');
    expect(requests(positions.map).at(-1)?.query).toMatchObject({ presence: 'offline', search: 'Bus', field: 'vehicle' });
    const link = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
    expect(link('Show as list')).toMatch(new RegExp(`^${list}\\?.*presence=offline`, 'u'));
    expect(link('1 never had a position')).toMatch(new RegExp(`^${list}\\?.*position=never`, 'u'));
    expect(screen.queryByRole('link', { name: /rejected/u })).toBeNull();
    await user.click(button(/Colors/u));
    await user.click(screen.getByRole('option', { name: 'Signal' }));
    // What a vehicle says is what its colour means.
    const shown = within(screen.getByRole('list', { name: 'Vehicles on the map' }));
    await expect.poll(() => shown.getByRole('button', { name: /Bus 7/u }).textContent).toContain('−70 dBm');
    await user.click(screen.getAllByRole('button', { name: /Colors/u })[0]!);
    await user.click(screen.getByRole('option', { name: 'Alerts' }));
    expect(button('Remove filter Colors: Alerts')).toBeTruthy();
    expect(await screen.findByText('Critical alert')).toBeTruthy();
  },
);

test('POS-02-partial a map says that it is loading, is fetched again if it cannot be fetched, and says that no vehicle matches', async () => {
  const { open, respond, fail, hold, user } = start();
  fail(positions.map, 'server.busy');
  const release = hold(positions.map);
  const opening = open('/map?search=nothing-of-this');
  expect(await screen.findByText('Loading the map…')).toBeTruthy();
  release();
  await opening;
  const retry = await screen.findByRole('button', { name: 'Retry' });
  respond(positions.map, { result: { vehicles: [], isCut: false, never: 0, old: 0, rejected: 0, asOf: NOW * 1_000 } });
  await user.click(retry);
  expect(await screen.findByText('No vehicle with a position matches the filters')).toBeTruthy();
});

const fence = (id: string, name: string, parts: Partial<geofences.Geofence> = {}): geofences.Geofence => {
  const shape = { kind: 'circle' as const, latitude: 41.88, longitude: -87.63, radius: 400 };
  return { id, name, shape, inside: 1, version: 1, ...parts };
};

test('POS-05-partial an admin types a circle, whose radius has bounds, changes its name and deletes it; its vehicles are a list', async () => {
  const { open, respond, requests, user } = startConsole();
  respond(geofences.listGeofences, { result: [] });
  await open('/geofences');
  expect(screen.getByText('No geofences yet')).toBeTruthy();
  await user.click(button('Add geofence'));
  const form = screen.getByRole('form', { name: 'Add geofence' });
  const type = async (label: string, text: string) => {
    await user.clear(within(form).getByLabelText(label));
    await user.type(within(form).getByLabelText(label), text);
  };
  await type('Name', 'Depot');
  await type('Latitude of the center', '41.88');
  await type('Longitude of the center', '-87.63');
  await type('Radius in meters', '5');
  expect(within(form).getAllByText('The radius must be from 10 m to 100 km.')[0]).toBeTruthy();
  respond(geofences.addGeofence, { result: fence('f', 'Depot') });
  respond(geofences.listGeofences, { result: [fence('f', 'Depot')] });
  await type('Radius in meters', '400{Enter}');
  const list = await screen.findByRole('list', { name: 'Geofences' });
  expect(requests(geofences.addGeofence).map(({ body }) => body)).toEqual([
    { name: 'Depot', shape: { kind: 'circle', latitude: 41.88, longitude: -87.63, radius: 400 } },
  ]);
  expect(list.textContent).toContain('Circle, radius 1,300\u00A0ft');
  expect(within(list).getByRole('link', { name: '1 vehicle inside' }).getAttribute('href')).toBe('/devices/list?geofence=f');
  await user.click(within(list).getByRole('button', { name: 'Depot' }));
  const change = screen.getByRole('form', { name: 'Edit geofence' });
  await user.type(within(change).getByLabelText('Name'), ' north');
  respond(geofences.saveGeofence, { result: fence('f', 'Depot north') });
  await user.click(within(change).getByRole('button', { name: 'Save' }));
  await expect
    .poll(() => requests(geofences.saveGeofence)[0])
    .toMatchObject({
      params: { geofence: 'f' },
      body: { name: 'Depot north' },
    });
  await user.click(await screen.findByRole('button', { name: 'Depot' }));
  await user.click(button('Delete geofence'));
  expect(requests(geofences.deleteGeofence)).toEqual([]);
  respond(geofences.deleteGeofence, example(geofences.deleteGeofence));
  await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Delete geofence' }));
  await expect.poll(() => requests(geofences.deleteGeofence)[0]?.params).toEqual({ geofence: 'f' });
});

test('POS-05-partial a user reads the geofences and changes none', async () => {
  const { open, respond } = startConsole({ role: 'user' });
  const rings: [number, number][][] = [[[-87.7, 41.95], [-87.65, 41.95], [-87.65, 42], [-87.7, 41.95]]]; // prettier-ignore
  respond(geofences.listGeofences, { result: [fence('f', 'Yard', { shape: { kind: 'polygon', rings } })] });
  await open('/geofences');
  expect(screen.getByRole('list', { name: 'Geofences' }).textContent).toContain('Polygon, 3 corners');
  for (const name of ['Add geofence', 'Import GeoJSON', 'Yard']) expect(screen.queryByRole('button', { name })).toBeNull();
});

test('SAY-08 a vehicle whose place is estimated is marked as such in the list, on its card and in the count', async () => {
  const { open, respond, user } = start();
  respond(positions.map, {
    result: {
      vehicles: [vehicle('a', 'Bus 7', 0.1, 'online'), vehicle('c', 'Rail 8', 50, 'online')],
      estimated: [['c', 'Rail 8', 41.9, -87.65, NOW - 60, 'online', -80, 1_400, null, null]],
      isCut: false,
      never: 0,
      old: 1,
      rejected: 0,
      asOf: NOW * 1_000,
    },
  });
  await open('/map');
  expect(screen.getByText(/^2 vehicles · 1 estimated/u)).toBeTruthy();
  const item = button(/Rail 8/u);
  expect(item.textContent).toContain('Estimated, within 0.9\u00A0mi');
  expect(item.textContent).not.toContain('No position for 24 h');
  await user.click(item);
  const card = await screen.findByRole('region', { name: 'Selected vehicle: Rail 8' });
  expect(card.textContent).toMatch(
    /Last contact.*Estimated, within 0.9\u00A0mi.*geofences, trails, feeds and shared links do not use it/u,
  );
});
