import type { Language } from '../ui/language.ts';

const english = {
  title: 'Vehicle location',
  loading: 'Loading…',
  until: 'Live until {time}',
  over: 'This link has ended',
  overHint: 'It no longer shows anything. Ask the person who sent it to you for a new one.',
  unknown: 'This link does not exist',
  unknownHint: 'Check that you have opened the whole link, up to its last character.',
  wait: 'Too many wrong links were opened from your network. Try again in a few minutes.',
  fault: 'The location could not be loaded. It is tried again by itself.',
  stale: 'Not updated since {time}. It is tried again by itself.',
  none: 'There is no position yet. It appears here as soon as there is one.',
  vehicle: 'Vehicle {number}',
  where: 'Where it is',
  cut: 'The group has more vehicles. The first {count} are shown.',
  openMap: 'Open in OpenStreetMap',
  map: 'Map',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  sources: 'Sources of the map',
  noMap: 'The map cannot be drawn in this browser.',
  /** The name of the other language. */
  language: '繁體中文',
};
export type ShareTexts = typeof english;

const chinese: ShareTexts = {
  title: '車輛位置',
  loading: '載入中…',
  until: '即時顯示至 {time}',
  over: '此連結已失效',
  overHint: '此連結不再顯示任何內容。請向傳送連結的人索取新的連結。',
  unknown: '此連結不存在',
  unknownHint: '請確認您開啟的是完整的連結，包括最後一個字元。',
  wait: '您的網路開啟了太多錯誤的連結，請於幾分鐘後再試。',
  fault: '無法載入位置，系統會自動重試。',
  stale: '自 {time} 起未更新，系統會自動重試。',
  none: '目前尚無定位，取得後會立即顯示於此。',
  vehicle: '車輛 {number}',
  where: '目前位置',
  cut: '此群組還有更多車輛，僅顯示前 {count} 輛。',
  openMap: '在 OpenStreetMap 開啟',
  map: '地圖',
  zoomIn: '放大',
  zoomOut: '縮小',
  sources: '地圖資料來源',
  noMap: '此瀏覽器無法顯示地圖。',
  language: 'English',
};

export const shareTexts: Readonly<Record<Language, ShareTexts>> = { 'en-US': english, 'zh-TW': chinese };
