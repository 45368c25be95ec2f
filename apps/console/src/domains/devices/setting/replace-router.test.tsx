import { deviceReplacement, devices } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { example, Failed, startConsole } from '../../../testing/console.tsx';

test('BLK-06 a new router takes over the device of a broken one: its serial and MAC are checked, the effect is shown, and shown again when it changed', async () => {
  const { open, respond, user, requests } = startConsole();
  const unit = (serial: string) => ({ serial_number: serial, mac: '00B2D056C227', model: '', isOnline: false });
  const effect = (tags: string[], confirmation: string) => ({
    ...example(deviceReplacement.replaceRouter).effect,
    vehicle: 'Bus 7',
    tags,
    former: unit('HL-OLD'),
    next: unit('HL-NEW'),
    confirmation,
    hasEuicc: false,
    esims: { moving: ['Spare'], staying: ['Fixed'] },
  });
  const { device } = example(devices.getDevice).result;
  respond(deviceReplacement.replaceRouter, () => new Failed('device.mac_mismatch'));
  await open(`/devices/setting?device=${device}&tab=settings`);
  await user.click(screen.getByRole('button', { name: 'Replace router…' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Replace router' }));
  const [serial, mac] = [/^Serial/u, /^MAC/u].map((label) => dialog.getByLabelText(label));
  await user.click(dialog.getByRole('button', { name: 'Continue' }));
  expect(requests(deviceReplacement.replaceRouter)).toEqual([]);
  await user.type(serial!, 'HL-NEW');
  await user.type(mac!, '00B2D056C228');
  await user.click(dialog.getByRole('button', { name: 'Continue' }));
  expect(await dialog.findByText('Incorrect MAC address')).toBeTruthy();
  const responses = { result: example(devices.getDevice).result as never };
  respond(deviceReplacement.replaceRouter, ({ query }) => {
    if (query.dryRun !== undefined) return { ...responses, effect: effect(['night'], 'seen') };
    if (query.confirmed === 'seen') return new Failed('impact.changed', { detail: effect(['day'], 'later') });
    return { ...responses, effect: effect(['day'], 'later') };
  });
  await user.click(dialog.getByRole('button', { name: 'Continue' }));
  expect(await dialog.findByText('night')).toBeTruthy();
  for (const text of ['Bus 7', /^HL-OLD returns to stock/u, /Spare/u, /Fixed/u, /wait for a bootup after the replacement/u])
    expect(dialog.getByText(text)).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Replace router' }));
  expect(await dialog.findByText('day')).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Replace router' }));
  expect(await screen.findByText('HL-OLD was replaced by HL-NEW.')).toBeTruthy();
  expect(requests(deviceReplacement.replaceRouter).at(-1)).toMatchObject({
    query: { confirmed: 'later' },
    body: { device, serial_number: 'HL-NEW', mac: '00B2D056C228' },
  });
});
