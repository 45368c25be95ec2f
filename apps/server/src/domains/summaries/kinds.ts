import {
  alerts as alertCalls,
  coverage as coverageCalls,
  devices as deviceCalls,
  logs as logCalls,
  outages as outageCalls,
  usage as usageCalls,
  type Language,
  type Right,
  type summaries as calls,
} from '@highline/contract';
import type { Scope } from '../../kernel/index.ts';
import { identifierCell, safeCell, timeIn, type Bilingual, type CsvColumn } from '../../platform/csv/index.ts';
import type { Reader, RowStreams } from '../../platform/listing/index.ts';
import { drawDays } from '../../platform/pdf/day-chart.ts';
import type { DocumentBlock } from '../../platform/pdf/document.ts';
import { filterOf, vehicleColumns, vehicleList } from '../coverage/index.ts';
import { logColumns, type LogRow } from '../logs/index.ts';
import { daysBetween, outageColumns, outageList, sumColumns, sumList, type OutageTime } from '../outages/index.ts';
import { periodUse, periodUseByDay, type PeriodUse } from '../usage/index.ts';
import { actsOfPeriod, alertsOfPeriod, inventoryOf, type AlertOfPeriod, type InventoryRow } from './summaries.queries.ts';

/** What rows of a summary are read with. */
export interface KindSources {
  readonly reader: Reader;
  readonly streams: RowStreams;
}

/** What a summary is about. */
export interface SummaryRequest {
  readonly scope: Scope;
  readonly time: OutageTime;
  readonly group: string | undefined;
  readonly language: Language;
  readonly now: Date;
}

/** A kind of summary: its columns and rows, and what stands above its table. */
interface Kind<Row> {
  readonly title: Bilingual;
  /** Who may read it may read the list of this call. */
  readonly right: Right;
  /** It is of now, not of a period. */
  readonly isOfNow?: boolean;
  columns(request: SummaryRequest): readonly CsvColumn<Row>[];
  rows(sources: KindSources, request: SummaryRequest): Promise<AsyncIterable<Row>>;
  /** A drawing for the document. */
  draw?(sources: KindSources, request: SummaryRequest): Promise<DocumentBlock>;
}

// oxlint-disable-next-line typescript/no-explicit-any -- rows of a kind go to its own columns alone
export type AnyKind = Kind<any>;
const kindOf = <Row>(kind: Kind<Row>): AnyKind => kind;

const ofMain = <Row extends { readonly org_name: string }>({ scope }: SummaryRequest): CsvColumn<Row>[] =>
  scope.kind === 'main' ? [['Organization', '組織', (row) => safeCell(row.org_name)]] : [];
const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(bytes < 1e10 ? 2 : 1)} GB`;

const severities: Readonly<Record<AlertOfPeriod['severity'], Bilingual>> = {
  critical: ['Critical', '嚴重'],
  warning: ['Warning', '警告'],
  info: ['Info', '一般'],
};

const groupOf = (group: string | undefined) => (group === undefined ? {} : { group });

/** Every kind of summary (RPM-01). */
export const kinds: Readonly<Record<calls.SummaryKind, AnyKind>> = {
  'data-use': kindOf<PeriodUse>({
    title: ['Data use', '數據用量'],
    right: usageCalls.listUsage,
    columns: (request) => [
      ['Vehicle', '車輛', (row) => identifierCell(row.name)],
      ['Serial number', '序號', (row) => identifierCell(row.serial)],
      ...ofMain<PeriodUse>(request),
      ['ICCID', 'ICCID', (row) => identifierCell(row.iccid)],
      ['Carrier', '電信業者', (row) => safeCell(row.carrier)],
      ['Plan', '資費方案', (row) => safeCell(row.plan)],
      ['MB sent', '已傳送 MB', (row) => (row.sent / 1e6).toFixed(2), 'number'],
      ['MB received', '已接收 MB', (row) => (row.received / 1e6).toFixed(2), 'number'],
      ['MB', 'MB', (row) => ((row.sent + row.received) / 1e6).toFixed(2), 'number'],
      ['Cost', '費用', (row) => (row.cost === null ? '' : row.cost.toFixed(2)), 'number'],
      ['Currency', '幣別', (row) => row.currency],
    ],
    rows: async ({ streams }, { scope, time, group }) => streams.open<PeriodUse>(periodUse(scope, time, group)),
    async draw({ reader }, { scope, time, group }) {
      const days = await reader.rows<{ day: string; bytes: number }>(periodUseByDay(scope, time, group));
      return drawDays(daysBetween(time), new Map(days.map(({ day, bytes }) => [day, bytes])), gigabytes);
    },
  }),
  availability: kindOf<Parameters<(typeof sumColumns)['name'][2]>[0]>({
    title: ['Availability', '可用率'],
    right: outageCalls.sumOutages,
    columns: ({ scope }) => {
      const { name, org, share, minutes, outages, longestMinutes, excludedMinutes } = sumColumns;
      return [name, ...(scope.kind === 'main' ? [org] : []), share, minutes, outages, longestMinutes, excludedMinutes];
    },
    rows: async ({ streams }, { scope, time, group, now }) =>
      sumList(time, now).rows(streams, scope, { by: 'vehicles', sort: 'share', ...groupOf(group) }),
  }),
  outages: kindOf<Parameters<ReturnType<typeof outageColumns>['name'][2]>[0]>({
    title: ['Outages', '斷線'],
    right: outageCalls.listOutages,
    columns({ scope, time, now }) {
      const { name, serial, org, from, until, minutes, reason, carrier, servingCell, rsrp, latitude, longitude } = outageColumns(
        now,
        time.zone,
      );
      return [
        name,
        serial,
        ...(scope.kind === 'main' ? [org] : []),
        from,
        until,
        minutes,
        reason,
        carrier,
        servingCell,
        rsrp,
        latitude,
        longitude,
      ];
    },
    rows: async ({ streams }, { scope, time, group, now }) => outageList(time, now).rows(streams, scope, groupOf(group)),
  }),
  signal: kindOf<Parameters<(typeof vehicleColumns)['name'][2]>[0]>({
    title: ['Signal of vehicles', '車輛訊號'],
    right: coverageCalls.vehicles,
    columns: ({ scope }) => {
      const { name, serial, org, rsrp, rsrq, samples, suspect } = vehicleColumns;
      return [name, serial, ...(scope.kind === 'main' ? [org] : []), rsrp, rsrq, samples, suspect];
    },
    rows: async ({ reader, streams }, { scope, time: { from, until }, now }) =>
      vehicleList(await filterOf(reader, scope, { from, until }, now)).rows(streams, scope, {}),
  }),
  alerts: kindOf<AlertOfPeriod>({
    title: ['Alerts', '警報'],
    right: alertCalls.listAlerts,
    columns(request) {
      const at = timeIn(request.time.zone);
      const moment = (value: Date | null) => (value === null ? '' : at(value));
      return [
        ['Fired', '觸發時間', (row) => at(row.fired_at)],
        ['Severity', '嚴重程度', (row) => severities[row.severity]],
        ['Rule', '規則', (row) => safeCell(row.rule_name)],
        ['Vehicle', '車輛', (row) => identifierCell(row.vehicle_number === '' ? row.serial : row.vehicle_number)],
        ...ofMain<AlertOfPeriod>(request),
        ['Group', '群組', (row) => safeCell(row.group_name)],
        ['Carrier', '電信業者', (row) => safeCell(row.carrier)],
        ['Acknowledged', '確認時間', (row) => moment(row.acknowledged_at)],
        ['By', '確認者', (row) => safeCell(row.acknowledged_by)],
        ['Resolved', '解除時間', (row) => moment(row.resolved_at)],
      ];
    },
    rows: async ({ streams }, { scope, time, group }) => streams.open<AlertOfPeriod>(alertsOfPeriod(scope, time, group)),
  }),
  people: kindOf<LogRow>({
    title: ['People’s acts', '人員操作'],
    right: logCalls.listLogs,
    columns({ time, language }) {
      const { time: at, user, ip, action } = logColumns(timeIn(time.zone), language);
      return [at, user, ip, action];
    },
    rows: async ({ streams }, { scope, time }) => streams.open<LogRow>(actsOfPeriod(scope, time)),
  }),
  inventory: kindOf<InventoryRow>({
    title: ['Inventory', '裝置清冊'],
    right: deviceCalls.listDevices,
    isOfNow: true,
    columns: (request) => [
      ['Vehicle', '車輛', (row) => identifierCell(row.vehicle_number)],
      ['Serial number', '序號', (row) => identifierCell(row.serial)],
      ...ofMain<InventoryRow>(request),
      ['Model', '型號', (row) => safeCell(row.model)],
      ['Group', '群組', (row) => safeCell(row.group_name)],
      ['Firmware', '韌體', (row) => safeCell(row.firmware)],
      ['Config file', '設定檔', (row) => safeCell(row.config)],
      ['Carrier', '電信業者', (row) => safeCell(row.carrier)],
      ['ICCID', 'ICCID', (row) => identifierCell(row.iccid)],
      ['Subscription from', '訂閱開始', (row) => row.started_on ?? ''],
      ['Subscription until', '訂閱結束', (row) => row.expires_on ?? ''],
    ],
    rows: async ({ streams }, { scope, group }) => streams.open<InventoryRow>(inventoryOf(scope, group)),
  }),
};
