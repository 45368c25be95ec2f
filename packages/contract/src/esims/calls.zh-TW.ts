export const summaries = {
  'esims.add': '將 eSIM 加入路由器：路由器會盡快下載，但在使用者要求之前不會使用。預載的 eSIM 必須提供 ICCID。',
  'esims.delete': '從路由器刪除 eSIM：在路由器確認之前，狀態為「Deleting...」。預載的 eSIM 無法刪除。',
  'esims.export':
    '將 eSIM 清單匯出為 CSV 或 Excel 活頁簿（eSIMs_export）；若 `layout` 為 example，則匯出匯入用的範本（eSIMs_export_example）。',
  'esims.get': '單一 eSIM；回應附有 ETag。',
  'esims.import': '以 `profile` 欄位的 CSV 或 Excel 活頁簿新增 eSIM：正確的列會新增，有錯誤的列會列出。',
  'esims.list': '組織的 eSIM；若提供 `serial` 與 `eid`，則為單一路由器的 eSIM。',
  'esims.order': '一次變更一台路由器上所有 eSIM 的順序。若排在第一位的 eSIM 改變，路由器會切換到該 eSIM；無法連線時會自行切回。',
  'esims.resume': '重試路由器上失敗的下載：狀態立即變為「Assigning...」。若要重試失敗的啟用，請呼叫 `use`。',
  'esims.save':
    '變更 eSIM 的名稱、APN 與優先順序；只有失敗的預載 eSIM 可以變更 ICCID。若因優先順序改由另一個 eSIM 排在第一位，路由器會切換。支援 If-Match。',
  'esims.use':
    '將路由器切換到其中一個 eSIM：立即，或在其 `window` 開啟時；null 取消等候中的切換。路由器必須在限定時間內以該 eSIM 連線，否則會切回先前的 eSIM。',
};

export const areas = { esims: 'SIM 卡' };
