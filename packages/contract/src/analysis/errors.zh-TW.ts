import type { errors as english } from './errors.ts';

export const errors: Readonly<Record<keyof typeof english, string>> = {
  'analysis.required': '請填寫必要欄位',
  'analysis.average': '平均值需要數值屬性。',
  'analysis.piechart': '圓餅圖需要非數值的屬性。',
  'analysis.condition': '條件錯誤',
  'analysis.run_chart': '趨勢圖需要數值屬性與一台裝置。',
  'analysis.run_chart_date': '趨勢圖只能顯示單日。',
  'analysis.too_many_pins': '總覽最多可釘選 12 張圖表。請先移除一張。',
};
