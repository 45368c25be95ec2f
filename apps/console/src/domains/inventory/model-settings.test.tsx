import { inventory, organizations } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { startConsole } from '../../testing/console.tsx';

test('NOD-05-partial the report interval of a model is set, checked and emptied', async () => {
  const { open, respond, requests, user } = startConsole({ role: 'main' });
  const stored = (reportSeconds: number | null) => ({
    result: { reportSeconds: 60, models: [{ model: 'HL-R320', reportSeconds }] },
  });
  respond(inventory.listModelSettings, stored(null));
  await open('/inventory');
  const dialog = () => within(screen.getByRole('dialog', { name: 'Report intervals by model' }));
  const field = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'HL-R320' });
  const show = () => user.click(screen.getByRole('button', { name: 'Report intervals' }));
  const save = () => user.click(dialog().getByRole('button', { name: 'Save' }));
  await show();
  await user.type(await field(), '5');
  await save();
  expect(await dialog().findByText(/Enter 10 to 86,400 seconds/u)).toBeTruthy();
  expect(requests(inventory.saveModelSettings)).toEqual([]);
  for (const [typed, seconds] of [
    ['900', 900],
    ['', null],
  ] as const) {
    await user.clear(await field());
    if (typed !== '') await user.type(await field(), typed);
    respond(inventory.saveModelSettings, stored(seconds));
    respond(inventory.listModelSettings, stored(seconds));
    await save();
    expect(await screen.findByText('Edit success')).toBeTruthy();
    await show();
    await expect.poll(async () => (await field()).value).toBe(typed);
  }
  expect(requests(inventory.saveModelSettings).map(({ body }) => body.models)).toEqual([
    [{ model: 'HL-R320', reportSeconds: 900 }],
    [{ model: 'HL-R320', reportSeconds: null }],
  ]);
});

test('OLD-04-partial the form for a batch lists the models in stock after the report intervals were shown', async () => {
  const { open, respond, sendList, user, visit } = startConsole({ role: 'main' });
  respond(inventory.listModelSettings, { result: { reportSeconds: 60, models: [{ model: 'HL-R320', reportSeconds: 30 }] } });
  respond(inventory.listModels, { result: [{ model: 'HL-R320', inStock: 4 }] } as never);
  sendList(organizations.listOrganizations, []);
  await open('/inventory');
  await user.click(screen.getByRole('button', { name: 'Report intervals' }));
  await screen.findByRole('textbox', { name: 'HL-R320' });
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await visit('/devices/add');
  await user.click(screen.getByLabelText('Batch from stock'));
  expect(await screen.findByRole('option', { name: 'HL-R320' })).toBeTruthy();
});
