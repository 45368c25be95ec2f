export const summaries = {
  'inventory.add': '將路由器加入庫存；系統會產生其金鑰，且只顯示一次。',
  'inventory.delete': '從庫存移除路由器；只要有一台屬於某個組織就會拒絕，且不移除任何路由器。',
  'inventory.endPreviousSecret': '金鑰更換後，立即停用可能已外洩的舊金鑰；路由器的連線會中斷。',
  'inventory.export': '將庫存匯出為 CSV 或 Excel 活頁簿，不含金鑰。',
  'inventory.get': '庫存中的單一路由器，以及其代理程式的設定。',
  'inventory.import':
    '以 CSV 或 Excel 活頁簿新增路由器（SN、MAC，選填 Model 與 Endpoint ID）。產生的金鑰只回應一次，請逐列保存。',
  'inventory.issueCertificate':
    '為路由器簽發用戶端憑證：由系統產生新的私密金鑰（只顯示一次），或依憑證要求（PKCS #10）簽發。先前的憑證在 7 天內仍然有效。',
  'inventory.list': '主帳號銷售的每台路由器，包括已歸屬組織與庫存中的路由器。',
  'inventory.models': '庫存中路由器的型號，最多 200 個，依名稱排序。',
  'inventory.modelSettings': '庫存中各型號的路由器多久回報一次量測值；最多 200 個型號，依名稱排序。',
  'inventory.revokeCertificate': '撤銷用戶端憑證：憑證失效，其路由器的連線立即中斷。',
  'inventory.rotateSecret': '為路由器產生新金鑰；新金鑰首次使用後 24 小時內，舊金鑰仍可使用。',
  'inventory.saveModelSettings': '設定某些型號的路由器多久回報一次，全部設定或全部不設定；已連線的路由器會在半分鐘內套用。',
  'inventory.update': '變更路由器的端點識別碼或身分驗證方式；其金鑰維持不變，連線會中斷。',
};

export const areas = { inventory: '庫存' };
