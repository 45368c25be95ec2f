export type ExportLanguage = 'en-US' | 'zh-TW';

/** Texts of Groups_export; the console has its own texts for the same columns. */
export const groupExportMessages = {
  'en-US': {
    number: '#',
    group: 'Group',
    firmware: 'Firmware',
    config: 'Config File',
    schedule: 'Schedule to Update',
    postpone: 'Postpone Update Until',
    status: 'Update Status',
    description: 'Description',
    schedules: { immediate: 'Immediate', bootup: 'Up on next bootup' },
    successful: 'Successful: ',
  },
  'zh-TW': {
    number: '#',
    group: '群組',
    firmware: '韌體',
    config: '設定檔',
    schedule: '更新排程',
    postpone: '延後更新至',
    status: '更新狀態',
    description: '說明',
    schedules: { immediate: '立即', bootup: '下次開機時更新' },
    successful: '成功：',
  },
} as const;
