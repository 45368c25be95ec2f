import { esims } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { button, example, Failed, row, startConsole } from '../../testing/console.tsx';

const EID = '89049099990000000000000000000132';
const ROUTER = `/devices/esimsAdd?method=manual&serial=HL-1&eid=${EID}`;
const card = (name: string) => within(screen.getByRole('listitem', { name }));
const isBlocked = (element: HTMLElement) => element.getAttribute('aria-disabled') === 'true';
const question = () => screen.findByRole('alertdialog');
const impact = (parts: Partial<(typeof none)['impact']> = {}) => ({ ...none.impact, ...parts });
const none = {
  ...example(esims.deleteProfile),
  impact: { carrier: 0, unreachable: 0, accessPoint: 0, vehicles: [] as never[], confirmation: 'none' },
};
const profile = (pk: string, parts: Partial<esims.ListedProfile> = {}): esims.ListedProfile => ({
  ...example(esims.listProfiles).result[0]!,
  pk,
  profile: pk,
  serial: 'HL-1',
  eid: EID,
  ac: `1$dp.example$${pk}`,
  act: false,
  iccid: '8901260000009876547',
  apn: 'fleet',
  apn2: '',
  name: pk,
  carrier: '',
  status: 'Activated',
  priority: 1,
  reason: '',
  requested: false,
  window: null,
  etag: `"${pk}"`,
  ...parts,
});
const placeholder = profile('', { ac: 'preload', name: 'preloaded_eSIM', status: 'Not Purchased', iccid: '', apn: '' });

/** The rows of the list, and the cards of the router HL-1. */
function startProfiles(profiles: readonly esims.ListedProfile[], options: Parameters<typeof startConsole>[0] = {}) {
  const tools = startConsole(options);
  let current = profiles;
  const { respond } = tools;
  respond(esims.listProfiles, ({ query: { offset = 0, limit = 100 } }) => ({
    ...example(esims.listProfiles),
    result: current.slice(offset, offset + limit),
    total: current.length,
    router: { vehicle: '', hasEuicc: true },
  }));
  respond(esims.deleteProfile, none);
  respond(esims.orderProfiles, { ...example(esims.orderProfiles), impact: none.impact });
  respond(esims.saveProfile, { ...example(esims.saveProfile), impact: none.impact });
  respond(esims.getProfile, { result: profile('first') });
  return { ...tools, set: (next: readonly esims.ListedProfile[]) => (current = next) };
}

describe('/devices/esimsList', () => {
  const statuses = ['In Use', 'Activated', 'Downloading...', 'Assigning...', 'Fail to download', 'Out of memory'] as const;

  test('SIM-01 SIM-02-partial shows three a page with their states, filters, searches and downloads; a row opens its cards', async () => {
    const rows = [...statuses, 'Fail to activate' as const].map((status) => profile(status, { status }));
    const { open, user, respond, requests, address, downloads, rows: shown } = startProfiles(rows);
    const files: Record<string, string> = { profiles: 'Serial #\r\n', example: 'SN,EID\r\n' };
    respond(esims.exportProfiles, ({ query }) => new Blob([files[query.layout!]!]) as never);
    await open('/devices/esimsList');
    expect(shown()).toHaveLength(3);
    expect(screen.getByText('1–3 of 7')).toBeTruthy();
    await user.selectOptions(screen.getByLabelText('Rows'), '10');
    await screen.findByText('1–7 of 7');
    for (const { status } of rows) expect(shown().some((line) => line.textContent?.includes(status))).toBe(true);
    await user.click(button(/eSIM status/u));
    expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(
      expect.arrayContaining(['All eSIM status', 'In use', ...statuses.slice(1)]),
    );
    await user.click(screen.getByRole('option', { name: 'Fail to download' }));
    await expect.poll(address).toContain('status=fail-to-download');
    expect(requests(esims.listProfiles).at(-1)?.query).toMatchObject({ status: 'fail-to-download', limit: 10 });
    const fields = screen.getByLabelText('Search in');
    expect(
      within(fields)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['Serial #', 'eSIM name', 'Carrier', 'ICCID', 'APN']);
    await user.selectOptions(fields, 'APN');
    await user.type(screen.getByRole('searchbox'), 'm2m');
    await expect.poll(() => requests(esims.listProfiles).at(-1)?.query).toMatchObject({ field: 'apn', search: 'm2m' });
    await user.click(button('Download(.csv)'));
    await expect.poll(() => downloads).toHaveLength(1);
    expect(requests(esims.exportProfiles)[0]?.query).toMatchObject({ field: 'apn', search: 'm2m', layout: 'profiles' });
    await user.click(button('Download sample CSV'));
    await expect
      .poll(() => downloads.map(({ name }) => name))
      .toEqual(['eSIMs_export.csv', 'eSIMs_export_example_Lakeshore Transit.csv']);
    await user.click(screen.getAllByText('Activated', { selector: 'td *' })[0]!);
    await expect.poll(address).toBe('/devices/esimsEdit?profile=Activated');
  });

  test('SIM-02 NAV-05-partial a user reads the list and may change nothing', async () => {
    const { open, user, address } = startProfiles([profile('first', { status: 'Fail to download' })], { role: 'user' });
    await open('/devices/esimsList');
    for (const denied of ['Add', 'Redownload']) expect(isBlocked(button(denied))).toBe(true);
    await user.hover(button('Add'));
    expect((await screen.findAllByText('Only admins can change eSIMs.')).length).toBeGreaterThan(0);
    await user.click(screen.getByText('first'));
    expect(address()).toBe('/devices/esimsList');
  });

  test('SIM-03-partial what is downloaded again is marked and requested every 5 s for 60 s, and then no more', async () => {
    const { open, set, respond, advance, requests } = startProfiles([profile('again', { status: 'Fail to download' })], {
      timers: 'fake',
    });
    respond(esims.resumeProfile, () => {
      set([profile('again', { status: 'Assigning...' })]);
      return { result: profile('again') };
    });
    await open('/devices/esimsList');
    button('Redownload').click();
    await advance(10);
    expect(requests(esims.resumeProfile)[0]?.body).toEqual({ profile: 'again' });
    expect(row('again').textContent).toContain('Assigning...');
    // Without its cookie nothing but the tracking marks the row.
    document.cookie = 'highlineP=; Path=/; Max-Age=0';
    const marked = () => document.querySelector('[data-highlighted]') !== null;
    await advance(25_000);
    set([profile('again', { status: 'Downloading...' })]);
    await advance(5_000);
    expect(row('again').textContent).toContain('Downloading...');
    await advance(12_000);
    set([profile('again', { status: 'Fail to download' })]);
    await advance(5_000);
    expect([row('again').textContent?.includes('Fail to download'), marked()]).toEqual([true, true]);
    await advance(25_000);
    expect(marked()).toBe(false);
    const before = requests(esims.listProfiles).length;
    await advance(45_000);
    expect(requests(esims.listProfiles).length - before).toBeLessThanOrEqual(1);
  });
});

describe('/devices/esimsAdd with a file', () => {
  const file = (name = 'esims.csv') => new File(['SN,EID\n'], name, { type: 'text/csv' });
  const failures = (count: number, errors: readonly string[] = []) =>
    Array.from({ length: count }, (_, index) => ({
      row: index + 4,
      serial: `NO-${index}`,
      eid: EID,
      ac: 'x',
      iccid: '',
      apn1: 'fleet',
      apn2: '',
      name: '',
      error: errors[index] ?? 'SN not found',
    }));
  const outcome = (success: number, fail: ReturnType<typeof failures>, more: Partial<esims.ProfileImportResult> = {}) => ({
    result: {
      ...example(esims.importProfiles).result,
      success,
      fail,
      failed: fail.length,
      total: success + fail.length,
      reported: fail.length,
      ids: ['First'],
      doubts: [],
      doubted: 0,
      impact: none.impact,
      report: fail.length === 0 ? '' : 'serial,error\r\n',
      ...more,
    },
  });
  const input = () => screen.getByLabelText('CSV or Excel file', { selector: 'input' });

  test('SIM-04 SIM-05 SHR-08-partial it is checked first, the good rows are added and the others reported with the texts of the list', async () => {
    const { open, user, respond, requests, downloads, address } = startProfiles([profile('First')]);
    const fail = failures(11, ['ICCID is required for preloaded profile.', 'SN and EID not match', 'Not one of ours.']);
    respond(esims.importProfiles, outcome(2, fail));
    await open('/devices/esimsList');
    await user.click(button('Add'));
    const notes = (await screen.findByRole('list', { name: 'Template' })).textContent;
    for (const note of [
      'ICCID and APN1',
      'Activation Code and APN1',
      'One profile per row.',
      'cells as Text',
      'confirmation_code',
    ])
      expect(notes).toContain(note);
    const send = button('Import');
    expect(isBlocked(send)).toBe(true);
    await user.upload(input(), file('esims.txt'));
    expect(isBlocked(send)).toBe(true);
    await user.upload(input(), file());
    expect(await screen.findByText(/2 will be added; 0 vehicles will change carrier\./u)).toBeTruthy();
    expect(screen.getByText('11 rows are rejected:')).toBeTruthy();
    expect(requests(esims.importProfiles).map(({ query }) => query)).toEqual([{ dryRun: '1' }]);
    await user.click(send);
    const dialog = within(await screen.findByRole('dialog', { name: 'Result of adding eSIM' }));
    expect(dialog.getByText('Successfully added: 2 of 13. Failed to add:')).toBeTruthy();
    const lines = () => dialog.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(lines()).toHaveLength(10);
    expect(lines().slice(0, 4)).toEqual([
      'Row 4, NO-0: missing or invalid mandatory data',
      'Row 5, NO-1: SN and EID do not match.',
      'Row 6, NO-2: Not one of ours.',
      'Row 7, NO-3: Invalid SN or EID',
    ]);
    await user.click(dialog.getByRole('button', { name: 'more...' }));
    expect(lines()).toHaveLength(11);
    await user.click(dialog.getByRole('button', { name: 'Download Report' }));
    expect([downloads[0]?.name, await downloads[0]?.content.text()]).toEqual(['eSIMs_error.csv', 'serial,error\r\n']);
    await user.click(dialog.getByRole('button', { name: 'Close' }));
    await expect.poll(address).toMatch(/^\/devices\/esimsList/u);
    expect((await screen.findByText('First')).closest('tr')?.dataset['highlighted']).toBeDefined();
    const sent = requests(esims.importProfiles).at(-1);
    expect([sent?.query, await sent?.files['profile']?.text()]).toEqual([{ confirmed: 'none' }, 'SN,EID\n']);
  });

  test('SIM-04-partial the answer about a file that comes after that of the next one changes nothing for it', async () => {
    const { open, user, respond, downloads } = startProfiles([]);
    respond(esims.exportProfiles, 'SN,EID\r\n');
    const late = Promise.withResolvers<void>();
    respond(esims.importProfiles, async ({ files }) => {
      if (files['profile']?.name !== 'first.csv') return outcome(2, []);
      await late.promise;
      return new Failed('csv.all_failed', { detail: outcome(0, failures(1)).result });
    });
    await open('/devices/esimsAdd');
    await user.upload(input(), file('first.csv'));
    await user.upload(input(), file('second.csv'));
    expect(await screen.findByText(/2 will be added/u)).toBeTruthy();
    late.resolve();
    // A later answer has arrived, and so has this one.
    await user.click(button('Download sample CSV'));
    await expect.poll(() => downloads).toHaveLength(1);
    expect(screen.getByText(/2 will be added/u)).toBeTruthy();
    expect(isBlocked(button('Import'))).toBe(false);
  });

  test('SIM-04-partial all of it right is a sentence and Got It; all of it wrong is a result too', async () => {
    const { open, visit, user, respond, address } = startProfiles([]);
    respond(esims.importProfiles, outcome(1, []));
    await open('/devices/esimsAdd');
    await user.upload(input(), file());
    await screen.findByText(/1 will be added/u);
    await user.click(button('Import'));
    expect(await screen.findByText('The eSIMs were successfully added: 1 of 1')).toBeTruthy();
    await user.click(button('Got It'));
    await expect.poll(address).toMatch(/^\/devices\/esimsList/u);
    await visit('/devices/esimsAdd');
    const { result } = outcome(0, failures(1));
    respond(esims.importProfiles, () => new Failed('csv.all_failed', { detail: result }));
    await user.upload(input(), file());
    expect(await screen.findByText('1 row is rejected:')).toBeTruthy();
    await user.click(button('Import'));
    expect(await screen.findByText('Successfully added: 0 of 1. Failed to add:')).toBeTruthy();
  });
});

describe('the cards of a router', () => {
  const names = () =>
    within(screen.getByRole('list', { name: 'eSIMs of HL-1 by priority' }))
      .getAllByRole('listitem')
      .map((item) => item.getAttribute('aria-label'));
  const field = (of: string, name: string | RegExp) => card(of).getByRole<HTMLInputElement>('textbox', { name });
  const save = () => button('Save');
  const carrier = { device: 'bus', serial: 'HL-1', vehicle: 'Bus 2104', kind: 'carrier', from: 'AT&T', to: 'T-Mobile' } as const;
  const switching = impact({ carrier: 1, vehicles: [carrier] as never[], confirmation: 'switches' });

  test('SIM-06-partial its router is checked by serial number and EID, and what is wrong stands there', async () => {
    const { open, user, respond, address } = startProfiles([placeholder]);
    await open('/devices/esimsAdd');
    await user.click(screen.getByLabelText('Add manually'));
    await expect.poll(address).toBe('/devices/esimsAdd?method=manual');
    const check = button('Check Its SIMs');
    await user.type(screen.getByLabelText(/^Device Serial#/u), 'HL-1');
    expect(isBlocked(check)).toBe(true);
    await user.type(screen.getByLabelText(/^EID/u), EID);
    respond(esims.listProfiles, () => new Failed('esim.eid_mismatch'));
    await user.click(check);
    expect(await screen.findByText('SN and EID not match')).toBeTruthy();
    respond(esims.listProfiles, {
      ...example(esims.listProfiles),
      result: [placeholder],
      router: { vehicle: '', hasEuicc: null },
    });
    await user.click(check);
    await expect.poll(address).toBe(ROUTER);
    expect(await screen.findByText(/it is not known whether it supports eSIMs/u)).toBeTruthy();
    expect(card('preloaded_eSIM').getByText('Not Purchased')).toBeTruthy();
    expect(isBlocked(button('Delete preloaded_eSIM'))).toBe(true);
    expect(isBlocked(save())).toBe(true);
  });

  test('SIM-06-partial a router without an eUICC is rejected with a clear message, in Chinese too', async () => {
    const { open, user, respond } = startProfiles([], { language: 'zh-TW' });
    respond(esims.listProfiles, () => new Failed('esim.no_euicc'));
    await open('/devices/esimsAdd?method=manual');
    const [serial, eid] = screen.getAllByRole('textbox').filter((box) => ['serial', 'eid'].includes(box.getAttribute('name')!));
    await user.type(serial!, 'HL-1');
    await user.type(eid!, EID);
    await user.click(button('檢查其 SIM 卡'));
    expect(await screen.findByText(/此路由器沒有 eUICC/u)).toBeTruthy();
  });

  test('SIM-07 SIM-08 SIM-09-partial cards need their fields, are saved one by one in order, and a new one without an ICCID waits', async () => {
    const { open, user, respond, requests, address } = startProfiles([placeholder, profile('First')]);
    const added: string[] = [];
    respond(esims.addProfile, ({ body }) => {
      added.push(body.ac);
      return { ...example(esims.addProfile), result: profile(`pk-${added.length}`), impact: none.impact };
    });
    await open(ROUTER);
    await user.click(button('Edit preloaded_eSIM'));
    await user.type(field('preloaded_eSIM', 'APN 1'), 'vzwinternet');
    await user.click(button('Add an eSIM'));
    await user.click(save());
    for (const name of ['Activation Code', 'APN 1']) expect(card('New eSIM').getByText(`Please enter the ${name}`)).toBeTruthy();
    expect(card('preloaded_eSIM').getByText('Please enter the ICCID')).toBeTruthy();
    await expect.poll(() => document.activeElement).toBe(field('preloaded_eSIM', 'ICCID'));
    await user.type(field('preloaded_eSIM', 'ICCID'), '8914800000001234562');
    // A code that requires it needs its confirmation code.
    await user.type(field('New eSIM', 'Activation Code'), 'LPA:1$dp.example$SECOND$$1');
    await user.type(field('New eSIM', 'APN 1'), 'm2m');
    await user.click(save());
    expect(card('New eSIM').getByText('Please enter the Confirmation Code')).toBeTruthy();
    expect(requests(esims.addProfile)).toEqual([]);
    await user.type(field('New eSIM', /^Confirmation Code/u), '4711');
    await user.click(save());
    expect(await screen.findByText('New eSIM has not been sent yet.')).toBeTruthy();
    expect(added).toEqual(['preload']);
    await expect.poll(() => document.activeElement).toBe(field('New eSIM', 'ICCID'));
    await user.click(button('Choose another device'));
    expect((await question()).textContent).toContain('There are unsaved changes. Do you want to save them before leaving?');
    await user.keyboard('{Escape}');
    expect(field('New eSIM', 'Activation Code').value).toBe('LPA:1$dp.example$SECOND$$1');
    await user.type(field('New eSIM', 'ICCID'), '8901410000005551119');
    await user.click(save());
    await expect.poll(address).toMatch(/^\/devices\/esimsList/u);
    expect(requests(esims.addProfile).at(-1)?.body).toEqual({
      serial: 'HL-1',
      eid: EID,
      ac: 'LPA:1$dp.example$SECOND$$1',
      confirmationCode: '4711',
      iccid: '8901410000005551119',
      apn: 'm2m',
    });
  });

  test('SIM-09 the failure of an addition is shown under the EID and at its card, translated where it is known', async () => {
    const { open, user, respond } = startProfiles([placeholder]);
    await open(ROUTER);
    await user.click(button('Add an eSIM'));
    await user.type(field('New eSIM', 'Activation Code'), '1$dp.example$NEW');
    await user.type(field('New eSIM', 'ICCID'), '8901410000005551119');
    await user.type(field('New eSIM', 'APN 1'), 'm2m');
    const underEid = () => document.querySelector('.esim-router .field__error')?.textContent;
    for (const [failure, text] of [
      [new Failed('esim.eid_mismatch'), 'SN and EID do not match.'],
      [new Failed('esim.serial_unknown'), 'invalid SN or EID'],
      [new Failed('esim.duplicate', { detail: 'The slot is worn out.' }), 'The slot is worn out.'],
      [new Failed('esim.duplicate'), 'This router already has this profile.'],
    ] as const) {
      respond(esims.addProfile, () => failure);
      await user.click(save());
      await expect.poll(underEid).toBe(text);
      expect(card('New eSIM').getByRole('alert').textContent).toBe('New eSIM was not saved. Your changes are still here.');
    }
  });

  test('SIM-09-partial NAV-07-partial at a field stands in Chinese what the server rejects', async () => {
    const { open, user, fail } = startProfiles([placeholder], { language: 'zh-TW' });
    await open(ROUTER);
    await user.click(button('新增 eSIM'));
    await user.type(field('新的 eSIM', '啟用碼'), '1$dp.example$NEW');
    await user.type(field('新的 eSIM', 'ICCID'), '8901410000005551119');
    await user.type(field('新的 eSIM', 'APN 1'), 'm2m');
    fail(esims.addProfile, 'esim.iccid_invalid', { field: 'iccid' });
    await user.click(button('儲存'));
    expect(await card('新的 eSIM').findByText('這不是有效的 ICCID，請輸入以 89 開頭的完整 18 至 20 位數字。')).toBeTruthy();
  });

  test('SIM-07-partial the fifth does not fit, and a rejected preloaded one may correct its ICCID alone', async () => {
    const failed = profile('', {
      pk: 'pre',
      ac: 'preload',
      name: 'preloaded_eSIM',
      status: 'Fail to download',
      reason: 'iccid-mismatch',
    });
    const { open, user } = startProfiles([failed, profile('First'), profile('Second')]);
    await open('/devices/esimsEdit?profile=First');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('HL-1');
    for (const name of ['Activation Code', 'ICCID']) expect(field('First', name).readOnly).toBe(true);
    expect(field('First', 'APN 1').readOnly).toBe(false);
    expect(card('preloaded_eSIM').getByText('The ICCID does not match this eSIM.')).toBeTruthy();
    await user.click(button('Edit preloaded_eSIM'));
    expect(field('preloaded_eSIM', 'ICCID').readOnly).toBe(false);
    await user.click(button('Add an eSIM'));
    expect(screen.getByText('Out of memory. Delete one or more eSIMs to add others.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Add an eSIM' })).toBeNull();
    await user.click(button('Delete New eSIM'));
    expect(button('Add an eSIM')).toBeTruthy();
  });

  test("SIM-08-partial another user's save of a card is shown, and the typed rest stays", async () => {
    const { open, set, user, fail, respond, requests } = startProfiles([placeholder, profile('First')]);
    await open('/devices/esimsEdit?profile=First');
    await user.type(field('First', 'APN 2'), 'backup');
    fail(esims.saveProfile, 'conflict.stale');
    set([placeholder, profile('First', { apn: 'theirs', etag: '"later"' })]);
    await user.click(save());
    expect((await question()).textContent).toContain('APN 1 "theirs"');
    await user.click(button('OK'));
    expect([field('First', 'APN 2').value, field('First', 'APN 1').value]).toEqual(['backup', 'theirs']);
    respond(esims.saveProfile, { ...example(esims.saveProfile), impact: none.impact });
    await user.click(save());
    await expect.poll(() => requests(esims.saveProfile).at(-1)).toMatchObject({ body: { apn2: 'backup' }, ifMatch: '"later"' });
  });

  test('SIM-06-partial SIM-08-partial buttons put them in order, which is sent once, after the change of carrier was confirmed', async () => {
    const inUse = profile('pre', { ac: 'preload', name: 'preloaded_eSIM', status: 'In Use', act: true });
    const { open, user, respond, requests, address } = startProfiles([inUse, profile('First', { priority: 2 })]);
    respond(esims.orderProfiles, { ...example(esims.orderProfiles), impact: switching });
    await open('/devices/esimsEdit?profile=First');
    await user.click(button('Move First up'));
    expect(names()).toEqual(['First', 'preloaded_eSIM']);
    await user.click(save());
    expect((await question()).textContent).toContain('Bus 2104 (HL-1) changes carrier: AT&T → T-Mobile.');
    await user.click(within(await question()).getByRole('button', { name: 'Cancel' }));
    const sent = () => requests(esims.orderProfiles).map(({ query, body }) => [query, body.order]);
    const order = [
      { profile: 'First', priority: 1 },
      { profile: 'pre', priority: 2 },
    ];
    expect(sent()).toEqual([[{ dryRun: '1' }, order]]);
    await user.click(save());
    await user.click(within(await question()).getByRole('button', { name: 'Save' }));
    await expect.poll(address).toMatch(/^\/devices\/esimsList/u);
    expect(sent().at(-1)).toEqual([{ confirmed: 'switches' }, order]);
  });

  test('SIM-08-partial deleting says what it means for the plan and the vehicle, and is sent last; one being deleted is read-only', async () => {
    const profiles = [
      profile('pre', { ac: 'preload', name: 'preloaded_eSIM', status: 'Activated' }),
      profile('First', { status: 'In Use', act: true }),
      profile('Going', { status: 'Deleting...' }),
    ];
    const { open, user, respond, requests, address } = startProfiles(profiles);
    const calls: string[] = [];
    respond(esims.deleteProfile, ({ query }) => {
      if (query.dryRun === undefined) calls.push('delete');
      return { ...none, impact: switching };
    });
    respond(esims.saveProfile, ({ query }) => {
      if (query.dryRun === undefined) calls.push('save');
      return { ...example(esims.saveProfile), impact: none.impact };
    });
    await open('/devices/esimsEdit?profile=Going');
    expect(card('Going').getAllByText('This eSIM is being deleted and can no longer be changed.')).not.toHaveLength(0);
    expect(field('Going', 'APN 1').readOnly).toBe(true);
    expect(isBlocked(button('Move Going up'))).toBe(true);
    await user.click(button('Delete First'));
    const text = (await question()).textContent;
    for (const part of [
      'Deleting an eSIM does not cancel its data plan.',
      'This eSIM is in use. The device will switch to another eSIM.',
      'Bus 2104 (HL-1) changes carrier: AT&T → T-Mobile.',
      'This action is permanent and cannot be undone.',
    ])
      expect(text).toContain(part);
    await user.click(within(await question()).getByRole('button', { name: 'Delete' }));
    expect(card('First').getByText('Will be deleted when you save.')).toBeTruthy();
    await user.click(button('Edit preloaded_eSIM'));
    await user.type(field('preloaded_eSIM', 'APN 2'), 'backup');
    await user.click(save());
    await expect.poll(address).toMatch(/^\/devices\/esimsList/u);
    expect(calls).toEqual(['save', 'delete']);
    expect(requests(esims.deleteProfile).at(-1)).toMatchObject({
      params: { profile: 'First' },
      query: { confirmed: 'switches' },
    });
  });

  test('SIM-08-partial the only one of a router leaves it inaccessible', async () => {
    const unreachable = { ...carrier, kind: 'unreachable' as const, from: 'AT&T', to: '' };
    const { open, user, respond } = startProfiles([profile('Only', { status: 'In Use', act: true })]);
    respond(esims.deleteProfile, { ...none, impact: impact({ unreachable: 1, vehicles: [unreachable] as never[] }) });
    await open('/devices/esimsEdit?profile=Only');
    await user.click(button('Delete Only'));
    expect((await question()).textContent).toContain('The device will become inaccessible.');
    await user.click(within(await question()).getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByText('Will be deleted when you save.')).toBeNull();
  });

  test('SIM-10-partial Use now names vehicle and both carriers before the router switches, and does what was confirmed', async () => {
    const { open, user, respond, requests } = startProfiles([placeholder, profile('Roaming', { carrier: 'T-Mobile' })]);
    respond(esims.useProfile, { ...example(esims.useProfile), impact: switching });
    await open('/devices/esimsEdit?profile=Roaming');
    await user.click(card('Roaming').getByRole('button', { name: 'Use now' }));
    for (const part of ['Bus 2104 (HL-1) changes carrier: AT&T → T-Mobile.', 'switches back by itself'])
      expect((await question()).textContent).toContain(part);
    await user.click(within(await question()).getByRole('button', { name: 'Cancel' }));
    expect(requests(esims.useProfile).map(({ query }) => query)).toEqual([{ dryRun: '1' }]);
    await user.click(card('Roaming').getByRole('button', { name: 'Use now' }));
    await user.click(within(await question()).getByRole('button', { name: 'Use now' }));
    await expect.poll(() => requests(esims.useProfile).at(-1)?.query).toEqual({ confirmed: 'switches' });
  });

  test('WIN-02-partial Use later plans a switch for a window; one that waits says for what, and can be withdrawn', async () => {
    const { open, user, respond, requests } = startProfiles([
      placeholder,
      profile('Roaming', { carrier: 'T-Mobile', reason: 'not-allowed' }),
      profile('Night', { status: 'Assigning...', statusIcon: 'doing', reason: 'window-hours', requested: true }),
      profile('Parked', { status: 'Assigning...', statusIcon: 'doing', reason: 'offline', requested: true }),
      profile('Begun', { status: 'Assigning...', statusIcon: 'doing' }),
    ]);
    respond(esims.useProfile, { ...example(esims.useProfile), impact: switching });
    await open('/devices/esimsEdit?profile=Roaming');
    expect(card('Night').getByText('Waits for its hours')).toBeTruthy();
    // A switch that was withdrawn by itself.
    expect(card('Roaming').getByText('Not switched: the user who requested it is no longer allowed to do this.')).toBeTruthy();
    await user.click(card('Roaming').getByRole('button', { name: 'Use later…' }));
    const later = within(await screen.findByRole('dialog', { name: 'Use Roaming later' }));
    await user.click(later.getByRole('button', { name: 'Switch then' }));
    await user.click(within(await question()).getByRole('button', { name: 'Switch then' }));
    await expect.poll(() => requests(esims.useProfile).at(-1)?.query).toEqual({ confirmed: 'switches' });
    expect(requests(esims.useProfile).at(-1)?.body).toMatchObject({ profile: 'Roaming', window: { ignitionOffMinutes: 10 } });
    respond(esims.useProfile, { ...example(esims.useProfile), impact: impact({}) });
    await user.click(card('Night').getByRole('button', { name: 'Do not switch' }));
    await expect.poll(() => requests(esims.useProfile).at(-1)?.body).toMatchObject({ profile: 'Night', window: null });
    // The router is offline: the switch waits for it, and can be withdrawn as well.
    expect(card('Parked').getByText('Waits until the router is online.')).toBeTruthy();
    await user.click(card('Parked').getByRole('button', { name: 'Do not switch' }));
    await expect.poll(() => requests(esims.useProfile).at(-1)?.body).toMatchObject({ profile: 'Parked', window: null });
    expect(card('Begun').queryByRole('button', { name: 'Do not switch' })).toBeNull();
  });
});
