import type { errors as english } from './errors.ts';

export const errors: Readonly<Record<keyof typeof english, string>> = {
  'geofence.not_found': '此地理圍欄已不存在。',
  'geofence.name_taken': '已有相同名稱的地理圍欄。',
  'geofence.name_twice': '檔案中有另一個圖徵使用相同的名稱。',
  'geofence.name': '名稱最多 80 個字元，且不可含有不可見字元。如有字元損壞，請將檔案存為 UTF-8。',
  'geofence.too_many': '最多可有 500 個地理圍欄，頂點合計最多 20,000 個，請先刪除一個。',
  'geofence.not_geojson': '這不是 GeoJSON（RFC 7946）。',
  'geofence.geometry': '地理圍欄只能是 Polygon 或含有半徑的 Point，檔案中沒有任何一個。',
  'geofence.no_radius': 'Point 需要 radius 屬性（公尺）。',
  'geofence.outside': '這不是地球上的位置。緯度介於 −90 與 90，經度介於 −180 與 180。',
  'geofence.radius': '半徑必須介於 10 公尺與 100 公里之間。',
  'geofence.corners': '多邊形至少需要三個不同的頂點。',
  'geofence.too_many_corners': '多邊形最多 1,000 個頂點，請先簡化。',
  'geofence.open': '多邊形的最後一個頂點必須與第一個相同。',
  'geofence.date_line': '多邊形跨越國際換日線，請在 180° 處分成兩個地理圍欄。',
  'geofence.crosses_itself': '多邊形的邊互相交叉，請調整頂點順序。',
};
