// @vitest-environment happy-dom
import { geofences } from '@highline/contract';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { startConsole } from '../../testing/console.tsx';

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
