import { apiKeys, bulkJobs, commands, devices, groups, logs, notifications } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { example, Failed, startConsole } from '../../testing/console.tsx';

const bar = (name = 'Selected rows') => within(screen.getByRole('toolbar', { name }));
const check = async (user: ReturnType<typeof startConsole>['user'], name: string) =>
  user.click(await screen.findByRole('checkbox', { name: `Select ${name}` }));
const dialog = () => within(screen.getByRole('dialog', { name: /device/u }));
const question = async () => within(await screen.findByRole('alertdialog'));
const job = (parts: Partial<bulkJobs.BulkJob> = {}): { result: bulkJobs.BulkJob } => ({
  result: {
    ...example(bulkJobs.getJob).result,
    id: 'job',
    kind: 'tags',
    list: null,
    undo: false,
    state: 'done',
    total: 2,
    done: 2,
    failed: 0,
    skipped: 0,
    name: null,
    ended: '2026-11-23T15:00:00Z',
    retriable: false,
    undoable: false,
    add: [],
    remove: [],
    ...parts,
  },
});
const preview = (count: number, parts: Partial<bulkJobs.JobPreview> = {}) => ({
  result: { devices: count, online: 0, unchanged: 0, arrivals: null, confirmation: `${count}-a`, ids: null, ...parts },
});

/** The list of four devices. */
function startDevices(options: Parameters<typeof startConsole>[0] = {}) {
  const tools = startConsole(options);
  tools.sendList(
    devices.listDevices,
    ['A', 'B', 'C', 'D'].map((device) => ({ device, serial_number: `HL-${device}`, vehicle_number: '', vehicleNumber: '' })),
  );
  tools.sendList(bulkJobs.listJobs, []);
  return { ...tools, started: () => tools.requests(bulkJobs.startJob).at(-1)?.body };
}

describe('the bar of selected devices', () => {
  test('BLK-01-partial tags of two: the effect is shown before, and the result after', async () => {
    const { open, user, respond, started } = startDevices();
    respond(bulkJobs.previewJob, preview(2));
    respond(bulkJobs.startJob, job());
    await open('/devices/list');
    expect(screen.queryByRole('toolbar', { name: 'Selected devices' })).toBeNull();
    for (const serial of ['HL-A', 'HL-B']) await check(user, serial);
    expect(bar('Selected devices').getByText('2 selected')).toBeTruthy();
    await user.click(bar('Selected devices').getByRole('button', { name: 'Tags…' }));
    await user.type(dialog().getByLabelText('Add'), 'night{Enter}');
    expect(await dialog().findByText('2 devices will change.')).toBeTruthy();
    await user.click(dialog().getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('2 devices changed')).toBeTruthy();
    expect(started()).toEqual({ action: { kind: 'tags', add: ['night'], remove: [] }, selection: { devices: ['A', 'B'] } });
    expect(screen.queryByRole('toolbar', { name: 'Selected devices' })).toBeNull();
  });

  test('BLK-01-partial all that match the filter are moved, also those that are not loaded, and moved back by Undo', async () => {
    const { open, user, respond, sendList, started, requests } = startDevices();
    sendList(groups.listGroups, [{ group: 'depot', groupName: 'Depot' }]);
    respond(groups.getGroup, { result: { ...example(groups.getGroup).result, group: 'depot', groupName: 'Depot' } });
    respond(bulkJobs.previewJob, preview(4, { arrivals: { firmware: null, config: null, confirmation: 'nothing' } }));
    // By now more of them match: the user was not shown a question with a number, and the move stands.
    respond(bulkJobs.startJob, ({ body }) =>
      body.preview === undefined || requests(bulkJobs.startJob).length > 1
        ? job({ kind: 'move', done: 4, undoable: true })
        : new Failed('impact.changed', { detail: preview(7).result }),
    );
    respond(bulkJobs.undoJob, job({ kind: 'move', name: 'Depot', total: 4, done: 4, undo: true }));
    await open('/devices/list?search=HL&size=5');
    await check(user, 'HL-A');
    await user.click(bar('Selected devices').getByRole('button', { name: 'Select all 4 that match' }));
    expect(bar('Selected devices').getByText('4 selected')).toBeTruthy();
    await user.click(bar('Selected devices').getByRole('button', { name: 'Move to group' }));
    await user.click(dialog().getByRole('button', { name: /^Group/u }));
    await user.click(await screen.findByRole('option', { name: 'Depot' }));
    await user.click(dialog().getByRole('button', { name: 'Move' }));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(started()).toMatchObject({
      action: { kind: 'move', group: 'depot' },
      selection: { filter: { search: 'HL' } },
      confirmed: 'nothing',
    });
    expect(requests(bulkJobs.startJob)).toHaveLength(1);
    await expect.poll(() => requests(bulkJobs.undoJob).map(({ params }) => params.job)).toEqual(['job']);
    expect(await screen.findByText('Undo: Move 4 devices to Depot: 4 done')).toBeTruthy();
  });

  test('BLK-01-partial a move whose group starts something else by then says so as it asks again', async () => {
    const { open, user, respond, sendList, requests } = startDevices();
    sendList(groups.listGroups, [{ group: 'depot', groupName: 'Depot' }]);
    respond(groups.getGroup, { result: { ...example(groups.getGroup).result, group: 'depot', groupName: 'Depot' } });
    const starting = (change: number) => {
      const confirmation = `${change}`;
      const none = {
        already: 0,
        offline: 0,
        unsuited: 0,
        otherModels: [],
        ofOtherModel: 0,
        older: 0,
        newer: [],
        unsigned: 0,
        vehicles: [],
      };
      const config = { ...none, name: 'depot.cfg', routers: change, change, confirmation };
      return preview(4, { arrivals: { firmware: null, config, confirmation } });
    };
    respond(bulkJobs.previewJob, starting(2));
    respond(bulkJobs.startJob, ({ body }) =>
      body.confirmed === '3'
        ? job({ kind: 'move', done: 4 })
        : new Failed('impact.changed', { detail: starting(3).result.arrivals }),
    );
    await open('/devices/list');
    await check(user, 'HL-A');
    await user.click(bar('Selected devices').getByRole('button', { name: 'Move to group' }));
    await user.click(dialog().getByRole('button', { name: /^Group/u }));
    await user.click(await screen.findByRole('option', { name: 'Depot' }));
    await user.click(dialog().getByRole('button', { name: 'Move' }));
    const again = /^The updates that this starts changed in the meantime/u;
    expect((await question()).queryByText(again)).toBeNull();
    respond(bulkJobs.previewJob, starting(3));
    await user.click((await question()).getByRole('button', { name: 'Move' }));
    expect(await screen.findByText(again)).toBeTruthy();
    await user.click((await question()).getByRole('button', { name: 'Move' }));
    expect(await screen.findByText('4 devices changed')).toBeTruthy();
    expect(requests(bulkJobs.startJob).map(({ body }) => body.confirmed)).toEqual(['2', '3']);
  });

  test('BLK-01-partial a command says who will run it before it starts, and its result arrives on whatever page the user is', async () => {
    const { open, visit, user, respond, sendList, push, started, requests, hold } = startDevices();
    sendList(commands.listCommands, [{ id: 'blink', name: 'Blink', kind: 'identify', argument: '5' }]);
    respond(bulkJobs.previewJob, preview(2, { online: 1 }));
    const running = job({ kind: 'command', name: 'Blink', state: 'running', done: 0, ended: null });
    respond(bulkJobs.startJob, running);
    respond(bulkJobs.getJob, running);
    await open('/devices/list');
    for (const serial of ['HL-A', 'HL-B']) await check(user, serial);
    // A choice that is read before the commands have come is not sent as another one.
    const release = hold(commands.listCommands);
    await user.click(bar('Selected devices').getByRole('button', { name: 'Run command' }));
    const choice = await dialog().findByRole<HTMLSelectElement>('combobox', { name: 'Command' });
    expect(choice.selectedOptions[0]?.textContent).toBe('…');
    await user.click(dialog().getByRole('button', { name: 'Continue' }));
    expect(requests(bulkJobs.previewJob)).toEqual([]);
    release();
    await expect.poll(() => choice.selectedOptions[0]?.textContent).toBe('Blink');
    await user.click(dialog().getByRole('button', { name: 'Continue' }));
    const text = (await screen.findByRole('alertdialog')).textContent;
    expect(text).toContain('1 is connected and will run it now.');
    expect(text).toContain('1 is not connected and will be listed as failed.');
    expect(requests(bulkJobs.startJob)).toEqual([]);
    await user.click((await question()).getByRole('button', { name: 'Run' }));
    expect(await screen.findByText(/^Job started/u)).toBeTruthy();
    expect(started()).toMatchObject({ action: { kind: 'command', command: 'blink' } });
    sendList(logs.listLogs, []);
    await visit('/logs');
    respond(bulkJobs.getJob, job({ kind: 'command', name: 'Blink', done: 1, failed: 1 }));
    push('jobs');
    expect(await screen.findByText('Run Blink on 2 devices: 1 done · 1 failed')).toBeTruthy();
  });

  test('BLK-01-partial devices are deleted after a question; the file has the selected ones', async () => {
    const { open, user, respond, started, requests, downloads } = startDevices();
    respond(bulkJobs.previewJob, preview(1));
    respond(bulkJobs.startJob, job({ kind: 'delete', total: 1, done: 1 }));
    respond(devices.exportChosen, new Blob(['#\r\n']) as never);
    await open('/devices/list');
    await check(user, 'HL-C');
    await user.click(bar('Selected devices').getByRole('button', { name: 'Export' }));
    await expect.poll(() => downloads.map(({ name }) => name)).toEqual(['Devices_export.csv']);
    expect(requests(devices.exportChosen)[0]?.body.devices).toEqual(['C']);
    await user.click(bar('Selected devices').getByRole('button', { name: 'Delete' }));
    expect((await question()).getByText('HL-C')).toBeTruthy();
    await user.click((await question()).getByRole('button', { name: 'Delete 1 device' }));
    expect(await screen.findByText(/: 1 done$/u)).toBeTruthy();
    expect(started()).toEqual({ action: { kind: 'delete' }, selection: { devices: ['C'] }, preview: '1-a' });
  });

  test.each([
    ['Delete', 'Delete 4 devices', 'Delete 7 devices'],
    ['Run command', 'Run', 'Run'],
  ])(
    'BLK-01-partial %s of all that match: when others match by then, the question comes again with their number, and says why',
    async (name, first, then) => {
      const { open, user, respond, sendList, started, requests } = startDevices();
      sendList(commands.listCommands, [{ id: 'blink', name: 'Blink', kind: 'identify', argument: '5' }]);
      respond(bulkJobs.previewJob, preview(4));
      respond(bulkJobs.startJob, ({ body }) =>
        body.preview === '7-a' ? job({ total: 7, done: 7 }) : new Failed('impact.changed', { detail: preview(7).result }),
      );
      await open('/devices/list?size=5');
      await check(user, 'HL-A');
      await user.click(bar('Selected devices').getByRole('button', { name: 'Select all 4 that match' }));
      await user.click(bar('Selected devices').getByRole('button', { name }));
      if (name !== 'Delete') {
        await screen.findByRole('option', { name: 'Blink' });
        await user.click(dialog().getByRole('button', { name: 'Continue' }));
      }
      const confirm = (await question()).getByRole('button', { name: first });
      expect((await question()).getByText(/4 devices/u, { selector: 'p, li' })).toBeTruthy();
      expect((await question()).queryByText(/^The devices changed in the meantime/u)).toBeNull();
      respond(bulkJobs.previewJob, preview(7));
      await user.click(confirm);
      expect(await screen.findByText(/7 devices/u, { selector: 'p, li' })).toBeTruthy();
      expect((await question()).getByText(/^The devices changed in the meantime/u)).toBeTruthy();
      await user.click((await question()).getByRole('button', { name: then }));
      expect(await screen.findByText(/7 done$|7 devices changed/u)).toBeTruthy();
      expect(requests(bulkJobs.startJob).map(({ body }) => body.preview)).toEqual(['4-a', '7-a']);
      expect(started()).toHaveProperty('selection.filter');
    },
  );

  test('BLK-01-partial Delete of all that match has the devices that were counted, whatever matches by then', async () => {
    const { open, user, respond, started } = startDevices();
    respond(bulkJobs.previewJob, preview(3, { ids: ['A', 'B', 'E'] }));
    respond(bulkJobs.startJob, job({ kind: 'delete', total: 3, done: 3 }));
    await open('/devices/list?size=5');
    await check(user, 'HL-A');
    await user.click(bar('Selected devices').getByRole('button', { name: 'Select all 4 that match' }));
    await user.click(bar('Selected devices').getByRole('button', { name: 'Delete' }));
    await user.click((await question()).getByRole('button', { name: 'Delete 3 devices' }));
    expect(await screen.findByText(/: 3 done$/u)).toBeTruthy();
    expect(started()).toMatchObject({ action: { kind: 'delete' }, selection: { devices: ['A', 'B', 'E'] } });
  });

  test('TPL-03-partial settings are sent to many after the warning that they go to all at once and can cut vehicles off', async () => {
    const { open, user, respond, sendList, started } = startDevices();
    sendList(commands.listCommands, []);
    respond(bulkJobs.previewJob, preview(1));
    respond(bulkJobs.startJob, job({ kind: 'send' }));
    await open('/devices/list');
    await check(user, 'HL-A');
    await user.click(bar('Selected devices').getByRole('button', { name: 'Run command' }));
    await user.selectOptions(await dialog().findByRole('combobox', { name: 'Command' }), 'apply-settings');
    await user.click(dialog().getByRole('button', { name: 'Continue' }));
    expect((await screen.findByRole('alertdialog')).textContent).toContain('A wrong value can cut vehicles off');
    await user.click((await question()).getByRole('button', { name: 'Run' }));
    await expect.poll(started).toMatchObject({ action: { kind: 'send', send: 'apply-settings' } });
  });

  test('BLK-01-partial a user may export, and nothing else', async () => {
    const { open, user } = startDevices({ role: 'user' });
    await open('/devices/list');
    await check(user, 'HL-A');
    expect(
      bar('Selected devices')
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual(['', 'Select all 4 that match', 'Export']);
  });

  test('BLK-01-partial the main account sets the subscriptions of several organizations', async () => {
    const { open, user, fill, respond, started } = startDevices({ role: 'main' });
    respond(bulkJobs.previewJob, preview(2));
    respond(bulkJobs.startJob, job({ kind: 'subscription' }));
    await open('/devices/orgList');
    for (const serial of ['HL-A', 'HL-B']) await check(user, serial);
    await user.click(bar('Selected devices').getByRole('button', { name: 'Subscription…' }));
    const fillDay = async (label: string, day: string) => {
      await fill(dialog().getByLabelText(new RegExp(`^${label}`, 'u')), day);
      await user.tab();
    };
    await fillDay('Start Date', '02/30/2026');
    await user.hover(dialog().getByRole('button', { name: 'Save' }));
    // At the field, and as the reason of the button.
    expect(await screen.findAllByText('Invalid Start Date format')).toHaveLength(2);
    await fillDay('Start Date', '01/01/2026');
    await fillDay('Expiry Date', '12/31/2031');
    expect(await dialog().findByText('2 devices will change.')).toBeTruthy();
    await user.click(dialog().getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('2 devices changed')).toBeTruthy();
    expect(started()).toMatchObject({ action: { kind: 'subscription', started: '01/01/2026', expired: '12/31/2031' } });
  });
});

describe('selected rows of other lists', () => {
  test.each([
    ['admin', ['/devices/list', '/devices/esimsList', '/devices/service', '/devices/service/noitify', '/groups/list']],
    ['admin', ['/groups/firmwares', '/groups/config', '/users', '/logs', '/alerts', '/api-keys', '/jobs']],
    ['main', ['/devices/orgList', '/organization', '/inventory', '/colleagues', '/firmware']],
  ] as const)('BLK-01-partial every list of an %s has checkboxes: %s', async (role, [first, ...others]) => {
    const { open, visit } = startConsole({ role });
    const hasCheckboxes = async () =>
      (await screen.findAllByRole('checkbox', { name: 'Select all rows on this page' })).length > 0;
    await open(first);
    expect(await hasCheckboxes()).toBe(true);
    for (const path of others) {
      await visit(path);
      expect(await hasCheckboxes(), path).toBe(true);
    }
  });

  const yards = ['Yard A', 'Yard B', 'Yard C', 'Yard D'].map((name) => ({ group: name, groupName: name }));
  const startGroups = async () => {
    const tools = startConsole();
    tools.sendList(groups.listGroups, yards);
    tools.sendList(bulkJobs.listJobs, []);
    await tools.open('/groups/list?size=5');
    return tools;
  };

  test('BLK-01-partial all that match are selected and some of them left out; the file has the others', async () => {
    const { user, respond, requests } = await startGroups();
    respond(groups.exportGroups, new Blob(['#\r\n']) as never);
    await check(user, 'Yard A');
    await user.click(bar().getByRole('button', { name: 'Select all 4 that match' }));
    expect(await bar().findByText('4 selected')).toBeTruthy();
    for (const name of ['Yard C', 'Yard D']) await check(user, name);
    await user.click(bar().getByRole('button', { name: 'Export' }));
    await expect.poll(() => requests(groups.exportGroups)[0]?.query.only).toBe('Yard A,Yard B');
  });

  test('BLK-01-partial one row is deleted by its own call, several by a job, whose progress is seen on every page', async () => {
    const { user, respond, sendList, requests, visit, push } = await startGroups();
    respond(groups.deleteGroups, { result: { deleted: 1 } });
    const remove = async (count: number) => {
      await user.click(bar().getByRole('button', { name: `Delete(${count})` }));
      await user.click((await question()).getByRole('button', { name: 'Delete' }));
    };
    await check(user, 'Yard D');
    await remove(1);
    await expect.poll(() => requests(groups.deleteGroups)[0]?.body.groups).toEqual(['Yard D']);
    await expect.poll(() => screen.queryByRole('toolbar', { name: 'Selected rows' })).toBeNull();
    const running = job({ kind: 'remove', list: 'groups', state: 'running', total: 4, done: 3, ended: null });
    respond(bulkJobs.startJob, running);
    respond(bulkJobs.getJob, running);
    sendList(bulkJobs.listJobs, [running.result]);
    for (const name of ['Yard A', 'Yard B']) await check(user, name);
    await remove(2);
    expect(await screen.findByText(/^Job started/u)).toBeTruthy();
    expect(requests(bulkJobs.startJob)[0]?.body).toMatchObject({
      action: { kind: 'remove', list: 'groups' },
      selection: { rows: ['Yard A', 'Yard B'] },
    });
    await visit('/users');
    push('jobs');
    expect(await screen.findByRole('link', { name: /75 %|75%/u })).toBeTruthy();
    respond(bulkJobs.getJob, job({ kind: 'remove', list: 'groups', total: 4, done: 4 }));
    sendList(bulkJobs.listJobs, []);
    push('jobs');
    expect(await screen.findByText('Delete 4 groups: 4 done')).toBeTruthy();
    await expect.poll(() => screen.queryByRole('link', { name: /75/u })).toBeNull();
  });

  test('BLK-01-partial notifications and keys: a file of the selected rows, the names before, and one job', async () => {
    const { open, visit, user, respond, sendList, downloads, requests } = startConsole();
    sendList(bulkJobs.listJobs, []);
    sendList(
      notifications.listRecipients,
      ['=one@bulk.example', 'two@bulk.example'].map((mail) => ({ mail })),
    );
    respond(bulkJobs.startJob, job({ kind: 'remove', list: 'notifications' }));
    await open('/devices/service/noitify');
    for (const mail of ['=one@bulk.example', 'two@bulk.example']) await check(user, mail);
    await user.click(bar().getByRole('button', { name: 'Export' }));
    await expect.poll(() => downloads).toHaveLength(1);
    expect(await downloads[0]?.content.text()).toContain("'=one@bulk.example");
    await user.click(bar().getByRole('button', { name: 'Delete(2)' }));
    expect((await screen.findByRole('alertdialog')).textContent).toContain('two@bulk.example');
    await user.click((await question()).getByRole('button', { name: 'Delete(2)' }));
    expect(await screen.findByText(/: 2 done$/u)).toBeTruthy();
    sendList(
      apiKeys.listKeys,
      ['First', 'Second'].map((name) => ({ id: name, name, revoked: null })),
    );
    respond(bulkJobs.startJob, job({ kind: 'remove', list: 'apiKeys', done: 1, skipped: 1 }));
    await visit('/api-keys');
    for (const name of ['First', 'Second']) await check(user, name);
    await user.click(bar().getByRole('button', { name: 'Revoke 2' }));
    await user.click((await question()).getByRole('button', { name: 'Revoke 2' }));
    // Someone else revokes one of them in the meantime: the result says it.
    expect(await screen.findByText(/: 1 done · 1 skipped$/u)).toBeTruthy();
    expect(requests(bulkJobs.startJob).map(({ body }) => body.selection)).toEqual([
      { rows: ['=one@bulk.example', 'two@bulk.example'] },
      { rows: ['First', 'Second'] },
    ]);
  });

  test('BLK-01-partial until all that match are loaded nothing is done with the few', async () => {
    const { open, user, sendList, hold, respond, requests } = startConsole();
    sendList(
      logs.listLogs,
      Array.from({ length: 8 }, (_, index) => ({ seq: index + 1 })),
    );
    respond(logs.exportLogs, new Blob(['#\r\n']) as never);
    await open('/logs?size=5');
    await user.click((await screen.findAllByRole('checkbox', { name: /^Select /u }))[1]!);
    const isDisabled = () => bar().getByRole('button', { name: 'Export' }).closest('fieldset')?.disabled;
    const release = hold(logs.listLogs);
    await user.click(bar().getByRole('button', { name: 'Select all 8 that match' }));
    await expect.poll(isDisabled).toBe(true);
    release();
    await expect.poll(isDisabled).toBe(false);
    await user.click(bar().getByRole('button', { name: 'Export' }));
    await expect.poll(() => requests(logs.exportLogs)).toHaveLength(1);
    expect(requests(logs.exportLogs)[0]?.query).not.toHaveProperty('only');
  });
});

describe('/jobs', () => {
  const items = [
    { n: 1, device: 'A', serial_number: 'HL-A', vehicle_number: '', state: 'done', reason: null, message: null, row: null },
    {
      n: 2,
      device: 'B',
      serial_number: 'HL-B',
      vehicle_number: '',
      state: 'failed',
      reason: 'command.offline',
      message: null,
      row: null,
    },
  ] as const;

  test('BLK-01-partial a job has a result for each device, and exactly the failed are tried again in a job of their own', async () => {
    const { open, user, respond, sendList, requests, address, downloads } = startConsole();
    const ended = job({ kind: 'command', name: 'Blink', done: 1, failed: 1, retriable: true });
    sendList(bulkJobs.listJobs, [ended.result]);
    respond(bulkJobs.getJob, ({ params }) =>
      params.job === 'job' ? ended : job({ id: 'again', kind: 'command', name: 'Blink', total: 1, done: 0, failed: 1 }),
    );
    sendList(bulkJobs.listItems, items);
    respond(bulkJobs.retryJob, job({ id: 'again' }));
    await open('/jobs');
    await check(user, 'Run Blink on 2 devices');
    expect(bar().getByRole('button', { name: 'Cancel job' }).getAttribute('aria-disabled')).toBe('true');
    await user.click(bar().getByRole('button', { name: 'Export' }));
    await expect.poll(() => downloads).toHaveLength(1);
    expect(await downloads[0]?.content.text()).toContain('Run Blink on 2 devices,Done,1 done · 1 failed');
    await user.click(screen.getByRole('link', { name: 'Run Blink on 2 devices' }));
    expect((await screen.findByRole('row', { name: /HL-A/u })).textContent).toContain('Done');
    expect(screen.getByRole('row', { name: /HL-B/u }).textContent).toContain('Not connected; nothing was sent');
    await user.click(screen.getByRole('button', { name: 'Retry 1 failed' }));
    await expect.poll(address).toBe('/jobs/detail?job=again');
    expect(requests(bulkJobs.retryJob)[0]?.params).toEqual({ job: 'job' });
    await expect.poll(() => screen.getByRole('heading', { level: 1 }).textContent).toBe('Run Blink on 1 device');
  });

  test('BLK-01-partial rows have their names, and what keeps one of them', async () => {
    const { open, respond, sendList } = startConsole();
    respond(bulkJobs.getJob, job({ kind: 'remove', list: 'configs', done: 1, failed: 1 }));
    sendList(bulkJobs.listItems, [
      { ...items[0], row: { id: 'free', name: 'free.cfg' } },
      { ...items[1], reason: 'config.bound', message: 'Depot', row: { id: 'bound', name: 'bound.cfg' } },
    ]);
    await open('/jobs/detail?job=job');
    expect((await screen.findByRole('row', { name: /bound\.cfg/u })).textContent).toContain(
      'Groups are bound to this file: Depot',
    );
    expect(screen.getByRole('row', { name: /free\.cfg/u }).textContent).toContain('Done');
  });
});

test.each([
  [{ total: 4, done: 2, failed: 1, skipped: 1 }, ['50%', '25%', '25%']],
  [{ total: 0, done: 0, failed: 0, skipped: 0 }, ['0%', '0%', '0%']],
])('BLK-04-partial the bar of a job is as wide as its results: %j', async (counts, widths) => {
  const { open, respond, sendList } = startDevices();
  respond(bulkJobs.getJob, job(counts));
  sendList(bulkJobs.listItems, []);
  await open('/jobs/detail?job=job');
  const parts = [...(await screen.findByRole('progressbar')).children].map((part) => [
    part.getAttribute('data-state'),
    (part as HTMLElement).style.width,
  ]);
  expect(parts).toEqual([
    ['done', widths[0]],
    ['skipped', widths[1]],
    ['failed', widths[2]],
  ]);
});
