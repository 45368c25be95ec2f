// @vitest-environment happy-dom
import { geofences } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { example, startConsole } from '../../testing/console.tsx';

test('POS-05-partial geofences load, fail, are tried again and are empty', async () => {
  const { open, respond, hold, fail, user, loaded } = startConsole();
  const release = hold(geofences.listGeofences);
  fail(geofences.listGeofences, 'server.busy');
  const opened = open('/geofences');
  await expect.poll(() => document.querySelector('[aria-busy="true"]')).not.toBeNull();
  expect(screen.queryByText('No geofences yet')).toBeNull();
  release();
  await opened;
  expect((await screen.findByRole('alert')).textContent).toContain('The server is busy. Try again in a moment.');
  respond(geofences.listGeofences, { result: [] });
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await loaded();
  expect(screen.getByText('No geofences yet')).toBeTruthy();
});

const circle = { kind: 'circle' as const, latitude: 41.8, longitude: -87.6, radius: 300 };
const depot = { ...example(geofences.listGeofences).result[0]!, id: 'depot', name: 'Depot', version: 3, shape: circle };

test('SHR-06-partial POS-05-partial an area that is drawn is not lost by a link or by Add', async () => {
  const { open, respond, fill, user, address } = startConsole();
  respond(geofences.listGeofences, { result: [depot] });
  await open('/geofences');
  await user.click(screen.getByRole('button', { name: 'Depot' }));
  const add = screen.getByRole('button', { name: 'Add geofence' });
  expect(add.getAttribute('aria-disabled')).toBe('true');
  await fill(screen.getByLabelText('Radius in meters'), '500');
  await user.click(add);
  expect(screen.getByLabelText<HTMLInputElement>('Radius in meters').value).toBe('500');
  await user.click(within(screen.getByRole('navigation', { name: 'Menu' })).getAllByRole('link')[0]!);
  const question = within(await screen.findByRole('alertdialog'));
  await user.click(question.getByRole('button', { name: 'No' }));
  expect(address()).toBe('/geofences');
});

test('SHR-06-partial POS-05-partial Cancel asks before it drops what was typed, and not when nothing was', async () => {
  const { open, respond, fill, user } = startConsole();
  respond(geofences.listGeofences, { result: [depot] });
  await open('/geofences');
  const edit = () => user.click(screen.getByRole('button', { name: 'Depot' }));
  const cancel = () => user.click(screen.getByRole('button', { name: 'Cancel' }));
  await edit();
  await cancel();
  await edit();
  await fill(screen.getByLabelText('Radius in meters'), '500');
  const respondWith = async (name: 'Yes' | 'No') => {
    await cancel();
    const question = await screen.findByRole('alertdialog');
    expect(question.textContent).toContain('There are unsaved changes. Do you want to leaving?');
    await user.click(within(question).getByRole('button', { name }));
  };
  await respondWith('No');
  expect(screen.getByLabelText<HTMLInputElement>('Radius in meters').value).toBe('500');
  await respondWith('Yes');
  expect(await screen.findByRole('button', { name: 'Depot' })).toBeTruthy();
});

test('POS-05-partial what another user saved meanwhile is said, the area stays, and the next save overwrites it', async () => {
  const { open, respond, fail, fill, requests, user } = startConsole();
  respond(geofences.listGeofences, { result: [depot] });
  await open('/geofences');
  await user.click(screen.getByRole('button', { name: 'Depot' }));
  await fill(screen.getByLabelText('Radius in meters'), '500');
  respond(geofences.listGeofences, { result: [{ ...depot, name: 'Theirs', version: 4 }] });
  fail(geofences.saveGeofence, 'conflict.stale');
  const save = () => user.click(screen.getByRole('button', { name: 'Save' }));
  await save();
  const message = await screen.findByRole('alertdialog');
  expect(message.textContent).toContain('Someone else changed this geofence.');
  await user.click(within(message).getByRole('button', { name: 'OK' }));
  respond(geofences.saveGeofence, { result: { ...depot, version: 5 } });
  await save();
  expect(await screen.findByText('Depot was saved.')).toBeTruthy();
  expect(requests(geofences.saveGeofence).map(({ ifMatch, body }) => [ifMatch, body])).toEqual([
    // A name that was not changed may be one that is not accepted any more.
    ['"3"', { shape: { ...circle, radius: 500 } }],
    ['"4"', { name: 'Depot', shape: { ...circle, radius: 500 } }],
  ]);
});

test('POS-05-partial a corner of an area with a hole and two parts is changed, and the hole and the other part stay', async () => {
  const square = (at: number, size: number): [number, number][] => [[at, at], [at + size, at], [at + size, at + size], [at, at]]; // prettier-ignore
  const [hole, part] = [square(2, 1).map(([x, y]): [number, number] => [x, y - 0.5]), square(20, 2)];
  const rings = [square(0, 9), hole, part];
  const { open, respond, fill, requests, user } = startConsole();
  respond(geofences.listGeofences, { result: [{ ...depot, shape: { kind: 'polygon', rings } }] });
  respond(geofences.saveGeofence, { result: depot });
  await open('/geofences');
  await user.click(screen.getByRole('button', { name: 'Depot' }));
  expect(screen.getByText('These are the corners of the first part. Holes and other parts stay as they are.')).toBeTruthy();
  const corners = screen.getByLabelText<HTMLTextAreaElement>('Corners');
  await fill(corners, corners.value.replace('9, 9', '9, 8'));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Depot was saved.');
  await user.click(screen.getByRole('button', { name: 'Depot' }));
  await user.click(screen.getByRole('button', { name: 'Remove holes and other parts' }));
  expect(screen.queryByText(/Holes and other parts stay/u)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await expect.poll(() => requests(geofences.saveGeofence)).toHaveLength(2);
  const changed = [[0, 0], [9, 0], [8, 9], [0, 0]]; // prettier-ignore
  expect(requests(geofences.saveGeofence).map(({ body }) => body.shape)).toEqual([
    { kind: 'polygon', rings: [changed, hole, part] },
    { kind: 'polygon', rings: [rings[0]] },
  ]);
});

test('POS-05-partial a circle that is only renamed is saved with its own area, however exact', async () => {
  const shape = { ...circle, latitude: 41.888_888_888_88, radius: 150.5 };
  const { open, respond, fill, requests, user } = startConsole();
  respond(geofences.listGeofences, { result: [{ ...depot, shape }] });
  respond(geofences.saveGeofence, { result: depot });
  await open('/geofences');
  await user.click(screen.getByRole('button', { name: 'Depot' }));
  await fill(screen.getByLabelText('Name'), 'Depot north');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Depot was saved.');
  expect(requests(geofences.saveGeofence).map(({ body }) => body)).toEqual([{ name: 'Depot north', shape }]);
});

test('BLK-05-partial the check of a file says nothing about another one that was chosen meanwhile', async () => {
  const { open, respond, hold, user, loaded } = startConsole();
  respond(geofences.listGeofences, { result: [] });
  const result = { dryRun: true, added: 2, leftOutCount: 0, leftOut: [] };
  respond(geofences.importGeofences, { result });
  await open('/geofences');
  await user.click(screen.getByRole('button', { name: 'Import GeoJSON' }));
  const dialog = within(screen.getByRole('dialog'));
  const check = async (name: string) => {
    await user.upload(dialog.getByLabelText('GeoJSON file', { selector: 'input' }), new File(['{}'], name));
    await user.click(dialog.getByRole('button', { name: 'Check first' }));
  };
  const release = hold(geofences.importGeofences);
  await check('former.geojson');
  await user.upload(dialog.getByLabelText('GeoJSON file', { selector: 'input' }), new File(['{}'], 'areas.geojson'));
  release();
  await loaded();
  expect(dialog.queryByText(/^2 geofences can be added\./u)).toBeNull();
  await check('areas.geojson');
  expect(await dialog.findByText(/^2 geofences can be added\./u)).toBeTruthy();
});
