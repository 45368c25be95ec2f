export const summaries = {
  'links.list': '免登入即可查看車輛位置的連結：到期時間與開啟次數，由新到舊。',
  'links.create':
    '建立一個免登入即可查看一輛車或一個群組目前位置的連結，到期自動失效。回應中的權杖只顯示一次：頁面為 /share#權杖。',
  'links.end': '立即結束連結；其頁面隨即顯示連結已失效。',
  'links.open': '連結頁面的內容：只有車輛的位置與時間，不含其他資料。不需登入。',
};

export const areas = { links: '分享連結' };
