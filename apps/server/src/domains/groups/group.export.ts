import { americanDay, dayIn } from '../../kernel/calendar.ts';
import { safeCell, type CsvColumn } from '../../platform/csv/index.ts';
import { exportWords, type ExportLanguage } from './group.export.words.ts';
import { groupWire, type GroupRow } from './group.wire.ts';

/**
 * The columns of the group list as CSV, as its screen shows them (GRP-01, SHR-08).
 * @param zone IANA time zone that gives an instant its day
 */
export function exportColumns(language: ExportLanguage, zone: string): CsvColumn<GroupRow>[] {
  const words = exportWords[language];
  return [
    { title: words.number, cell: (_, index) => String(index + 1) },
    { title: words.group, cell: (row) => safeCell(row.name) },
    { title: words.firmware, cell: (row) => safeCell(row.firmware?.label) },
    { title: words.config, cell: (row) => safeCell(row.config?.label) },
    { title: words.schedule, cell: (row) => scheduleText(row, words.schedules) },
    { title: words.postpone, cell: (row) => postponeDay(row, zone) },
    { title: words.status, cell: (row) => `${words.successful}${groupWire(row).successful}/${row.device_count}` },
    { title: words.description, cell: (row) => safeCell(row.description) },
  ];
}

function scheduleText({ firmware, config }: GroupRow, texts: Readonly<Record<'immediate' | 'bootup', string>>): string {
  return texts[(firmware ?? config)?.schedule ?? 'immediate'];
}

function postponeDay(row: GroupRow, zone: string): string {
  const { postpone } = row.firmware ?? row.config ?? { postpone: null };
  return postpone === null ? '' : americanDay(dayIn(zone, new Date(postpone * 1_000)));
}
