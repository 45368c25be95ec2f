import { describe, expect, it } from 'vitest';
import { createBareRouter } from '../testing/view.ts';
import { Reports } from './reports.ts';
import { readPeriod } from './timing.ts';

type Pushed = { path: string; Report: { [name: string]: unknown }[] };

/** A router with one enabled profile; `settings` override the defaults. */
function setUp(references: (string | [reference: string, name: string])[], settings: { [param: string]: string } = {}) {
  const router = createBareRouter();
  const rows: { [path: string]: { [param: string]: string } } = {
    'Device.BulkData.Profile.1.': { Enable: 'true', ReportingInterval: '60', ...settings },
  };
  references.forEach((each, at) => {
    const [Reference, Name] = typeof each === 'string' ? [each, ''] : each;
    rows[`Device.BulkData.Profile.1.Parameter.${at + 1}.`] = { Reference, Name };
  });
  router.rowStore.save(rows, {});
  const pushed: Pushed[] = [];
  const line = { up: true };
  const push = (path: string, data: string) => {
    if (line.up) pushed.push({ path, ...(JSON.parse(data) as { Report: { [name: string]: unknown }[] }) });
    return line.up;
  };
  const reports = new Reports({ model: router.model, router: router.view, scheduler: router.scheduler, random: () => 0.5, push });
  reports.follow();
  const change = (path: string, values: { [param: string]: string }) => {
    const now = router.rowStore.rows();
    router.rowStore.save({ ...now, [path]: { ...now[path], ...values } }, {});
    reports.follow();
  };
  return { ...router, reports, pushed, line, change };
}

describe('bulk data', () => {
  it('is sent at its interval, with numbers as numbers and the time of collection', () => {
    const { scheduler, pushed } = setUp([
      'Device.DeviceInfo.UpTime',
      'Device.X_HIGHLINE_Vehicle.Ignition',
      'Device.DeviceInfo.ModelName',
    ]);
    scheduler.advance(30_000 + 2 * 60_000);
    const start = Date.UTC(2026, 0, 1) / 1000;
    expect(pushed.map(({ Report }) => Report[0]?.['CollectionTime'])).toEqual([start + 30, start + 90, start + 150]);
    expect(pushed[0]).toEqual({
      path: 'Device.BulkData.Profile.1.',
      Report: [
        {
          CollectionTime: start + 30,
          'Device.DeviceInfo.UpTime': 17,
          'Device.X_HIGHLINE_Vehicle.Ignition': expect.any(Boolean) as boolean,
          'Device.DeviceInfo.ModelName': 'HL-500',
        },
      ],
    });
  });

  it('POS-01-partial holds each recorded position once, also when it was kept without a connection', () => {
    const { scheduler, pushed, line } = setUp(['Device.X_HIGHLINE_GPS.Trail'], { NumberOfRetainedFailedReports: '120' });
    scheduler.advance(10 * 60_000);
    line.up = false;
    scheduler.advance(60 * 60_000);
    line.up = true;
    scheduler.advance(60_000);
    const fixes = pushed
      .flatMap(({ Report }) => Report)
      .flatMap((report) => String(report['Device.X_HIGHLINE_GPS.Trail']).split(';'));
    const times = fixes.filter((fix) => fix !== '').map((fix) => Number(fix.split(',')[0]));
    expect(times.length).toBeGreaterThan(100);
    expect(new Set(times).size).toBe(times.length);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  it('supports wildcards, partial paths and given names, and leaves out missing parameters', () => {
    const { reports, pushed } = setUp([
      ['Device.DeviceInfo.FirmwareImage.*.Status', 'fw'],
      ['Device.DeviceInfo.SerialNumber', 'serial'],
      'Device.DeviceInfo.VendorConfigFile.',
      'Device.Nothing.',
      '',
    ]);
    reports.collect('Device.BulkData.Profile.1.');
    expect(Object.keys(pushed[0]?.Report[0] ?? {})).toEqual([
      'CollectionTime',
      'fw.1',
      'fw.2',
      'serial',
      'Device.DeviceInfo.VendorConfigFile.1.Alias',
      'Device.DeviceInfo.VendorConfigFile.1.Name',
      'Device.DeviceInfo.VendorConfigFile.1.Version',
      'Device.DeviceInfo.VendorConfigFile.1.Description',
      'Device.DeviceInfo.VendorConfigFile.1.X_HIGHLINE_SHA256',
    ]);
  });

  it('while disconnected the configured number of reports is kept, the newest ones, and sent together', () => {
    const { scheduler, reports, pushed, line } = setUp(['Device.DeviceInfo.UpTime'], { NumberOfRetainedFailedReports: '2' });
    line.up = false;
    scheduler.advance(5 * 60_000);
    line.up = true;
    reports.flush();
    const start = Date.UTC(2026, 0, 1) / 1000;
    expect(pushed.map(({ Report }) => Report.map((report) => report['CollectionTime']))).toEqual([[start + 210, start + 270]]);
  });

  it('USE-01-partial those of days without a connection are sent in messages that a server takes, in order and each once', () => {
    const long = Array.from({ length: 40 }, (_, n): [string, string] => [
      'Device.DeviceInfo.UpTime',
      `${n}-${'x'.repeat(1_000)}`,
    ]);
    const { scheduler, reports, pushed, line } = setUp(long, { NumberOfRetainedFailedReports: '120' });
    line.up = false;
    scheduler.advance(120 * 60_000);
    line.up = true;
    reports.flush();
    const start = Date.UTC(2026, 0, 1) / 1000;
    const times = pushed.flatMap(({ Report }) => Report.map((report) => report['CollectionTime']));
    expect(times).toEqual(Array.from({ length: 120 }, (_, n) => start + 30 + n * 60));
    expect(Math.max(...pushed.map(({ Report }) => JSON.stringify({ Report }).length))).toBeLessThan(512 * 1024);
  });

  it('none are kept unless configured', () => {
    const { scheduler, reports, pushed, line } = setUp(['Device.DeviceInfo.UpTime']);
    line.up = false;
    scheduler.advance(5 * 60_000);
    line.up = true;
    reports.flush();
    expect(pushed).toEqual([]);
  });

  it('a changed interval applies at once; a changed parameter does not affect the interval', () => {
    const { scheduler, pushed, change } = setUp(['Device.DeviceInfo.UpTime']);
    scheduler.advance(20_000);
    change('Device.BulkData.Profile.1.Parameter.1.', { Name: 'up' });
    scheduler.advance(10_000);
    expect(pushed).toHaveLength(1);
    change('Device.BulkData.Profile.1.', { ReportingInterval: '10' });
    scheduler.advance(25_000);
    expect(pushed).toHaveLength(4);
  });

  it('stops with its profile and with BulkData', () => {
    const { scheduler, pushed, change } = setUp(['Device.DeviceInfo.UpTime']);
    change('Device.BulkData.', { Enable: 'false' });
    scheduler.advance(600_000);
    change('Device.BulkData.', { Enable: 'true' });
    change('Device.BulkData.Profile.1.', { Enable: 'false' });
    scheduler.advance(600_000);
    expect(pushed).toEqual([]);
  });

  it('USE-01-partial goes on at its interval when the date is corrected, backward or forward', () => {
    const { scheduler, pushed } = setUp(['Device.DeviceInfo.UpTime']);
    scheduler.advance(2 * 60_000);
    scheduler.setDate(scheduler.now() - 60 * 60_000);
    scheduler.advance(10 * 60_000);
    scheduler.setDate(scheduler.now() + 24 * 60 * 60_000);
    scheduler.advance(10 * 60_000);
    expect(pushed).toHaveLength(22);
  });

  it('aligns with its time reference', () => {
    const { scheduler, pushed } = setUp(['Device.DeviceInfo.UpTime'], { TimeReference: '2020-01-01T00:00:45Z' });
    scheduler.advance(110_000);
    expect(pushed.map(({ Report }) => Number(Report[0]?.['CollectionTime']) % 60)).toEqual([45, 45]);
  });

  it('the first year is not a time reference', () => {
    expect(readPeriod('60', '0001-01-01T00:00:00Z')).toEqual({ intervalMs: 60_000, reference: undefined });
  });
});
