export const summaries = {
  'positions.map': '符合裝置清單篩選條件之每台裝置的最後位置，最多 10,000 台。回應附有 ETag；若提供 `since`，只回應更新的部分。',
  'positions.feed':
    '最新位置的資料饋送：GTFS-Realtime VehiclePositions 或 GeoJSON，供持有 API 金鑰的程式使用；一次提供完整資料，最多 100,000 輛車。回應附有 ETag，並接受 If-None-Match。',
  'positions.trail': '裝置在某一天的軌跡：各位置的速度與訊號、停留、無定位的時間，以及最後位置。',
  'positions.trailFile': '將裝置在某一天的位置下載為檔案：GeoJSON（RFC 7946）、GPX 1.1 或 CSV。',
};

export const areas = { positions: '位置' };
