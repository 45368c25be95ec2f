export const summaries = {
  'geofences.add': '新增地理圍欄：圓形或多邊形。已在區域內的車輛不算進入。',
  'geofences.delete': '刪除地理圍欄；時間軸上的紀錄會保留。',
  'geofences.import':
    '從 GeoJSON（RFC 7946）新增地理圍欄：可用 Polygon、MultiPolygon，以及屬性含有 `radius`（公尺）的 Point；這些全部新增或全部不新增，其他圖徵會略過並列出。',
  'geofences.list': '組織的地理圍欄，依名稱排序，最多 500 個，並附上區域內的車輛數。',
  'geofences.save': '變更地理圍欄的名稱或區域。區域變更時，已在新區域內的車輛不算進入。',
};

export const areas = { geofences: '地理圍欄' };
