import { writeIsoDay, type groups, type Language } from '@highline/contract';
import { dayIn } from '../../kernel/calendar.ts';
import { identifierCell, safeCell, timeIn, type Bilingual, type ListColumns } from '../../platform/csv/index.ts';
import { toGroupDto, type GroupRow } from './group.dto.ts';

const schedules: Record<'immediate' | 'bootup', Bilingual> = {
  immediate: ['Immediate', '立即'],
  bootup: ['Up on next bootup', '下次開機時更新'],
};

/** The columns of a file without a choice of columns. */
export const usualGroupColumns = [
  'number',
  'name',
  'firmware',
  'config',
  'schedule',
  'postpone',
  'status',
  'description',
] as const;

/**
 * The columns of the group list as CSV, as its screen shows them (GRP-01, SHR-08).
 * @param zone IANA time zone that gives an instant its day
 */
export function groupColumns(
  zone: string,
  language: Language | undefined,
): ListColumns<(typeof groups.groupColumns)[number], GroupRow> {
  const at = timeIn(zone, language);
  return {
    number: ['#', '#', ({ number: position }) => String(position ?? ''), 'number'],
    name: ['Group', '群組', (row) => identifierCell(row.name)],
    firmware: ['Firmware', '韌體', (row) => safeCell(row.firmware?.label)],
    config: ['Config File', '設定檔', (row) => safeCell(row.config?.label)],
    schedule: [
      'Schedule to Update',
      '更新排程',
      ({ firmware, config }) => schedules[(firmware ?? config)?.schedule ?? 'immediate'],
    ],
    postpone: ['Postpone Update Until', '延後更新至', (row) => postponeDay(row, zone, language), 'time'],
    status: ['Update Status', '更新狀態', statusText],
    description: ['Description', '說明', (row) => safeCell(row.description)],
    devices: ['Devices', '裝置', (row) => String(row.device_count), 'number'],
    created: ['Created', '建立時間', (row) => at(row.created_at), 'time'],
  };
}

function statusText(row: GroupRow): Bilingual {
  const counts = `${toGroupDto(row).successful}/${row.device_count}`;
  return [`Successful: ${counts}`, `成功：${counts}`];
}

function postponeDay(row: GroupRow, zone: string, language: Language = 'en-US'): string {
  const { postpone } = row.firmware ?? row.config ?? { postpone: null };
  return postpone === null ? '' : writeIsoDay(dayIn(zone, new Date(postpone * 1_000)), language);
}
