import type { Translation } from '../../ui/translation.ts';
import type { positions as english } from './positions.en-US.ts';

/** 地圖的訊息。 */
export const positions: Translation<typeof english> = {
  title: '地圖',
  count_other: '{{shown}} 輛車',
  cut: '僅顯示前 10,000 輛，請用篩選條件查看其他車輛',
  without: {
    never_other: '{{shown}} 輛從未定位',
    old_other: '{{shown}} 輛 24 小時內未定位',
    rejected_other: '{{shown}} 輛的定位資料被拒絕',
  },
  asList: '以清單顯示',
  list: '地圖上的車輛',
  more_other: '顯示更多（還有 {{shown}} 輛）',
  none: '尚無任何車輛的位置',
  noneHint: '具備衛星定位功能的路由器會自動回報位置。',
  noMatch: '沒有符合篩選條件且已定位的車輛',
  presence: { online: '線上', offline: '離線', unknown: '未知', parked: '停放中（已熄火）', planned: '計畫中的作業' },
  old: '24 小時內未定位',
  standing: '靜止',
  estimated: '推估位置，誤差約 {{radius}}',
  estimatedCount_other: '{{shown}} 輛為推估位置',
  estimatedHint:
    '此車未回報衛星定位。圓圈是貴組織的車輛連上同一基地台時所在的範圍；地理圍欄、軌跡、資料饋送與分享連結都不會使用這個位置。',
  chosen: '選取的車輛：{{name}}',
  close: '取消選取',
  open: '開啟裝置',
  share: '以連結分享',
  links: '分享連結',
  jump: '此位置與前一個位置相距 {{distance}} 以上，可能有誤。',
  fact: {
    at: '定位時間',
    contact: '最後連線',
    state: '狀態',
    speed: '速度',
    signal: '訊號',
    placeName: '地點',
    place: '座標',
    accuracy: '精確度',
    diagnosis: '診斷',
  },
  mapApp: '以地圖開啟',
  color: { label: '顏色', state: '顏色：狀態', signal: '顏色：訊號', alert: '顏色：警報' },
  legend: {
    label: '圖例',
    state: { ok: '線上', warn: '24 小時內未定位', bad: '離線', none: '停放、計畫作業、未知' },
    signal: { ok: '訊號良好', warn: '訊號普通', bad: '訊號微弱', none: '未回報訊號' },
    alert: { ok: '沒有尚未解除的警報', warn: '有尚未解除的警報', bad: '嚴重警報', none: '未知' },
  },
  map: {
    label: '車輛地圖，旁邊的清單內容相同。',
    zoomIn: '放大',
    zoomOut: '縮小',
    sources: '地圖資料來源',
    missing: {
      style: '無法載入自訂地圖，目前顯示內建地圖。',
      parts: '自訂地圖有部分內容無法載入。',
      streets: '此伺服器的地圖沒有這裡的街道。伺服器的營運人員可用「highline map fetch」加入此區域。',
    },
    fault: '此瀏覽器無法顯示地圖，清單會列出相同的車輛。',
  },
};
