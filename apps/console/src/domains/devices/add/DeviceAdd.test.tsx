import { deviceAdding } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { button, example, startConsole } from '../../../testing/console.tsx';

const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });

describe('a CSV', () => {
  const { result } = example(deviceAdding.importDevices);
  const give = async ({ user }: Pick<ReturnType<typeof startConsole>, 'user'>) => {
    const file = new File(['SN,MAC\r\nx,y\r\n'], 'devices.csv', { type: 'text/csv' });
    await user.upload(document.querySelector<HTMLInputElement>('input[type=file]')!, file);
    await user.click(button('Import'));
  };

  test.each([
    ['csv.header', { reason: 'Missing: SN.' }, /Missing: SN\./u],
    ['csv.not_csv', {}, /file type error/u],
    ['csv.empty', {}, /The file has no rows\./u],
  ] as const)('that the server does not read ends in a clear message: %s', async (key, parts, text) => {
    const console = startConsole();
    console.fail(deviceAdding.importDevices, key, parts);
    await console.open('/devices/add?method=import');
    await give(console);
    expect((await screen.findByRole('dialog')).textContent).toMatch(text);
  });

  test('DEV-06-partial with 50,000 wrong rows names the first ones and how many more there are, and saves a report', async () => {
    const console = startConsole();
    const fail = Array.from({ length: 1_000 }, (_, index) => ({
      row: index + 2,
      serial: `=HYP${index}`,
      mac: '001122334455',
      error: 'Unknown router.',
    }));
    fail[0] = { row: 2, serial: 'HL5-1', mac: '', error: 'The expiry date must not be before the start date.' };
    const file = { ...result.file, ignored: [] };
    console.respond(deviceAdding.importDevices, {
      result: {
        ...result,
        success: 0,
        total: 50_000,
        failed: 50_000,
        fail,
        report: 'SN,error\r\n',
        reported: 1_000,
        file,
        dates: [],
      },
    });
    await console.open('/devices/add?method=import');
    await give(console);
    const dialog = await screen.findByRole('dialog');
    for (const text of [
      'Successfully added: 0 of 50,000.',
      'Row 2, HL5-1: The expiry date must not be before the start date.',
      'and 49990 more',
    ])
      expect(dialog.textContent).toContain(text);
    expect(within(dialog).getAllByRole('listitem')).toHaveLength(11);
    await console.user.click(within(dialog).getByRole('button', { name: 'Download Report' }));
    expect(await console.downloads[0]?.content.text()).toContain('SN,error');
  });
});

test('DEV-05-partial a day that does not exist, or an end before its start, is an error at its field, and nothing is sent', async () => {
  const { open, fill, user, requests } = startConsole();
  await open('/devices/add?method=manual');
  await fill(field('Serial number'), 'HL5-1');
  await fill(field('MAC address'), '00B2D056C227');
  const days = async (started: string, expired: string) => {
    await fill(field('Start Date'), started);
    await fill(field('Expiry Date'), expired);
    await user.tab();
    await user.click(button('Add'));
  };
  await days('02/30/2026', '12/31/2026');
  expect(screen.getByText(/(?:Please enter the|Invalid) Start Date/u)).toBeTruthy();
  expect(field('Start Date').value).not.toBe('03/02/2026');
  await days('13/45/2026', '99/99/9999');
  expect(screen.getByText(/(?:Please enter the|Invalid) Expiry Date/u)).toBeTruthy();
  await days('12/31/2026', '01/01/2026');
  expect(screen.getByText('The expiry date must not be before the start date.')).toBeTruthy();
  expect(requests(deviceAdding.addDevices)).toEqual([]);
});
