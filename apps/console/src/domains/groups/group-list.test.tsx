import { DEFAULT_GROUP_KEY, devices, groups, rollouts } from '@highline/contract';
import { type BoundFunctions, type queries, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { button, example, Failed, row, rowsOf, startConsole } from '../../testing/console.tsx';

const question = () => screen.findByRole('alertdialog');
const { bind } = rowsOf(groups.listGroups, [{}])[0]!;
const nothing = { firmware: '', config: '', bind: { firmware: [], config: [], status: [] }, postpone: null, successful: 0 };
const group = (name: string, parts: Partial<groups.Group> = {}) => ({
  ...nothing,
  group: name,
  groupName: name,
  description: '',
  schedule: 'immediate' as const,
  deviceCount: 0,
  ...parts,
});
const all = [group('default', { group: DEFAULT_GROUP_KEY }), group('North'), group('South')];

describe('/groups/list', () => {
  test("GRP-01 a page of ten has the files, schedule, the date in the header's zone, and how many routers have them", async () => {
    const { open, sendList, rows, requests } = startConsole();
    // An evening in Chicago is the next day in UTC.
    const postpone = Date.parse('2027-03-16T02:30:00Z') / 1000;
    const bound = { firmware: '9.1.0', schedule: 'bootup' as const, postpone, successful: 1, deviceCount: 2, bind };
    const others = Array.from({ length: 9 }, (_, index) => group(`Group ${index}`));
    sendList(groups.listGroups, [
      group('Bound', { ...bound, description: 'yard A' }),
      group('Second', { config: 'a.cfg' }),
      ...others,
    ]);
    await open('/groups/list');
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      '',
      '#',
      'Group',
      'Firmware',
      'Config File',
      'Schedule to Update',
      'Postpone Update Until',
      'Update Status',
      'Description',
    ]);
    expect(rows()).toHaveLength(10);
    for (const text of ['9.1.0', 'Up on next bootup', '03/15/2027', 'Successful: 1/2', 'yard A'])
      expect(row('Bound').textContent).toContain(text);
    expect(row('Second').textContent).toContain('a.cfg');
    expect(row('Group 1').textContent).toContain('Successful: 0/0nothing bound');
    expect(row('Group 1').textContent).toContain('Immediate');
    expect(requests(groups.listGroups)[0]?.query).toMatchObject({ limit: 10, offset: 0, zone: 'America/Chicago' });
  });

  test('GRP-05 the search panel sends field, text, schedule and days; Clear empties it, Cancel keeps the list, Reset shows all', async () => {
    const { open, visit, sendList, requests, user, address } = startConsole();
    sendList(groups.listGroups, all);
    await open('/groups/list');
    const sent = () => requests(groups.listGroups).at(-1)?.query;
    const search = async (fill: (panel: BoundFunctions<typeof queries>) => Promise<void>, then = 'Apply') => {
      await user.click(button('Search'));
      const panel = within(screen.getByRole('dialog', { name: 'Search groups' }));
      await fill(panel);
      await user.click(panel.getByRole('button', { name: then }));
    };
    await search(async (panel) => {
      await user.selectOptions(panel.getByLabelText('Field'), 'Config File');
      await user.type(panel.getByLabelText('Text'), 'yard');
      await user.selectOptions(panel.getByLabelText('Schedule'), 'Up on next bootup');
    });
    await expect.poll(sent).toMatchObject({ field: 'config', search: 'yard', schedule: 'bootup' });
    expect(screen.getByText('Config File: yard')).toBeTruthy();
    const before = address();
    await search(async (panel) => {
      await user.click(panel.getByRole('button', { name: 'Clear' }));
      expect(panel.getByLabelText<HTMLInputElement>('Text').value).toBe('');
    }, 'Cancel');
    expect(address()).toBe(before);
    await search(async () => {}, 'Reset settings');
    await expect.poll(address).toBe('/groups/list');
    await visit('/groups/list?rollout=failed&search=yard&ignoreCase=true');
    await search(async () => {}, 'Reset settings');
    await expect.poll(address).toBe('/groups/list');

    await search(async (panel) => {
      await user.click(panel.getByLabelText('Custom date range'));
      const until = panel.getByLabelText('Until');
      const enter = async (field: HTMLElement, day: string) => {
        await user.clear(field);
        await user.paste(day);
        await user.tab();
      };
      await enter(panel.getByLabelText('From'), '02/03/2026');
      await enter(until, '02/01/2026');
      expect(panel.getByText('The end date must not be before the start date.')).toBeTruthy();
      await enter(until, '11/24/2026');
      expect(panel.getByText('The end date must not be later than today.')).toBeTruthy();
      await user.click(panel.getByRole('button', { name: 'Apply' }));
      expect(screen.getByRole('dialog', { name: 'Search groups' })).toBeTruthy();
      await enter(until, '31/12/2025');
      await user.click(panel.getByRole('button', { name: 'Apply' }));
      expect(panel.getByText('Invalid Until format')).toBeTruthy();
      await enter(until, '02/04/2026');
    });
    await expect.poll(sent).toMatchObject({ from: '02/03/2026', until: '02/04/2026' });
    await user.click(button(/Remove filter Created: 02\/03\/2026 – 02\/04\/2026/u));
    await expect.poll(address).toBe('/groups/list');
  });

  test('GRP-05-partial days of an address from further east end with today of the zone, in the list and its file', async () => {
    const { open, sendList, respond, requests, user } = startConsole({ now: '2026-11-24T02:00:00Z' });
    respond(groups.exportGroups, 'content');
    sendList(groups.listGroups, all);
    await open('/groups/list?from=11/01/2026&until=11/24/2026');
    const days = { from: '11/01/2026', until: '11/23/2026', zone: 'America/Chicago' };
    expect(requests(groups.listGroups).at(-1)?.query).toMatchObject(days);
    await user.click(button('Download(.csv)'));
    await expect.poll(() => requests(groups.exportGroups).at(-1)?.query).toMatchObject(days);
    expect(button(/Remove filter Created: 11\/01\/2026 – 11\/23\/2026/u)).toBeTruthy();
    // The panel applies another filter with it.
    await user.click(button('Search'));
    await user.selectOptions(within(screen.getByRole('dialog')).getByLabelText('Schedule'), 'Immediate');
    await user.click(button('Apply'));
    await expect.poll(() => requests(groups.listGroups).at(-1)?.query).toMatchObject({ ...days, schedule: 'immediate' });
  });

  test('GRP-02 GRP-03 an admin opens a group and adds one', async () => {
    const { open, sendList, user, address, visit } = startConsole();
    sendList(groups.listGroups, all);
    await open('/groups/list');
    row('North').focus();
    await user.keyboard('{Enter}');
    await expect.poll(address).toBe('/groups/detail?group=North');
    await visit('/groups/list');
    await user.click(button('Add'));
    await expect.poll(address).toBe('/groups/add');
  });

  test('GRP-02-partial GRP-03-partial NAV-05-partial a user looks at the devices of a group and may neither add nor delete', async () => {
    const { open, respond, sendList, user, downloads, requests } = startConsole({ role: 'user' });
    sendList(groups.listGroups, all);
    respond(groups.exportGroups, new Blob(['Group\r\n']) as never);
    respond(groups.getGroup, { result: { ...example(groups.getGroup).result, control: 'read' } });
    sendList(groups.listMembers, [{ serial_number: 'HL-1' }]);
    await open('/groups/list');
    for (const denied of ['Add', 'Delete']) expect(button(denied).getAttribute('aria-disabled')).toBe('true');
    await user.hover(button('Add'));
    expect(await screen.findByText('Only admins of the organization can add groups.')).toBeTruthy();
    const chosen = within(row('North')).getByRole('checkbox');
    await user.click(chosen);
    expect((await screen.findByRole('button', { name: 'Delete(1)' })).getAttribute('aria-disabled')).toBe('true');
    await user.click(chosen);
    await user.click(button('Download(.csv)'));
    await expect.poll(() => downloads.map(({ name }) => name)).toEqual(['Groups_export.csv']);
    expect(requests(groups.exportGroups)[0]?.query).toMatchObject({ zone: 'America/Chicago', language: 'en-US', format: 'csv' });
    await user.click(screen.getByText('North'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Devices of North' }));
    expect(await dialog.findByText('HL-1')).toBeTruthy();
    expect(dialog.queryByRole('checkbox')).toBeNull();
    expect(dialog.queryByRole('button', { name: /Move|Save|Edit group/u })).toBeNull();
    await user.keyboard('{Escape}');
  });

  test('IAM-04-partial who is limited looks at the devices of a group, reads why no group is added or deleted, and opens no form of one', async () => {
    const limitedTo = { groups: [{ id: 'North', name: 'North' }], tags: [] };
    const { open, sendList, respond, user, address, visit } = startConsole({ session: { limitedTo } });
    sendList(groups.listGroups, all);
    respond(groups.getGroup, { result: { ...example(groups.getGroup).result, control: 'read' } });
    sendList(groups.listMembers, [{ serial_number: 'HL-1' }]);
    await open('/groups/list');
    for (const denied of ['Add', 'Delete']) expect(button(denied).getAttribute('aria-disabled')).toBe('true');
    expect(await screen.findAllByText(/^You see only some of the vehicles of your organization/u)).toHaveLength(2);
    await user.click(screen.getByText('North'));
    expect(await within(await screen.findByRole('dialog', { name: 'Devices of North' })).findByText('HL-1')).toBeTruthy();
    expect(address()).toBe('/groups/list');
    await user.keyboard('{Escape}');
    await visit('/groups/detail?group=South');
    expect(await screen.findByText(/^You see only some of the vehicles of your organization/u)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  });

  test('OVW-02 the number of groups on the overview leads to them', async () => {
    const { open, sendList, user, address } = startConsole();
    sendList(groups.listGroups, all);
    await open('/dashboard');
    await user.click(await screen.findByRole('link', { name: 'Open groups' }));
    await expect.poll(address).toBe('/groups/list');
  });

  test('DEV-03-partial SHR-04-partial a group in the list of devices leads to the groups, where its row is marked, on its page', async () => {
    const { open, sendList, user, address } = startConsole({ role: 'user' });
    sendList(groups.listGroups, [...Array.from({ length: 11 }, (_, index) => group(`Aa ${index}`)), group('Zz')]);
    sendList(devices.listDevices, [{ group: 'Zz', group_name: 'Zz' }]);
    await open('/devices/list');
    await user.click(await screen.findByRole('link', { name: 'Zz' }));
    await expect.poll(address).toBe('/groups/list?page=2');
    expect((await screen.findByText('Zz')).closest('tr')?.dataset['highlighted']).toBeDefined();
  });

  test('GRP-04 SHR-07-partial delete mode spares the default group, asks the quoted question with its effect, and asks again when that changed', async () => {
    const { open, sendList, respond, requests, user } = startConsole();
    sendList(groups.listGroups, [all[0]!, group('Gone', { bind }), all[2]!]);
    const arrivals = (count: number) => {
      const { result } = example(rollouts.moveImpact);
      const firmware = { ...result.firmware!, change: count, offline: 0, vehicles: ['Bus 1', 'Bus 2'].slice(0, count) };
      return { ...result, firmware, config: null, confirmation: `of ${count}` };
    };
    respond(rollouts.moveImpact, { result: arrivals(0) });
    await open('/groups/list');
    await user.click(button('Delete'));
    const remove = button(/^Delete\(/u);
    expect([remove.textContent, remove.getAttribute('aria-disabled')]).toEqual(['Delete(0)', 'true']);
    const spared = within(row('default')).getByRole<HTMLInputElement>('checkbox');
    await user.click(spared);
    expect([spared.checked, spared.getAttribute('aria-disabled')]).toEqual([false, 'true']);
    expect(screen.getAllByText(/The default group cannot be deleted/u)).not.toHaveLength(0);
    await user.click(within(row('South')).getByRole('checkbox'));
    await user.click(button('Cancel'));
    expect(screen.queryAllByRole('checkbox', { checked: true })).toEqual([]);
    await user.click(button('Delete'));
    await user.click(within(row('Gone')).getByRole('checkbox'));
    await user.click(button('Delete(1)'));
    const text = (await question()).textContent;
    for (const part of [
      'Are you sure you want to delete the selected devices?',
      'This action is permanent and cannot be undone.',
      'Their devices move to the default group.',
      '1 of these groups has firmware or a config file bound.',
      'Gone',
    ])
      expect(text).toContain(part);
    expect(text).not.toContain('restart now');
    await user.click(within(await question()).getByRole('button', { name: 'Cancel' }));
    expect(requests(groups.deleteGroups)).toEqual([]);

    // Firmware is bound to the default group while the question is shown.
    await user.click(button('Delete(1)'));
    await question();
    respond(rollouts.moveImpact, { result: arrivals(2) });
    respond(groups.deleteGroups, ({ body }) =>
      body.confirmed === 'of 2' ? { result: { deleted: 1 } } : new Failed('impact.changed', { detail: arrivals(2) }),
    );
    await user.click(within(await question()).getByRole('button', { name: 'Delete' }));
    await screen.findByText(/2 vehicles restart now because of what is bound there \(Bus 1, Bus 2\)/u);
    sendList(groups.listGroups, [all[0]!, all[2]!]);
    await user.click(within(await question()).getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Group delete success!')).toBeTruthy();
    expect(requests(groups.deleteGroups).at(-1)?.body).toEqual({ groups: ['Gone'], confirmed: 'of 2' });
    await waitFor(() => expect(screen.queryByText('Gone')).toBeNull());
  });

  test('ATT-04-partial routers that failed lead to the page of the group with them alone', async () => {
    const { open, sendList } = startConsole();
    const status = { ...bind.status[0]!, kind: 'firmware' as const, failed: 1, rolledBack: 0, fail: 1 };
    sendList(groups.listGroups, [group('North', { bind: { ...bind, status: [status] } })]);
    await open('/groups/list');
    expect(screen.getByRole('link', { name: '1 failed' }).getAttribute('href')).toBe(
      '/groups/detail?group=North&firmware=failed',
    );
  });
});
