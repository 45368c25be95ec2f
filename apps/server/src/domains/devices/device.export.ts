import type { SubscriptionState } from '@highline/contract';
import { identifierCell, safeCell, type CsvColumn } from '../../platform/csv/index.ts';
import { americanDay } from '../../kernel/calendar.ts';
import { textFacts } from '../router-state/index.ts';
import { stateOf, uptimeOf, type DeviceRow, type EvaluationContext } from './device.dto.ts';
import { deviceExportMessages, type ExportLanguage, type DeviceExportMessages } from './device.export.messages.ts';

export type ExportLayout = 'devices' | 'organizations' | 'sims' | 'service';

type Column = CsvColumn<DeviceRow>;

/** The columns of a device list as CSV, as its screen shows them: DEV-01, OGL-01, OVW-05 or SVC-01 (SHR-08). */
export function deviceExportColumns(layout: ExportLayout, language: ExportLanguage, context: EvaluationContext): Column[] {
  const messages = deviceExportMessages[language];
  if (layout === 'organizations') return organizationColumns(messages, context);
  if (layout === 'service') return serviceColumns(messages, context);
  return layout === 'sims' ? simColumns(messages) : deviceColumnsOf(language, context);
}

function deviceColumnsOf(language: ExportLanguage, context: EvaluationContext): Column[] {
  const messages = deviceExportMessages[language];
  return [
    number(messages),
    service(messages, context),
    { title: messages.presence, cell: (row) => messages.presences[row.presence] },
    serial(messages),
    vehicle(messages),
    model(messages),
    { title: messages.uptime, cell: (row) => uptimeText(uptimeOf(row, context.now), messages) },
    group(messages),
    { title: messages.firmware, cell: (row) => safeCell(row.firmware) },
    { title: messages.config, cell: (row) => safeCell(row.config) },
    { title: messages.mac, cell: (row) => identifierCell(row.mac) },
    carrier(messages),
    { title: messages.started, cell: (row) => americanDay(row.started_on) },
    expires(messages),
    notes(messages),
    ...textFacts.flatMap(({ key, exported }) =>
      exported === undefined ? [] : [{ title: exported[language], cell: (row: DeviceRow) => identifierCell(row[key]) }],
    ),
  ];
}

function serviceColumns(messages: DeviceExportMessages, context: EvaluationContext): Column[] {
  return [number(messages), serial(messages), service(messages, context), expires(messages), group(messages), notes(messages)];
}

function organizationColumns(messages: DeviceExportMessages, context: EvaluationContext): Column[] {
  return [
    number(messages),
    service(messages, context),
    expires(messages),
    serial(messages),
    model(messages),
    { title: messages.organization, cell: (row) => safeCell(row.organization_name) },
  ];
}

function simColumns(messages: DeviceExportMessages): Column[] {
  return [
    number(messages),
    serial(messages),
    vehicle(messages),
    carrier(messages),
    { title: 'IMSI', cell: (row) => identifierCell(row.imsi) },
    { title: 'ICCID', cell: (row) => identifierCell(row.iccid) },
    { title: 'MTN', cell: (row) => identifierCell(row.mtn) },
    notes(messages),
  ];
}

const number = (messages: DeviceExportMessages): Column => ({ title: messages.number, cell: (_, index) => String(index + 1) });
const serial = (messages: DeviceExportMessages): Column => ({
  title: messages.serial,
  cell: (row) => identifierCell(row.serial),
});
const vehicle = (messages: DeviceExportMessages): Column => ({
  title: messages.vehicle,
  cell: (row) => identifierCell(row.vehicle_number),
});
const model = (messages: DeviceExportMessages): Column => ({ title: messages.model, cell: (row) => safeCell(row.model) });
const group = (messages: DeviceExportMessages): Column => ({ title: messages.group, cell: (row) => safeCell(row.group_name) });
const notes = (messages: DeviceExportMessages): Column => ({ title: messages.notes, cell: (row) => safeCell(row.note) });
const carrier = (messages: DeviceExportMessages): Column => ({ title: messages.carrier, cell: (row) => safeCell(row.carrier) });
const expires = (messages: DeviceExportMessages): Column => ({
  title: messages.expires,
  cell: (row) => americanDay(row.expires_on),
});

function service(messages: DeviceExportMessages, context: EvaluationContext): Column {
  const names: Record<SubscriptionState, string> = messages.states;
  return { title: messages.service, cell: (row) => names[stateOf(row, context)] };
}

/** Days, hours, minutes and seconds (DEV-01). */
function uptimeText(seconds: number | null, messages: DeviceExportMessages): string {
  if (seconds === null) return '';
  const parts = [Math.floor(seconds / 86_400), Math.floor(seconds / 3_600) % 24, Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part, index) => `${part}${messages.units[index]!}`).join(' ');
}
