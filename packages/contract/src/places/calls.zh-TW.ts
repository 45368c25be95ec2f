export const summaries = {
  'places.describe':
    '以文字描述地點：底圖上最近的街道與路口，以及最近的組織地理圍欄或城鎮。`at` 最多可填 50 組緯度與經度（度，WGS 84），例如 `41.9,-87.6;41.8,-87.7`；每組各有一筆結果，順序相同。',
};

export const areas = { places: '地點' };
