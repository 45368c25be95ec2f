export const summaries = {
  'configs.delete': '刪除設定檔，可用逗號分隔多個 ID；全部刪除或全部不刪除。已綁定群組時會拒絕，並列出這些群組。',
  'configs.get': '單一設定檔，以及其版本與所綁定的群組；回應附有 ETag。',
  'configs.list': '組織的設定檔。',
  'configs.read': '設定檔某一版本的內容，與上傳時相同。內容可能含有密碼，因此每次呼叫都會留下紀錄。',
  'configs.save': '變更設定檔的說明。支援 If-Match。',
  'configs.upload': '以 `config` 欄位上傳設定檔；名稱相同時，成為該檔案的下一個版本。',
};

export const areas = { configs: '設定檔' };
