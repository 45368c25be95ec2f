import { americanDay, dayIn } from '../../kernel/calendar.ts';
import { numberColumn, safeCell, type Bilingual, type CsvColumn } from '../../platform/csv/index.ts';
import { toGroupDto, type GroupRow } from './group.dto.ts';

const schedules: Record<'immediate' | 'bootup', Bilingual> = {
  immediate: ['Immediate', '立即'],
  bootup: ['Up on next bootup', '下次開機時更新'],
};

/**
 * The columns of the group list as CSV, as its screen shows them (GRP-01, SHR-08).
 * @param zone IANA time zone that gives an instant its day
 */
export function groupColumns(zone: string): CsvColumn<GroupRow>[] {
  return [
    numberColumn,
    ['Group', '群組', (row) => safeCell(row.name)],
    ['Firmware', '韌體', (row) => safeCell(row.firmware?.label)],
    ['Config File', '設定檔', (row) => safeCell(row.config?.label)],
    ['Schedule to Update', '更新排程', ({ firmware, config }) => schedules[(firmware ?? config)?.schedule ?? 'immediate']],
    ['Postpone Update Until', '延後更新至', (row) => postponeDay(row, zone)],
    ['Update Status', '更新狀態', statusText],
    ['Description', '說明', (row) => safeCell(row.description)],
  ];
}

function statusText(row: GroupRow): Bilingual {
  const counts = `${toGroupDto(row).successful}/${row.device_count}`;
  return [`Successful: ${counts}`, `成功：${counts}`];
}

function postponeDay(row: GroupRow, zone: string): string {
  const { postpone } = row.firmware ?? row.config ?? { postpone: null };
  return postpone === null ? '' : americanDay(dayIn(zone, new Date(postpone * 1_000)));
}
