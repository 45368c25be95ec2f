import { groups, summaries } from '@highline/contract';
import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { example, startConsole } from '../../testing/console.tsx';
import { daysOf } from '../../ui/time/period.ts';

const button = (name: string) => screen.getByRole('button', { name });
const report = {
  title: 'Data use',
  lines: ['Lakeshore Transit', '10/01/2026 – 10/31/2026, America/Chicago'],
  columns: [
    { title: 'Vehicle', isNumber: false },
    { title: 'MB', isNumber: true },
  ],
  allColumns: [
    { id: 'name', title: 'Vehicle' },
    { id: 'total', title: 'MB' },
  ],
  rows: [['Bus 2104', '2500.00']],
  isCut: false,
};

describe('/summaries', () => {
  test('RPM-01-partial last month’s data use is there at once, with whose and when; another kind is read when it is chosen', async () => {
    const { open, respond, requests, user, address } = startConsole();
    respond(summaries.previewSummary, { result: report });
    respond(summaries.listSummaries, { ...example(summaries.listSummaries), result: [], total: 0 });
    await open('/summaries');
    expect(requests(summaries.previewSummary).at(-1)?.query).toMatchObject({
      kind: 'data-use',
      ...daysOf('last-month', Date.now(), 'America/Chicago'),
    });
    expect(screen.getByText(report.lines.join(' · '))).toBeTruthy();
    expect(within(screen.getByRole('region', { name: 'Data use' })).getByText('2500.00')).toBeTruthy();
    await user.selectOptions(screen.getByLabelText('Report'), 'Outages');
    await expect.poll(() => requests(summaries.previewSummary).at(-1)?.query.kind).toBe('outages');
    expect(address()).toBe('/summaries?kind=outages');
  });

  test('RPM-01-partial a report is by group or plan, of one group, carrier or tag, of dates and with chosen columns, as its address says', async () => {
    const { open, respond, requests, user, fill, address } = startConsole({ role: 'admin' });
    respond(summaries.previewSummary, { result: report });
    respond(summaries.listSummaries, { ...example(summaries.listSummaries), result: [], total: 0 });
    const [group] = example(groups.listGroups).result;
    respond(groups.listGroups, {
      ...example(groups.listGroups),
      result: [{ ...group!, group: 'night', groupName: 'Night lines' }],
    });
    await open('/summaries?period=dates&from=2026-10-05&until=2026-10-11');
    await user.selectOptions(screen.getByLabelText('One row for each'), 'Plan');
    await user.click(screen.getByRole('button', { name: /^Group/u }));
    await user.click(await screen.findByRole('option', { name: 'Night lines' }));
    const carrier = screen.getByLabelText('Carrier');
    await fill(carrier, 'Northern');
    // It composes a character of Chinese.
    fireEvent.keyDown(carrier, { key: 'Enter', isComposing: true });
    expect(document.activeElement).toBe(carrier);
    await fill(screen.getByLabelText('Tag'), 'winter');
    await user.click(button('Add: Columns'));
    await user.click(await screen.findByRole('option', { name: 'MB' }));
    await expect
      .poll(() => requests(summaries.previewSummary).at(-1)?.query)
      .toMatchObject({
        kind: 'data-use',
        sumBy: 'plans',
        group: 'night',
        carrier: 'Northern',
        tag: 'winter',
        columns: 'total',
        from: '2026-10-05',
        until: '2026-10-11',
      });
    expect(address()).toContain('group=night');
    // Another kind keeps only what it has.
    await user.selectOptions(screen.getByLabelText('Report'), 'Firmware and settings');
    await expect.poll(() => requests(summaries.previewSummary).at(-1)?.query.kind).toBe('settings');
    expect(requests(summaries.previewSummary).at(-1)?.query).toMatchObject({ group: 'night', tag: 'winter' });
    expect(requests(summaries.previewSummary).at(-1)?.query).not.toMatchObject({ carrier: expect.anything() });
  });

  test('RPM-01-partial a first day after the last one stays and says so, until the last day is after it', async () => {
    const { open, respond, requests, user, fill } = startConsole({ role: 'user' });
    respond(summaries.previewSummary, { result: report });
    await open('/summaries?period=dates&from=2026-01-01&until=2026-01-31');
    await fill(screen.getByLabelText('From'), '03/01/2026');
    await user.tab();
    expect(screen.getByLabelText<HTMLInputElement>('From').value).toBe('03/01/2026');
    await expect.poll(() => screen.getByLabelText('Until').getAttribute('aria-invalid')).toBe('true');
    expect(screen.getAllByText('The end date must not be before the start date.')).not.toEqual([]);
    expect(button('PDF').getAttribute('aria-disabled')).toBe('true');
    expect(requests(summaries.previewSummary)).toHaveLength(1);
    await fill(screen.getByLabelText('Until'), '03/31/2026');
    await expect
      .poll(() => requests(summaries.previewSummary).at(-1)?.query)
      .toMatchObject({ from: '2026-03-01', until: '2026-03-31' });
    expect(button('PDF').getAttribute('aria-disabled')).toBeNull();
    // No file of days that stand nowhere on the page.
    await fill(screen.getByLabelText('From'), '02/30/2026');
    expect(button('PDF').getAttribute('aria-disabled')).toBe('true');
    await fill(screen.getByLabelText('From'), '03/02/2026');
    await expect.poll(() => button('PDF').getAttribute('aria-disabled')).toBeNull();
  });

  test('RPM-03-partial a report of day 15 of the month that is sent every week from now on is shown and saved with a weekday', async () => {
    const { open, respond, requests, user } = startConsole({ role: 'admin' });
    respond(summaries.previewSummary, { result: report });
    const [saved] = example(summaries.listSummaries).result;
    const monthly = { ...saved!, name: 'Data of the month', every: 'month' as const, onDay: 15, recipients: ['boss@own.test'] };
    respond(summaries.listSummaries, { ...example(summaries.listSummaries), result: [monthly], total: 1 });
    respond(summaries.saveSummary, { result: monthly });
    await open('/summaries');
    await user.click(await screen.findByRole('button', { name: /^Edit/u }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.selectOptions(dialog.getByLabelText('Sent'), 'Every week');
    expect(dialog.getByLabelText<HTMLSelectElement>('On').selectedOptions[0]?.textContent).toBe('Monday');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await expect.poll(() => requests(summaries.saveSummary).at(-1)?.body).toMatchObject({ every: 'week', onDay: 1 });
  });

  test('RPM-02-partial what separates the cells of a CSV is a preference of this browser', async () => {
    const { open, respond, requests, user } = startConsole({ role: 'user' });
    respond(summaries.previewSummary, { result: report });
    respond(summaries.summaryFile, 'file');
    await open('/summaries');
    await user.selectOptions(screen.getByLabelText('CSV separated by'), 'Semicolons');
    await user.click(button('CSV'));
    await expect.poll(() => requests(summaries.summaryFile).at(-1)?.query.separator).toBe('semicolon');
    expect(localStorage.getItem('highline.separator')).toBe('"semicolon"');
    await user.selectOptions(screen.getByLabelText('CSV separated by'), 'Commas');
  });

  test('RPM-02-partial the same as PDF, Excel and CSV, in the language and zone of the reader', async () => {
    const { open, respond, requests, user } = startConsole({ role: 'user' });
    respond(summaries.previewSummary, { result: report });
    respond(summaries.summaryFile, 'file');
    await open('/summaries?period=7');
    for (const [name, format] of [
      ['PDF', 'pdf'],
      ['Excel', 'xlsx'],
      ['CSV', 'csv'],
    ] as const) {
      await user.click(button(name));
      await expect.poll(() => requests(summaries.summaryFile).at(-1)?.query.format).toBe(format);
    }
    expect(requests(summaries.summaryFile).at(-1)?.query).toMatchObject({ zone: 'America/Chicago', language: 'en-US' });
    expect(screen.queryByRole('button', { name: 'Send by email' })).toBeNull();
  });

  test('RPM-05-partial an admin agrees an availability, also of a carrier, and puts a logo on documents', async () => {
    const { open, respond, requests, user, fill } = startConsole({ role: 'admin' });
    respond(summaries.previewSummary, { result: report });
    respond(summaries.listSummaries, { ...example(summaries.listSummaries), result: [], total: 0 });
    const settings = { target: null, carrierTargets: [], filesDays: 35, hasLogo: false, version: '3' };
    respond(summaries.readSettings, { result: settings });
    respond(summaries.saveLogo, { result: { ...settings, hasLogo: true } });
    await open('/summaries');
    await user.click(button('Summary settings'));
    const dialog = within(await screen.findByRole('dialog'));
    await user.upload(dialog.getByLabelText('Logo', { selector: 'input' }), new File(['x'], 'logo.png', { type: 'image/png' }));
    await user.click(dialog.getByRole('button', { name: 'Save the logo' }));
    await expect.poll(() => requests(summaries.saveLogo).length).toBe(1);
    await fill(dialog.getByLabelText(/^Availability that is agreed/u), '120');
    await user.click(dialog.getByRole('button', { name: 'Add a target of a carrier' }));
    await fill(dialog.getByLabelText('Carrier'), 'Northern');
    await fill(dialog.getByLabelText('Its target (%)'), '98');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await dialog.findByText('Enter a number from 0 to 100.')).toBeTruthy();
    await fill(dialog.getByLabelText(/^Availability that is agreed/u), '99.5');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await expect
      .poll(() => requests(summaries.saveSettings).at(-1)?.body)
      .toMatchObject({ target: 99.5, carrierTargets: [{ carrier: 'Northern', target: 98 }], filesDays: 35 });
  });

  test('RPM-05-partial settings that someone else changed meanwhile are not overwritten unseen; a logo of one’s own is no such change', async () => {
    const { open, respond, fail, push, requests, user, fill, loaded } = startConsole({ role: 'admin' });
    respond(summaries.previewSummary, { result: report });
    respond(summaries.listSummaries, { ...example(summaries.listSummaries), result: [], total: 0 });
    const settings = { target: null, carrierTargets: [], filesDays: 35, hasLogo: false, version: '3' };
    const now = (parts: Partial<summaries.ReportSettings>) =>
      respond(summaries.readSettings, { result: { ...settings, ...parts } });
    now({});
    await open('/summaries');
    await user.click(button('Summary settings'));
    const dialog = within(await screen.findByRole('dialog'));
    const save = () => user.click(dialog.getByRole('button', { name: 'Save' }));
    await fill(dialog.getByLabelText(/^Availability that is agreed/u), '99,5');
    await save();
    expect(await dialog.findByText('Enter a number from 0 to 100.')).toBeTruthy();
    await fill(dialog.getByLabelText(/^Availability that is agreed/u), '99.5');
    now({ version: '4', hasLogo: true });
    push('summaries');
    await loaded();
    now({ version: '5', filesDays: 90 });
    push('summaries');
    await loaded();
    fail(summaries.saveSettings, 'conflict.stale');
    await save();
    const message = await screen.findByRole('alertdialog');
    expect(message.textContent).toContain('Someone else changed these settings.');
    await user.click(within(message).getByRole('button', { name: 'OK' }));
    respond(summaries.saveSettings, { result: { ...settings, version: '6' } });
    await save();
    await expect.poll(() => requests(summaries.saveSettings)).toHaveLength(2);
    expect(requests(summaries.saveSettings).map(({ ifMatch }) => ifMatch)).toEqual(['"4"', '"5"']);
  });

  test('RPM-03-partial a summary is saved with schedule and recipients; one that failed says why, and whom it waits for', async () => {
    const { open, respond, requests, user, fill } = startConsole();
    respond(summaries.previewSummary, { result: report });
    respond(summaries.listSummaries, {
      ...example(summaries.listSummaries),
      result: [
        {
          ...example(summaries.listSummaries).result[0]!,
          name: 'For the boss',
          carrier: 'Northern',
          recipients: ['boss@own.test', 'auditor@else.test'],
          unconfirmed: ['auditor@else.test'],
          paused: ['boss@own.test'],
          lastRun: { at: '2026-11-01T12:00:00Z', state: 'failed', reason: 'no_recipient' },
        },
      ],
      total: 1,
    });
    await open('/summaries');
    expect(screen.getByRole('status').textContent).toContain('Not sent the last time:');
    expect(screen.getByText(/failed: no recipient: not confirmed yet, left, or paused/u)).toBeTruthy();
    expect(screen.getByText(/Carrier: Northern/u)).toBeTruthy();
    expect(screen.getByText('Not confirmed yet: auditor@else.test')).toBeTruthy();
    expect(screen.getByText(/^boss@own.test gets nothing: its mail server rejected three reports in a row/u)).toBeTruthy();
    respond(summaries.resumeRecipient, { result: example(summaries.listSummaries).result[0]! });
    await user.click(button('Send to it again'));
    await expect.poll(() => requests(summaries.resumeRecipient).at(-1)?.body).toMatchObject({ mail: 'boss@own.test' });
    await user.click(button('Send by email'));
    const dialog = within(await screen.findByRole('dialog'));
    await user.selectOptions(dialog.getByLabelText('Sent'), 'Every week');
    await user.selectOptions(dialog.getByLabelText('On'), 'Monday');
    await user.selectOptions(dialog.getByLabelText('Time zone'), 'Asia/Taipei');
    await fill(dialog.getByLabelText('Tag'), 'winter');
    await fill(dialog.getByLabelText('Recipients'), 'boss@own.test, auditor@else.test');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await expect
      .poll(() => requests(summaries.createSummary).at(-1)?.body)
      .toMatchObject({
        kind: 'data-use',
        format: 'pdf',
        every: 'week',
        onDay: 1,
        hour: 6,
        zone: 'Asia/Taipei',
        tag: 'winter',
        columns: null,
        separator: 'comma',
        recipients: ['boss@own.test', 'auditor@else.test'],
      });
  });

  test('SHR-06-partial RPM-03-partial a summary whose author may not read its data any more is saved by another person as it is', async () => {
    const { open, respond, requests, user } = startConsole({ role: 'admin' });
    respond(summaries.previewSummary, { result: report });
    const [stored] = example(summaries.listSummaries).result;
    const failed = { ...stored!, lastRun: { at: '2026-11-01T12:00:00Z', state: 'failed' as const, reason: 'author' } };
    respond(summaries.listSummaries, { ...example(summaries.listSummaries), result: [failed], total: 1 });
    respond(summaries.saveSummary, { result: failed });
    await open('/summaries');
    await user.click(await screen.findByRole('button', { name: /^Edit/u }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Save' }));
    await expect.poll(() => requests(summaries.saveSummary)).toMatchObject([{ body: { name: failed.name } }]);
  });

  test('RPM-03-partial a CSV that is too large to be sent says that Excel is smaller, and so does the form', async () => {
    const { open, respond, user } = startConsole({ role: 'admin' });
    respond(summaries.previewSummary, { result: report });
    const [saved] = example(summaries.listSummaries).result;
    const lastRun = { at: '2026-11-01T12:00:00Z', state: 'failed', reason: 'too_large' } as const;
    const result = (['csv', 'pdf'] as const).map((format) => ({
      ...saved!,
      id: `${saved!.id.slice(0, -3)}${format === 'csv' ? '001' : '002'}`,
      format,
      lastRun,
    }));
    respond(summaries.listSummaries, { ...example(summaries.listSummaries), result, total: 2 });
    await open('/summaries');
    expect(screen.getByText(/failed: the file has more than 10 MB; choose Excel, which is much smaller$/u)).toBeTruthy();
    expect(screen.getByText(/failed: the file has more than 10 MB$/u)).toBeTruthy();
    await user.click(button('Send by email'));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.queryByText(/above 10 MB/u)).toBeNull();
    await user.selectOptions(dialog.getByLabelText('File'), 'CSV');
    expect(dialog.getByText(/^A file above 10 MB is not sent/u)).toBeTruthy();
  });
});
