export const summaries = {
  'properties.add': '新增自訂屬性：bool、number、string 或 picture。新增後無法移除或變更。',
  'properties.list': '組織的自訂屬性，最多 32 個，依名稱排序。',
  'properties.ofDevice': '裝置的所有自訂屬性與其值，依名稱排序。',
  'properties.picture': '裝置上某個屬性的圖片。',
  'properties.set': '設定裝置上某個屬性的值，圖片除外；設為 null 會移除該值，圖片也一樣。支援 If-Match。',
  'properties.upload': '設定裝置上某個屬性的圖片：PNG、JPEG 或 WebP，最大 2 MiB，以 `picture` 欄位上傳。支援 If-Match。',
};

export const areas = { properties: '屬性' };
