import { devices, groups, rollouts } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { example, Failed, startConsole } from '../../../testing/console.tsx';

test("DEV-07-partial a vehicle that changes its group is named with the new group's binding before the save, and again when that changed", async () => {
  const { open, respond, sendList, user, requests } = startConsole();
  const device = { ...example(devices.getDevice).result, group: 'home', group_name: 'Home' };
  respond(devices.getDevice, { result: device });
  respond(groups.getGroup, { result: { ...example(groups.getGroup).result, group: 'target', groupName: 'Target' } });
  sendList(groups.listGroups, [{ group: 'target', groupName: 'Target' }]);
  const arrivals = (name: string): rollouts.Arrivals => {
    const { result } = example(rollouts.moveImpact);
    const firmware = { ...result.firmware!, name, change: 1, offline: 0, vehicles: ['Bus 9'] };
    return { firmware, config: null, confirmation: name };
  };
  respond(rollouts.moveImpact, { result: arrivals('32.1.0') });
  respond(devices.saveDevice, ({ body }) =>
    body.confirmed === '32.3.0' ? example(devices.saveDevice) : new Failed('impact.changed', { detail: arrivals('32.3.0') }),
  );
  await open('/devices/setting?device=bus&tab=settings');
  await user.click(screen.getByRole('button', { name: 'Group Home' }));
  await user.click(await screen.findByRole('option', { name: 'Target' }));
  const save = screen.getByRole('button', { name: 'Save' });
  await user.click(save);
  const press = async (name: string, version: string) => {
    await screen.findByText(new RegExp(`Firmware ${version} is bound to group Target`, 'u'));
    const question = screen.getByRole('alertdialog');
    for (const text of ['1 vehicle restarts now', 'Bus 9', 'rolls back by itself']) expect(question.textContent).toContain(text);
    await user.click(within(question).getByRole('button', { name }));
  };
  await press('Cancel', '32.1.0');
  expect(requests(devices.saveDevice)).toEqual([]);
  await user.click(save);
  await press('Save', '32.1.0');
  await press('Save', '32.3.0');
  expect(await screen.findByText('Edit success')).toBeTruthy();
  expect(requests(devices.saveDevice).map(({ body }) => [body.group, body.confirmed])).toEqual([
    ['target', '32.1.0'],
    ['target', '32.3.0'],
  ]);
});
