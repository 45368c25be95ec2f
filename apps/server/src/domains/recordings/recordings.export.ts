import type { Language, recordings } from '@highline/contract';
import { identifierCell, safeCell, timeIn, type ListColumns } from '../../platform/csv/index.ts';
import { endTexts } from './end-texts.ts';
import type { RecordingRow } from './recordings.queries.ts';

/** The columns of a file of recordings. @param zone of their times */
export function recordingColumns(
  zone: string,
  language: Language | undefined,
): ListColumns<(typeof recordings.recordingColumns)[number], RecordingRow> {
  const time = timeIn(zone, language);
  return {
    name: ['Vehicle', '車輛', ({ name }) => identifierCell(name)],
    serial: ['Serial Number', '序號', ({ serial }) => identifierCell(serial)],
    client: [
      'Client',
      '用戶端',
      ({ client }) => (client === null ? '' : safeCell(`${client.address}:${client.port} (${client.mac})`)),
    ],
    by: ['User', '使用者', ({ account_email: email }) => safeCell(email)],
    began: ['Began', '開始', ({ began_at: at }) => time(at), 'time'],
    ended: ['Ended', '結束', ({ ended_at: at }) => (at === null ? '' : time(at)), 'time'],
    end: ['End', '結束原因', ({ end_reason: reason }) => (reason === null ? '' : endTexts[reason])],
    bytes: ['Bytes', '位元組', ({ bytes }) => String(bytes), 'number'],
  };
}
