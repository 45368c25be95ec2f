import type { esims } from '@highline/contract';

export type ExportLanguage = 'en-US' | 'zh-TW';

interface ProfileExportMessages {
  readonly number: string;
  readonly status: string;
  readonly serial: string;
  readonly name: string;
  readonly carrier: string;
  readonly priority: string;
  readonly updated: string;
  readonly statuses: Readonly<Record<esims.ProfileStatus, string>>;
}

/** Texts of eSIMs_export; the console has its own texts for the same columns. */
export const profileExportMessages: Readonly<Record<ExportLanguage, ProfileExportMessages>> = {
  'en-US': {
    number: '#',
    status: 'Status',
    serial: 'Device Serial#',
    name: 'eSIM Name',
    carrier: 'Carrier',
    priority: 'Priority',
    updated: 'Updated (UTC)',
    statuses: {
      'In Use': 'In Use',
      Activated: 'Activated',
      'Downloading...': 'Downloading...',
      'Assigning...': 'Assigning...',
      'Deleting...': 'Deleting...',
      'Fail to download': 'Fail to download',
      'Fail to activate': 'Fail to activate',
      'Out of memory': 'Out of memory',
      'Not Purchased': 'Not Purchased',
    },
  },
  'zh-TW': {
    number: '#',
    status: '狀態',
    serial: '裝置序號',
    name: 'eSIM 名稱',
    carrier: '電信業者',
    priority: '優先順序',
    updated: '更新時間（UTC）',
    statuses: {
      'In Use': '使用中',
      Activated: '已啟用',
      'Downloading...': '下載中...',
      'Assigning...': '指派中...',
      'Deleting...': '刪除中...',
      'Fail to download': '下載失敗',
      'Fail to activate': '啟用失敗',
      'Out of memory': '記憶體不足',
      'Not Purchased': '尚未購買',
    },
  },
};
