import { devices } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { example, startConsole } from '../../../testing/console.tsx';

test('SVC-01-partial the main account extends a subscription, which does not end before it starts; the notes are not its to change', async () => {
  const { open, respond, requests, user } = startConsole({ role: 'main' });
  await open('/devices/setting?device=d1&tab=settings');
  const panel = within(await screen.findByRole('region', { name: 'Subscription' }));
  expect(screen.getByLabelText<HTMLTextAreaElement>('Notes').readOnly).toBe(true);
  const expiry = panel.getByLabelText(/^Expiry Date/u);
  const save = () => panel.getByRole('button', { name: 'Save' });
  await user.clear(expiry);
  await user.type(expiry, '01/01/2001');
  await user.tab();
  expect(panel.getAllByText('The expiry date must not be before the start date.')).toBeTruthy();
  expect(save().getAttribute('aria-disabled')).toBe('true');
  await user.clear(expiry);
  await user.type(expiry, '02/30/2036');
  await user.tab();
  // At the field, and as the reason of the button.
  expect(panel.getAllByText('Invalid Expiry Date format')).toHaveLength(2);
  expect(panel.queryByText('Please enter the Expiry Date')).toBeNull();
  await user.clear(expiry);
  await user.type(expiry, '12/31/2036');
  await user.tab();
  respond(devices.saveSubscription, example(devices.saveSubscription));
  await user.click(save());
  expect(await screen.findByText('Edit success')).toBeTruthy();
  expect(requests(devices.saveSubscription)[0]?.body).toMatchObject({ expired: '12/31/2036' });
});

test('SVC-01-partial twelve months more of a subscription that runs begin after its last day, however often it is pressed', async () => {
  const { open, respond, user } = startConsole({ role: 'main' });
  const { result } = example(devices.getDevice);
  respond(devices.getDevice, { result: { ...result, device: 'd1', started: '01/01/2024', expired: '12/31/2036' } });
  await open('/devices/setting?device=d1&tab=settings');
  const panel = within(await screen.findByRole('region', { name: 'Subscription' }));
  const days = () => [/^Start Date/u, /^Expiry Date/u].map((label) => panel.getByLabelText<HTMLInputElement>(label).value);
  for (let press = 0; press < 2; press += 1) await user.click(panel.getByRole('button', { name: '12 months' }));
  expect(days()).toEqual(['01/01/2024', '12/31/2037']);
});
