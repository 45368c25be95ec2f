export const summaries = {
  'organizations.create': '建立組織及其預設群組；若提供聯絡人，會邀請此人成為該組織的管理員。',
  'organizations.delete': '刪除組織：其使用者無法再登入，路由器立即退回庫存；其餘資料於 30 天後清除。',
  'organizations.devices': '組織的裝置，依序號排序。',
  'organizations.export': '將主帳號的組織匯出為 CSV 或 Excel 活頁簿。',
  'organizations.fleet': '主帳號所有組織與其庫存的合計數字：組織清單未提供的部分。',
  'organizations.list': '組織：主帳號的所有組織，或管理員與使用者自己的組織；以 `id` 指定單一組織時，回應附有其 ETag。',
  'organizations.save': '變更組織的名稱、電話、地址與標籤，以及量測值與歷史紀錄的保留天數。支援 If-Match。',
  'organizations.transferDevices':
    '將裝置移轉到同一主帳號的另一個組織，全部移轉或全部不移轉：路由器、eSIM 與歷史紀錄一併移轉；位置紀錄、標籤與群組的綁定則不會，`lost` 所列的項目會刪除或取消。加上 ?dryRun 時，只回應這些數量，以及目標組織會對這些裝置啟動哪些更新，不移轉任何裝置。',
};

export const areas = { organizations: '組織' };
