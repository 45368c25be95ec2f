import type { SubscriptionState } from '@highline/contract';
import { identifierCell, safeCell, type CsvColumn } from '../../platform/csv/index.ts';
import { americanDay } from '../../kernel/calendar.ts';
import { stateOf, uptimeOf, type DeviceRow, type Moment } from './device.wire.ts';
import { exportWords, type ExportLanguage, type ExportWords } from './device.export.words.ts';

export type ExportLayout = 'devices' | 'organizations' | 'sims' | 'service';

type Column = CsvColumn<DeviceRow>;

/** The columns of a device list as CSV, as its screen shows them: DEV-01, OGL-01, OVW-05 or SVC-01 (SHR-08). */
export function exportColumns(layout: ExportLayout, language: ExportLanguage, moment: Moment): Column[] {
  const words = exportWords[language];
  if (layout === 'organizations') return organizationColumns(words, moment);
  if (layout === 'service') return serviceColumns(words, moment);
  return layout === 'sims' ? simColumns(words) : deviceColumnsOf(words, moment);
}

function deviceColumnsOf(words: ExportWords, moment: Moment): Column[] {
  return [
    number(words),
    service(words, moment),
    { title: words.presence, cell: (row) => words.presences[row.presence] },
    serial(words),
    vehicle(words),
    model(words),
    { title: words.uptime, cell: (row) => uptimeText(uptimeOf(row, moment.now), words) },
    group(words),
    { title: words.firmware, cell: (row) => safeCell(row.firmware) },
    { title: words.config, cell: (row) => safeCell(row.config) },
    { title: words.mac, cell: (row) => identifierCell(row.mac) },
    carrier(words),
    { title: words.started, cell: (row) => americanDay(row.started_on) },
    expires(words),
    notes(words),
  ];
}

function serviceColumns(words: ExportWords, moment: Moment): Column[] {
  return [number(words), serial(words), service(words, moment), expires(words), group(words), notes(words)];
}

function organizationColumns(words: ExportWords, moment: Moment): Column[] {
  return [
    number(words),
    service(words, moment),
    expires(words),
    serial(words),
    model(words),
    { title: words.organization, cell: (row) => safeCell(row.organization_name) },
  ];
}

function simColumns(words: ExportWords): Column[] {
  return [
    number(words),
    serial(words),
    vehicle(words),
    carrier(words),
    { title: 'IMSI', cell: (row) => identifierCell(row.imsi) },
    { title: 'ICCID', cell: (row) => identifierCell(row.iccid) },
    { title: 'MTN', cell: (row) => identifierCell(row.mtn) },
    notes(words),
  ];
}

const number = (words: ExportWords): Column => ({ title: words.number, cell: (_, index) => String(index + 1) });
const serial = (words: ExportWords): Column => ({ title: words.serial, cell: (row) => identifierCell(row.serial) });
const vehicle = (words: ExportWords): Column => ({ title: words.vehicle, cell: (row) => identifierCell(row.vehicle_number) });
const model = (words: ExportWords): Column => ({ title: words.model, cell: (row) => safeCell(row.model) });
const group = (words: ExportWords): Column => ({ title: words.group, cell: (row) => safeCell(row.group_name) });
const notes = (words: ExportWords): Column => ({ title: words.notes, cell: (row) => safeCell(row.note) });
const carrier = (words: ExportWords): Column => ({ title: words.carrier, cell: (row) => safeCell(row.carrier) });
const expires = (words: ExportWords): Column => ({ title: words.expires, cell: (row) => americanDay(row.expires_on) });

function service(words: ExportWords, moment: Moment): Column {
  const names: Record<SubscriptionState, string> = words.states;
  return { title: words.service, cell: (row) => names[stateOf(row, moment)] };
}

/** Days, hours, minutes and seconds (DEV-01). */
function uptimeText(seconds: number | null, words: ExportWords): string {
  if (seconds === null) return '';
  const parts = [Math.floor(seconds / 86_400), Math.floor(seconds / 3_600) % 24, Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part, index) => `${part}${words.units[index]!}`).join(' ');
}
