export const summaries = {
  'routerBackups.list': '裝置所用路由器的設定備份版本，最新的在前，不含內容。',
  'routerBackups.overdue': '最近一次備份早於指定天數，或從未備份的裝置，依序號排列。',
  'routerBackups.compare': '一個備份版本的各行內容，以及同一裝置用於比較的另一個版本。密碼與金鑰會遮蔽；相同的值有相同的編號。',
  'routerBackups.file': '路由器送出的備份檔原始內容，含密碼與金鑰；每次呼叫都會記錄。',
  'routerBackups.restore':
    '將備份版本送回裝置目前的路由器：原來的路由器，或同型號的替換品。指定 `wait` 時，會像其他指令一樣等候路由器連線。',
  'routerBackups.settings': '組織的路由器何時自動備份，以及備份版本保留多久。',
  'routerBackups.saveSettings':
    '變更路由器何時自動備份，以及備份版本保留多久。若要立即備份，請使用 `commands.send` 或類型為 `backup-config` 的工作。可用 If-Match 帶入其 `version`。',
};

export const areas = { routerBackups: '路由器設定備份' };
