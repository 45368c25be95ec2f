export type ExportLanguage = 'en-US' | 'zh-TW';

/** Texts of the device exports; the console has its own texts for the same columns. */
export const deviceExportMessages = {
  'en-US': {
    number: '#',
    service: 'Service Status',
    presence: 'Online Status',
    serial: 'Device Serial#',
    vehicle: 'Vehicle#',
    model: 'Device Model',
    uptime: 'Uptime',
    group: 'Group',
    firmware: 'Firmware',
    config: 'Config File',
    mac: 'MAC',
    carrier: 'Carrier',
    started: 'Start Date',
    expires: 'Expiration Date',
    organization: 'Org',
    notes: 'Notes',
    states: { subscribed: 'Subscribed', expiring: 'Expiring', 'not-subscribed': 'Not Subscribed' },
    presences: { online: 'Online', offline: 'Offline', unknown: 'Unknown' },
    units: ['d', 'h', 'm', 's'],
  },
  'zh-TW': {
    number: '#',
    service: '服務狀態',
    presence: '連線狀態',
    serial: '裝置序號',
    vehicle: '車輛編號',
    model: '裝置型號',
    uptime: '運作時間',
    group: '群組',
    firmware: '韌體',
    config: '設定檔',
    mac: 'MAC',
    carrier: '電信業者',
    started: '開始日期',
    expires: '到期日',
    organization: '組織',
    notes: '備註',
    states: { subscribed: '已訂閱', expiring: '即將到期', 'not-subscribed': '未訂閱' },
    presences: { online: '上線', offline: '離線', unknown: '未知' },
    units: ['天', '時', '分', '秒'],
  },
} as const;

export type DeviceExportMessages = (typeof deviceExportMessages)[ExportLanguage];
