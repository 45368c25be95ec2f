import type { Translation } from '../../../ui/translation.ts';
import type { devicePage as english } from './device-page.en-US.ts';

export const devicePage: Translation<typeof english> = {
  tabs: '此裝置的各個部分',
  tab: {
    overview: '總覽',
    timeline: '時間軸',
    sims: 'SIM 卡',
    location: '位置',
    diagnostics: '診斷',
    settings: '設定',
  },
  status: {
    signal: '訊號',
    network: '行動網路',
    place: '所在位置',
  },
  connectedFor: '已連線 {{time}}',
  since: '自',
  lastKnown: '最後回報',
  cell: '基地台 {{cell}}',
  quality: { good: '良好', fair: '普通', poor: '不佳' },
  duration: {
    seconds: '{{count}} 秒',
    minutes: '{{count}} 分鐘',
    hours: '{{count}} 小時',
    days: '{{count}} 天',
  },
  lastReadings: '最近量測',
  sims: {
    inUse: '使用中的 SIM',
    profiles: '此路由器的 eSIM',
    none: '此路由器在這裡沒有 eSIM。',
    noEid: '此路由器尚未回報 eSIM 晶片（EID）。',
    list: '在 SIM 清單中檢視',
    place: '優先順序',
  },
  location: {
    title: '最後已知位置',
    cell: '基地台',
    at: '回報時間',
    none: '尚無位置',
    noneHint: '此路由器尚未回報行動網路的基地台。',
  },
  remote: {
    title: '遠端連線',
    text: '「連線」可開啟路由器的命令列或網頁；「重設密碼」會將其網頁的管理員登入資料還原為預設值。',
  },
  agent: {
    title: '路由器代理程式',
    endpoint: '端點識別碼',
    hardware: '硬體版本',
    setUp: '初始設定',
    complete: '已完成',
    incomplete: '未完成',
    sent: '由路由器主動傳送',
  },
};
