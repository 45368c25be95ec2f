export const summaries = {
  'groups.changeControl': '給予使用者群組的完全控制權，或設為唯讀。',
  'groups.controls': '組織的使用者，依電子郵件排序，並附上其對此群組的權限。',
  'groups.create': '建立群組、將預設群組中指定的裝置移入並綁定檔案；全部完成或全部不做。',
  'groups.delete': '刪除群組；其裝置移回預設群組，其部署結束。`confirmed` 是使用者已看過的 `moveImpact` 的確認值。',
  'groups.export': '將群組清單匯出為 CSV 或 Excel 活頁簿（Groups_export），篩選與排序方式相同。',
  'groups.get': '單一群組，以及其綁定與編號；回應附有 ETag。',
  'groups.list': '組織的群組，預設群組在最前。',
  'groups.members': '群組的裝置，可分頁與搜尋，用於移動裝置的對話框。',
  'groups.save': '變更群組的名稱、說明、標籤、回報間隔與裝置；使用者需要該群組的完全控制權。支援 If-Match。',
  'groups.saveWhole':
    '變更群組、其裝置與綁定，全部變更或全部不變更；只有管理員可以綁定。支援 If-Match；若因未收到回應而重新送出，呼叫會成功，且不會再次開始部署。',
};

export const areas = { groups: '群組' };
