import { americanDay, dayIn } from '../../kernel/calendar.ts';
import { safeCell, type CsvColumn } from '../../platform/csv/index.ts';
import { groupExportMessages, type ExportLanguage } from './group.export.messages.ts';
import { toGroupDto, type GroupRow } from './group.dto.ts';

/**
 * The columns of the group list as CSV, as its screen shows them (GRP-01, SHR-08).
 * @param zone IANA time zone that gives an instant its day
 */
export function groupExportColumns(language: ExportLanguage, zone: string): CsvColumn<GroupRow>[] {
  const messages = groupExportMessages[language];
  return [
    { title: messages.number, cell: (_, index) => String(index + 1) },
    { title: messages.group, cell: (row) => safeCell(row.name) },
    { title: messages.firmware, cell: (row) => safeCell(row.firmware?.label) },
    { title: messages.config, cell: (row) => safeCell(row.config?.label) },
    { title: messages.schedule, cell: (row) => scheduleText(row, messages.schedules) },
    { title: messages.postpone, cell: (row) => postponeDay(row, zone) },
    { title: messages.status, cell: (row) => `${messages.successful}${toGroupDto(row).successful}/${row.device_count}` },
    { title: messages.description, cell: (row) => safeCell(row.description) },
  ];
}

function scheduleText({ firmware, config }: GroupRow, texts: Readonly<Record<'immediate' | 'bootup', string>>): string {
  return texts[(firmware ?? config)?.schedule ?? 'immediate'];
}

function postponeDay(row: GroupRow, zone: string): string {
  const { postpone } = row.firmware ?? row.config ?? { postpone: null };
  return postpone === null ? '' : americanDay(dayIn(zone, new Date(postpone * 1_000)));
}
