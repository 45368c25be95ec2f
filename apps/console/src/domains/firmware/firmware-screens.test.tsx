import { firmware } from '@highline/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { button, startConsole } from '../../testing/console.tsx';

const image = (version: string, parts: Partial<firmware.Firmware> = {}) => ({
  pk: version,
  version,
  profile: 'HL-R520 5G',
  ...parts,
});

test('FWR-01 users read versions, notes, sizes and dates, three a page, searched by the notes as typed', async () => {
  const { open, visit, sendList, user, rows, requests } = startConsole({ role: 'user' });
  const long = `9.9.9-${'x'.repeat(40)}`;
  const updated = '2026-02-03T12:34:56Z';
  const note = String.raw`First line\nsecond line`;
  sendList(firmware.listFirmware, [
    image(long, { note, size: 1_500_000, updated, signedBy: 'key' }),
    ...['1.1', '1.2', '1.3'].map((version) => image(version, { size: 2_048, signedBy: null })),
  ]);
  await open('/groups/firmwares');
  expect(rows()).toHaveLength(3);
  expect(screen.getByText('1–3 of 4')).toBeTruthy();
  const found = rows()[0]!;
  expect(within(found).getByTitle(long).textContent).toBe(`${long.slice(0, 27)}…`);
  for (const text of ['1.43 MB', '02/03/2026 06:34:56', 'Signature and SHA-256']) expect(found.textContent).toContain(text);
  expect(found.querySelectorAll('br')).toHaveLength(1);
  expect(found.textContent).not.toContain(String.raw`\n`);
  await user.type(screen.getByRole('searchbox'), 'SECOND');
  await expect.poll(() => requests(firmware.listFirmware).at(-1)?.query).toMatchObject({ field: 'note', search: 'SECOND' });
  expect(screen.queryByRole('button', { name: /Upload|Delete/u })).toBeNull();
  await visit('/devices/firmware');
  expect(rows()).toHaveLength(3);
});

test('FWR-02-partial firmware that groups have bound stays, and they are named', async () => {
  const { open, respond, sendList, fail, user, requests } = startConsole({ role: 'main' });
  sendList(firmware.listFirmware, [image('5.0.0')]);
  fail(firmware.deleteFirmware, 'firmware.bound', { detail: { groups: [{ groupName: 'North', orgName: 'Lakeshore' }] } });
  await open('/firmware');
  const remove = async () => {
    await user.click(button('Delete version 5.0.0'));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }));
  };
  await remove();
  expect(await screen.findByText(/North \(Lakeshore\)/u)).toBeTruthy();
  await user.click(button('OK'));
  respond(firmware.deleteFirmware, { result: { deleted: 1 } });
  sendList(firmware.listFirmware, []);
  await remove();
  // Not by the next refetch.
  await waitFor(() => expect(screen.queryByText('5.0.0')).toBeNull());
  expect(requests(firmware.deleteFirmware).map(({ params }) => params.firmware)).toEqual(['5.0.0', '5.0.0']);
});

test('FWR-02-partial an unsigned image does not get the version and model that were read from another one; what was typed stays', async () => {
  const { open, sendList, user } = startConsole({ role: 'main' });
  sendList(firmware.listFirmware, [image('5.0.0')]);
  await open('/firmware');
  await user.click(button('Upload'));
  const form = within(await screen.findByRole('dialog', { name: 'Upload firmware' }));
  const pick = (file: File) => user.upload(document.querySelector<HTMLInputElement>('input[type=file]')!, file);
  const shown = () => [/^Version/u, /^Device model/u].map((label) => form.getByLabelText<HTMLInputElement>(label).value);
  const manifest = new TextEncoder().encode(JSON.stringify({ model: 'HL-R520 5G', version: '3.0.0', payloadSize: 0 }));
  const length = new Uint8Array([0, 0, 0, manifest.length]);
  const signed = new File([manifest, new Uint8Array(64), length, 'HLIMAGE1'], 'signed.img');
  await pick(signed);
  await expect.poll(shown).toEqual(['3.0.0', 'HL-R520 5G']);
  await pick(new File(['other'], 'other.img'));
  expect(await form.findByText(/^This image is not signed/u)).toBeTruthy();
  expect(shown()).toEqual(['', '']);
  await user.type(form.getByLabelText(/^Version/u), '7.1');
  await pick(new File(['corrected'], 'corrected.img'));
  expect(await form.findByText(/^This image is not signed/u)).toBeTruthy();
  expect(shown()).toEqual(['7.1', '']);
});
