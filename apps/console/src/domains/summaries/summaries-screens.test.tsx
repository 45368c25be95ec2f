// @vitest-environment happy-dom
import { summaries } from '@highline/contract';
import { screen, within } from '@testing-library/react';
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
    expect(screen.queryByRole('button', { name: 'Send by mail' })).toBeNull();
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
          recipients: ['boss@own.test', 'auditor@else.test'],
          unconfirmed: ['auditor@else.test'],
          lastRun: { at: '2026-11-01T12:00:00Z', state: 'failed', reason: 'no_recipient' },
        },
      ],
      total: 1,
    });
    await open('/summaries');
    expect(screen.getByText(/failed: no recipient: not confirmed yet, or left/u)).toBeTruthy();
    expect(screen.getByText('Not confirmed yet: auditor@else.test')).toBeTruthy();
    await user.click(button('Send by mail'));
    const dialog = within(await screen.findByRole('dialog'));
    await user.selectOptions(dialog.getByLabelText('Sent'), 'Every week');
    await user.selectOptions(dialog.getByLabelText('On'), 'Monday');
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
        recipients: ['boss@own.test', 'auditor@else.test'],
      });
  });
});
