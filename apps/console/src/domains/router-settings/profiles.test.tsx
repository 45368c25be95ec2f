import { routerSettings, settingProfiles } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { example, startConsole } from '../../testing/console.tsx';

const SSID = 'WiFi.SSID[name=passengers].SSID';
const stored: routerSettings.LevelSettings = {
  ...example(routerSettings.readSettings).result,
  level: 'device',
  name: 'HL-1',
  version: 1,
  values: [{ path: SSID, value: 'Bus' }],
  inherited: [],
};

test('TPL-07-partial what the router runs is compared and fills the form, and a file that is no JSON is said to be none', async () => {
  const { user, open, respond, requests, hold, loaded } = startConsole({ role: 'admin' });
  respond(routerSettings.readSettings, { result: stored });
  await open('/groups/settings?device=d1');
  await user.type(await screen.findByDisplayValue('Bus'), ' 7');
  await user.click(screen.getByRole('button', { name: 'Profiles' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Profiles of settings' }));
  await user.upload(dialog.getByLabelText(/Profile file/u, { selector: 'input' }), new File(['x = 1'], 'profile.json'));
  await user.click(dialog.getByRole('button', { name: 'Compare' }));
  expect(await dialog.findByText('This file is not JSON.')).toBeTruthy();
  expect(requests(settingProfiles.importProfile)).toEqual([]);

  const profile = {
    format: 'highline-settings-profile',
    version: 1,
    name: 'HL-1',
    values: [{ path: SSID, value: 'Coach' }],
  } as const;
  respond(settingProfiles.readRunning, { result: { ...profile, values: [...profile.values] } });
  respond(settingProfiles.importProfile, {
    result: {
      dryRun: true,
      saved: false,
      problems: [{ row: 2, path: 'WiFi.Nothing', kind: 'unknown' }],
      changes: [{ path: SSID, before: 'Bus', after: 'Coach', isSecret: false }],
      values: [{ path: SSID, value: 'Coach' }],
    },
  });
  const source = dialog.getByLabelText<HTMLSelectElement>('Compare with');
  await user.selectOptions(source, 'What the router runs now');
  // What is compared with something else that was chosen meanwhile is not shown for this.
  const release = hold(settingProfiles.importProfile);
  await user.click(dialog.getByRole('button', { name: 'Compare' }));
  await expect.poll(() => requests(settingProfiles.importProfile)).toHaveLength(1);
  await user.selectOptions(source, 'file');
  release();
  await loaded();
  expect(dialog.queryByRole('status')).toBeNull();
  await user.selectOptions(source, 'What the router runs now');
  await user.click(dialog.getByRole('button', { name: 'Compare' }));
  const report = within(await dialog.findByRole('status'));
  expect(report.getByText('1 value differs:')).toBeTruthy();
  expect(report.getByText('Bus').tagName).toBe('DEL');
  expect(report.getByText('Coach').tagName).toBe('INS');
  expect(report.getByText(/No schema has this parameter/u)).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Fill the form with it' }));
  // What was typed goes.
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Yes' }));
  expect(await screen.findByText('1 value changed')).toBeTruthy();
  expect(screen.getByDisplayValue('Coach')).toBeTruthy();
});
