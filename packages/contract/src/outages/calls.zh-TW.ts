export const summaries = {
  'outages.listOutages': '斷線紀錄：斷線前的電信業者、基地台、訊號與地點，最新的在前。',
  'outages.exportOutages': '將斷線紀錄匯出為 CSV 或 Excel 活頁簿。',
  'outages.sumOutages': '依車輛、群組、電信業者、基地台、地點或月份統計一段期間的斷線，並列出可用率。',
  'outages.exportSums': '將斷線統計匯出為 CSV 或 Excel 活頁簿。',
  'outages.evidencePack':
    '提供給電信業者的佐證資料（PDF）：一輛車或一個地點的斷線，附地圖、圖表與表格，以及其他車輛在該處的情形。',
};

export const areas = { outages: '斷線' };
