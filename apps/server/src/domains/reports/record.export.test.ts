import { beforeAll, describe, expect, test } from 'vitest';
import { DomainError } from '../../kernel/failure.ts';
import { createRowStreams, type Reader, type TimedReader } from '../../platform/listing/index.ts';
import { seedRecords, type KnownRecords } from '../../testing/records.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { unzip } from '../../testing/zip.ts';
import { sendExport } from './record.export.ts';
import { questionOf } from './record.question.ts';

type Reply = Parameters<typeof sendExport>[1];

const PATH = '/data_manager/api/v1/records/export';

const app = useTestApp();
let known: KnownRecords;

beforeAll(async () => {
  const { scope: main } = await app.seeding.mainAccount('Main');
  known = await seedRecords(app, await app.seeding.organization(main, 'Buses'));
  await app.owner.query("update devices set vehicle_number = '=1+1' where id = $1", [known.devices[0]!.id]);
});

const ends = { on: '2026-11-17T00:00:00Z', to: '2026-11-21T00:00:00Z' };
const save = (query: Record<string, string>) => app.call('GET', PATH, { as: known.admin, query: { ...ends, ...query } });

describe('reports as files', () => {
  test('RPT-01-partial RPT-02-partial SHR-08-partial the CSV has a line for each record, in the zone of the caller', async () => {
    const device = known.devices[0]!.id;
    const { text, headers } = await save({
      format: 'csv',
      device,
      property: 'temperature',
      zone: 'Asia/Taipei',
      name: '../Depot: "7"',
    });
    expect(headers['content-disposition']).toBe('attachment; filename="Depot 7.csv"');
    const lines = text.trimEnd().split('\r\n');
    expect(lines[0]).toBe('\ufeffDevice name,Type,Group name,UDID,Property,Date,Value');
    const records = known.records.filter((record) => record.device === device && record.property === 'temperature');
    expect(lines).toHaveLength(1 + records.length);
    const taipei = new Date(records[0]!.at + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ').replaceAll('-', '/');
    expect(lines[1]).toBe(`'=1+1,highline-router,North,os::00B2D0-RPT-0,Temperature,${taipei},${String(records[0]!.value)}`);
  });

  test('RPT-01-partial the workbook has the same, each value with its type, and nothing as a formula', async () => {
    const response = await app.call('GET', PATH, {
      as: known.admin,
      query: { ...ends, device: known.devices[0]!.id, value: 'true', name: '報表', language: 'zh-TW' },
    });
    expect(response.headers['content-type']).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
    expect(response.headers['content-disposition']).toBe(
      `attachment; filename="__.xlsx"; filename*=UTF-8''%E5%A0%B1%E8%A1%A8.xlsx`,
    );
    const files = unzip(response.bytes);
    const sheet = files.get('xl/worksheets/sheet1.xml')!;
    for (const title of ['裝置名稱', '類型', '群組名稱', '裝置識別碼（UDID）', '屬性', '日期', '數值'])
      expect(sheet).toContain(`>${title}<`);
    const records = known.records.filter((record) => record.device === known.devices[0]!.id && record.value === true);
    expect(records.length).toBeGreaterThan(3);
    expect(sheet.match(/<row>/gu)).toHaveLength(1 + records.length);
    expect(sheet.match(/<c t="b"><v>1<\/v>/gu)).toHaveLength(records.length);
    for (const text of ['=1+1', 'os::00B2D0-RPT-0']) expect(sheet).toContain(`>${text}<`);
    expect(sheet).not.toContain('<f>');
    // A client that knows no workbooks asks for bytes.
    const headers = { accept: 'application/octet-stream' };
    const query = { ...ends, device: known.devices[0]!.id };
    for (const format of ['xlsx', 'csv']) {
      const bytes = await app.call('GET', PATH, { as: known.admin, query: { ...query, format }, headers });
      expect(bytes.headers['content-type']).toBe('application/octet-stream');
    }
  });

  test('RPT-01-partial a page shows that there are more rows than are counted', async () => {
    const [{ routerId }] = known.devices as [KnownRecords['devices'][number]];
    await app.owner.query(
      `insert into telemetry_reports (router_id, at, voltage)
       select $1, '2026-11-19T00:00:00Z'::timestamptz + n * interval '100 milliseconds', 12
       from generate_series(1, 100001) n`,
      [routerId],
    );
    const query = { property: 'voltage', value: '12' };
    const page = await app.call('GET', '/data_manager/api/v1/records', {
      as: known.admin,
      query: { ...ends, ...query, limit: 5 },
    });
    expect(page.json).toMatchObject({ total: 100_000, more: true });
    await app.owner.query('delete from telemetry_reports where router_id = $1 and voltage is not null', [routerId]);
  });

  test('RPT-01-partial more rows than a workbook can have, or a query that is too slow, are said before the file begins', async () => {
    const { clock } = app;
    const question = questionOf(known.scope, {}, { from: new Date(ends.on), until: new Date(ends.to) });
    const sendFrom = (timed: TimedReader) =>
      sendExport({ timed, clock, streams: createRowStreams({} as Reader) }, {} as Reply, question, { format: 'xlsx' });
    const tooMany: TimedReader = { read: (work) => work(async <Row>() => [{ total: 1_048_576, count: 1 }] as Row[]) };
    await expect(sendFrom(tooMany)).rejects.toMatchObject({ key: 'export.too_large' });
    const tooSlow: TimedReader = { read: () => Promise.reject(new DomainError('report.too_slow')) };
    await expect(sendFrom(tooSlow)).rejects.toMatchObject({ key: 'report.too_slow' });
  });

  test('an unknown zone is rejected', async () => {
    const { status, json } = await save({ format: 'csv', zone: 'Mars/Olympus' });
    expect([status, json.error.field]).toEqual([400, 'zone']);
  });
});
