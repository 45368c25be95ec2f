import {
  summaryFilters,
  sumsOfKind,
  type SummaryKind,
  type SummarySum,
  rollouts as rolloutCalls,
  daysUntilEnd,
  subscriptionState,
  writeIsoDay,
  summaries as calls,
} from '@highline/contract';
import { DomainError } from '../../kernel/index.ts';
import { identifierCell, safeCell, timeIn, type Bilingual, type CsvColumn } from '../../platform/csv/index.ts';
import { drawDays } from '../../platform/pdf/day-chart.ts';
import { filterOf, vehicleColumns, vehicleList } from '../coverage/index.ts';
import { logColumns, type LogRow } from '../logs/index.ts';
import { daysBetween, outageColumns, outageList, sumColumns, sumList, withPlaces } from '../outages/index.ts';
import { endTexts } from '../recordings/index.ts';
import { stateTexts as settingsStateTexts } from '../router-settings/index.ts';
import { periodSums, periodUse, periodUseByDay, type PeriodSum, type PeriodUse } from '../usage/index.ts';
import { coverageKind } from './coverage-kind.ts';
import { kindOf, type AnyKind, type Columns } from './kind.ts';
import type { SummaryRequest } from './kind-request.ts';
import { availabilityHead } from './availability-head.ts';
import { stateTexts, subscriptionTexts } from './kind-texts.ts';
import {
  actsOfPeriod,
  alertsOfPeriod,
  devicesWith,
  inventoryOf,
  ofDevicesWith,
  sessionsOf,
  settingsOf,
  type AlertOfPeriod,
  type InventoryRow,
  type SessionRow,
  type SettingsRow,
} from './summaries.queries.ts';

const ofMain = <Row extends { readonly org_name: string }>({ scope }: SummaryRequest): Columns<Row> =>
  scope.kind === 'main' ? { org: ['Organization', '組織', (row) => safeCell(row.org_name)] } : {};
const subscriptionDays = ({ language }: SummaryRequest) => {
  const day = (iso: string | null) => (iso === null ? '' : writeIsoDay(iso, language));
  return {
    started: ['Subscription from', '訂閱開始', (row) => day(row.started_on), 'time'],
    expires: ['Subscription until', '訂閱結束', (row) => day(row.expires_on), 'time'],
  } satisfies Columns<InventoryRow>;
};
const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(bytes < 1e10 ? 2 : 1)} GB`;
const megabytes = (bytes: number) => (bytes / 1e6).toFixed(2);

const severities: Readonly<Record<AlertOfPeriod['severity'], Bilingual>> = {
  critical: ['Critical', '嚴重'],
  warning: ['Warning', '警告'],
  info: ['Info', '一般'],
};

const named = ({ group, carrier, tag }: SummaryRequest) => ({
  ...(group !== undefined && { group }),
  ...(carrier !== undefined && { carrier }),
  ...(tag !== undefined && { tag }),
});

type Moving = Pick<PeriodUse, 'sent' | 'received' | 'cost' | 'currency'>;
const useColumns: Columns<Moving> = {
  sent: ['MB sent', '已傳送 MB', (row) => megabytes(row.sent), 'number'],
  received: ['MB received', '已接收 MB', (row) => megabytes(row.received), 'number'],
  total: ['MB', 'MB', (row) => megabytes(row.sent + row.received), 'number'],
  cost: ['Cost', '費用', (row) => (row.cost === null ? '' : row.cost.toFixed(2)), 'number'],
  currency: ['Currency', '幣別', (row) => row.currency],
};
const sumTitles: Readonly<Record<'vehicles' | 'groups' | 'plans', Bilingual>> = {
  vehicles: ['Vehicle', '車輛'],
  groups: ['Group', '群組'],
  plans: ['Plan', '資費方案'],
};
/** What data used is added up by; undefined = by SIM. */
const useBy = ({ sumBy }: SummaryRequest) =>
  sumBy === 'vehicles' || sumBy === 'groups' || sumBy === 'plans' ? sumBy : undefined;
const useFilter = ({ scope, time, carrier, group, tag }: SummaryRequest) => ({
  from: time.from,
  until: time.until,
  carrier,
  devices: ofDevicesWith(scope, { group, tag }, 'u'),
});

/** Every kind of summary (RPM-01). */
export const kinds: Readonly<Record<SummaryKind, AnyKind>> = {
  'data-use': kindOf<PeriodUse | PeriodSum>({
    title: ['Data use', '數據用量'],
    days: 'organization',
    columns(request) {
      const by = useBy(request);
      if (by !== undefined)
        return {
          name: [...sumTitles[by], (row: PeriodSum) => (row.name === '' ? ['Not known', '未知'] : identifierCell(row.name))],
          ...ofMain<PeriodSum>(request),
          sims: ['SIMs', 'SIM 卡數', (row: PeriodSum) => String(row.sims), 'number'],
          ...(by !== 'vehicles' && {
            vehicles: ['Vehicles', '車輛數', (row: PeriodSum) => String(row.vehicles), 'number'] satisfies CsvColumn<PeriodSum>,
          }),
          ...useColumns,
        } as Columns<PeriodUse | PeriodSum>;
      return {
        name: ['Vehicle', '車輛', (row: PeriodUse) => identifierCell(row.name)],
        serial: ['Serial number', '序號', (row: PeriodUse) => identifierCell(row.serial)],
        ...ofMain<PeriodUse>(request),
        iccid: ['ICCID', 'ICCID', (row: PeriodUse) => identifierCell(row.iccid)],
        carrier: ['First carrier', '首次連線的電信業者', (row: PeriodUse) => safeCell(row.carrier)],
        plan: ['Plan', '資費方案', (row: PeriodUse) => safeCell(row.plan)],
        ...useColumns,
      } as Columns<PeriodUse | PeriodSum>;
    },
    async rows({ streams }, request) {
      const by = useBy(request);
      if (by === undefined) return streams.open<PeriodUse>(periodUse(request.scope, useFilter(request)));
      return streams.open<PeriodSum>(periodSums(request.scope, useFilter(request), by));
    },
    async *head({ reader }, request) {
      const days = await reader.rows<{ day: string; bytes: number }>(periodUseByDay(request.scope, useFilter(request)));
      yield drawDays(daysBetween(request.time), new Map(days.map(({ day, bytes }) => [day, bytes])), gigabytes);
    },
  }),
  availability: kindOf<Parameters<(typeof sumColumns)['name'][2]>[0]>({
    title: ['Availability', '可用率'],
    isOfOutages: true,
    columns: ({ scope, sumBy }) => {
      const {
        name,
        org,
        share,
        target,
        difference,
        minutes,
        outages,
        longestMinutes,
        vehicles,
        excludedMinutes,
        parkedMinutes,
        plannedMinutes,
      } = sumColumns;
      return {
        name,
        ...(scope.kind === 'main' && { org }),
        share,
        target,
        difference,
        minutes,
        outages,
        longestMinutes,
        ...(sumBy !== undefined && sumBy !== 'vehicles' && { vehicles }),
        excludedMinutes,
        parkedMinutes,
        plannedMinutes,
      };
    },
    rows: async ({ streams }, request) => {
      const { scope, time, now, sumBy } = request;
      const by = sumBy === 'groups' || sumBy === 'carriers' ? sumBy : 'vehicles';
      return sumList(time, now).rows(streams, scope, { by, sort: 'share', ...named(request) });
    },
    head: (sources, request) => availabilityHead(sources, request, named(request)),
  }),
  outages: kindOf<Parameters<ReturnType<typeof outageColumns>['name'][2]>[0]>({
    title: ['Outages', '斷線'],
    isOfOutages: true,
    // A page has no space for all.
    chosenOnly: ['latitude', 'longitude'],
    columns({ scope, time, now, language }) {
      const { org, kind: _kind, technology: _technology, name, serial, ...columns } = outageColumns(now, time.zone, language);
      return { name, serial, ...(scope.kind === 'main' && { org }), ...columns };
    },
    rows: async (sources, request) => {
      const { scope, time, now, language } = request;
      return withPlaces(sources, scope, language, outageList(time, now).rows(sources.streams, scope, named(request)));
    },
  }),
  signal: kindOf<Parameters<(typeof vehicleColumns)['name'][2]>[0]>({
    title: ['Signal of vehicles', '車輛訊號'],
    days: 'UTC',
    isOfCoverage: true,
    columns: ({ scope }) => {
      const { name, serial, org, rsrp, rsrq, samples, suspect } = vehicleColumns;
      return { name, serial, ...(scope.kind === 'main' && { org }), rsrp, rsrq, samples, suspect };
    },
    async rows({ reader, streams }, { scope, time: { from, until }, now, carrier, group, tag }) {
      const filter = { ...(await filterOf(reader, scope, { from, until }, now)), carrier };
      return vehicleList(filter, devicesWith({ group, tag })).rows(streams, scope, {});
    },
  }),
  coverage: coverageKind,
  alerts: kindOf<AlertOfPeriod>({
    title: ['Alerts', '警報'],
    columns(request) {
      const at = timeIn(request.time.zone, request.language);
      const moment = (value: Date | null) => (value === null ? '' : at(value));
      return {
        fired: ['Fired', '觸發時間', (row) => at(row.fired_at), 'time'],
        severity: ['Severity', '嚴重程度', (row) => severities[row.severity]],
        rule: ['Rule', '規則', (row) => safeCell(row.rule_name)],
        name: ['Vehicle', '車輛', (row) => identifierCell(row.vehicle_number === '' ? row.serial : row.vehicle_number)],
        ...ofMain<AlertOfPeriod>(request),
        group: ['Group', '群組', (row) => identifierCell(row.group_name)],
        carrier: ['Carrier', '電信業者', (row) => safeCell(row.carrier)],
        acknowledged: ['Acknowledged', '確認時間', (row) => moment(row.acknowledged_at), 'time'],
        by: ['By', '確認者', (row) => safeCell(row.acknowledged_by)],
        resolved: ['Resolved', '解除時間', (row) => moment(row.resolved_at), 'time'],
      };
    },
    rows: async ({ streams }, request) => streams.open<AlertOfPeriod>(alertsOfPeriod(request.scope, request.time, request)),
  }),
  people: kindOf<LogRow>({
    // The font of documents has this apostrophe as wide as a Chinese character.
    title: ["People's acts", '人員操作'],
    columns({ time, language }) {
      const { number: _number, ...columns } = logColumns(timeIn(time.zone, language), language);
      return columns;
    },
    rows: async ({ streams }, { scope, time }) => streams.open<LogRow>(actsOfPeriod(scope, time)),
  }),
  'remote-sessions': kindOf<SessionRow>({
    title: ['Remote sessions', '遠端連線'],
    columns(request) {
      const at = timeIn(request.time.zone, request.language);
      return {
        opened: ['Opened', '開啟時間', (row) => at(row.opened_at), 'time'],
        ended: ['Ended', '結束時間', (row) => (row.ended_at === null ? '' : at(row.ended_at)), 'time'],
        minutes: [
          'Minutes',
          '分鐘數',
          (row) => String(Math.round(((row.ended_at ?? request.now).getTime() - row.opened_at.getTime()) / 6_000) / 10),
          'number',
        ],
        user: ['Cloud User', '雲端使用者', (row) => safeCell(row.account_email)],
        type: [
          'Access',
          '連線方式',
          (row) => (row.is_terminal ? ['Terminal', '終端機'] : row.type === 'ssh' ? 'SSH' : ['Web page', '網頁']),
        ],
        name: ['Vehicle', '車輛', (row) => identifierCell(row.name)],
        serial: ['Serial number', '序號', (row) => identifierCell(row.serial)],
        ...ofMain<SessionRow>(request),
        end: ['Why it ended', '結束原因', (row) => (row.end_reason === null ? '' : endTexts[row.end_reason])],
      };
    },
    rows: async ({ streams }, { scope, time, group, tag }) => streams.open<SessionRow>(sessionsOf(scope, time, { group, tag })),
  }),
  inventory: kindOf<InventoryRow>({
    title: ['Device list', '裝置清冊'],
    isOfNow: true,
    columns: (request) => ({
      name: ['Vehicle', '車輛', (row) => identifierCell(row.vehicle_number)],
      serial: ['Serial number', '序號', (row) => identifierCell(row.serial)],
      ...ofMain<InventoryRow>(request),
      model: ['Model', '型號', (row) => safeCell(row.model)],
      group: ['Group', '群組', (row) => identifierCell(row.group_name)],
      firmware: ['Firmware', '韌體', (row) => safeCell(row.firmware)],
      config: ['Config file', '設定檔', (row) => safeCell(row.config)],
      carrier: ['Carrier', '電信業者', (row) => safeCell(row.carrier)],
      iccid: ['ICCID', 'ICCID', (row) => identifierCell(row.iccid)],
      ...subscriptionDays(request),
    }),
    rows: async ({ streams }, request) => streams.open<InventoryRow>(inventoryOf(request.scope, request, request.carrier)),
  }),
  settings: kindOf<SettingsRow>({
    title: ['Firmware and settings', '韌體與設定'],
    isOfNow: true,
    columns(request) {
      const stateOf = (bound: string | null, state: string | null, reported: string | null): string | Bilingual => {
        if (bound === null) return '';
        if (state !== null) return stateTexts[state as rolloutCalls.TargetState];
        return bound === reported ? stateTexts.successful : stateTexts.waiting;
      };
      return {
        name: ['Vehicle', '車輛', (row) => identifierCell(row.name)],
        serial: ['Serial number', '序號', (row) => identifierCell(row.serial)],
        ...ofMain<SettingsRow>(request),
        group: ['Group', '群組', (row) => identifierCell(row.group_name)],
        firmware: ['Firmware', '韌體', (row) => safeCell(row.firmware)],
        boundFirmware: ['Firmware as bound', '指定韌體', (row) => safeCell(row.bound_firmware)],
        firmwareState: ['Its state', '韌體狀態', (row) => stateOf(row.bound_firmware, row.firmware_state, row.firmware)],
        config: ['Config file', '設定檔', (row) => safeCell(row.config)],
        boundConfig: [
          'Config file as bound',
          '指定設定檔',
          (row) => safeCell(row.bound_config === null ? '' : `${row.bound_config} v${row.bound_version ?? 1}`),
        ],
        configState: ['State of the file', '設定檔狀態', (row) => stateOf(row.bound_config, row.config_state, row.config)],
        settings: ['Router settings', '路由器設定', (row) => settingsStateTexts[row.settings_state]],
        settingsDiffer: [
          'Values that differ',
          '不同的值的數量',
          (row) => (row.settings_state === 'differs' ? String(row.settings_differ) : '0'),
          'number',
        ],
      };
    },
    rows: async ({ streams }, request) => streams.open<SettingsRow>(settingsOf(request.scope, request)),
  }),
  subscriptions: kindOf<InventoryRow>({
    title: ['Subscriptions', '訂閱'],
    isOfNow: true,
    columns: (request, { expiringDays }) => ({
      name: ['Vehicle', '車輛', (row) => identifierCell(row.vehicle_number)],
      serial: ['Serial number', '序號', (row) => identifierCell(row.serial)],
      ...ofMain<InventoryRow>(request),
      group: ['Group', '群組', (row) => identifierCell(row.group_name)],
      carrier: ['Carrier', '電信業者', (row) => safeCell(row.carrier)],
      ...subscriptionDays(request),
      state: [
        'State',
        '狀態',
        (row) => subscriptionTexts[subscriptionState(row.started_on, row.expires_on, request.now, expiringDays)],
      ],
      days: ['Days left', '剩餘天數', (row) => daysLeft(row.expires_on, request.now), 'number'],
    }),
    rows: async ({ streams }, request) => streams.open<InventoryRow>(inventoryOf(request.scope, request, request.carrier)),
  }),
};

/** As on screens and in alerts; 0 on the last day, and after it. */
function daysLeft(until: string | null, now: Date): string {
  return until === null ? '' : String(Math.max(0, daysUntilEnd(until, now)));
}

/** What a summary can be limited to and consist of. */
type Choice = Pick<calls.SummaryQuery, 'group' | 'carrier' | 'tag'> & {
  readonly kind: SummaryKind;
  readonly sumBy?: SummarySum | undefined;
};

/** @throws DomainError `request.invalid` for a filter, rows or columns that the kind does not have */
export function checkChoice(choice: Choice, columns: readonly string[], all: Columns<unknown>): void {
  const { kind, sumBy } = choice;
  for (const filter of ['group', 'carrier', 'tag'] as const)
    if (choice[filter] !== undefined && !summaryFilters[kind].includes(filter)) throw invalid(filter, 'this report has none');
  if (sumBy !== undefined && sumsOfKind[kind]?.includes(sumBy) !== true)
    throw invalid('sumBy', `must be one of ${(sumsOfKind[kind] ?? []).join(', ')}`);
  for (const [at, id] of columns.entries())
    if (!Object.hasOwn(all, id) || columns.indexOf(id) !== at)
      throw invalid('columns', `must be of ${Object.keys(all).join(', ')}, each once`);
}

const invalid = (field: string, message: string) =>
  new DomainError('request.invalid', { message: `${field}: ${message}`, field });
