import type { Translation } from '../../ui/translation.ts';
import type { overview as english } from './overview.en-US.ts';

export const overview: Translation<typeof english> = {
  title: '總覽',
  devices: '裝置',
  groups: '群組',
  users: '雲端使用者',
  logs: '紀錄',
  openGroups: '開啟群組',
  openList: '開啟清單',
  online: '線上',
  offline: '離線',
  onlineCount: '線上 {{shown}}',
  offlineCount: '離線 {{shown}}',
  unknownCount: '未知 {{shown}}',
  expiringCount: '即將到期 {{shown}}',
  today: '今天 {{shown}} 筆',
  sims: '裝置與 SIM 卡',
  carriers: {
    title: '各電信業者的 SIM 卡數',
    hint: '選擇電信業者以查看線上數量',
    sims: 'SIM 卡',
    show: '在裝置清單中顯示',
    asTable: '以表格檢視',
    asChart: '以圖表檢視',
  },
  column: {
    serial: '裝置序號',
    vehicle: '車輛編號',
    carrier: '電信業者',
    imsi: 'IMSI',
    iccid: 'ICCID',
    mtn: 'MTN',
    note: '備註',
  },
};
