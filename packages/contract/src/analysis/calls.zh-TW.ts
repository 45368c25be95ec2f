export const summaries = {
  'analysis.pin': '將圖表釘選到呼叫者自己的總覽；相同的查詢視為同一個釘選。最多 12 張。',
  'analysis.pins': '呼叫者自己釘選的圖表，最早的在前。',
  'analysis.prepare':
    '繪製六種查詢之一：回應數值與 Vega-Lite 規格。條件不符時會拒絕。`line`、`bar`、`area` 與 `arc` 以該圖形繪製紀錄的查詢。',
  'analysis.statistics': '六種查詢之一的數值，依時間間隔、裝置或數值分組。',
  'analysis.unpin': '從總覽移除呼叫者自己釘選的一張圖表。',
};

export const areas = { analysis: '分析' };
