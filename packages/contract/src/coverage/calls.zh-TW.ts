export const summaries = {
  'coverage.cells': '一段期間內的六邊形（H3），依電信業者與網路技術列出 RSRP 與 RSRQ 的中位數、回報數、斷線次數與中斷分鐘數。',
  'coverage.deadZones': '曾斷線的六邊形，寬約 1 公里，中斷分鐘數最多的在前。',
  'coverage.exportDeadZones': '將收訊死角清單匯出為 CSV 或 Excel 活頁簿（coverage_dead_zones）。',
  'coverage.exportVehicles': '將車輛比較清單匯出為 CSV 或 Excel 活頁簿（coverage_vehicles）。',
  'coverage.vehicles': '將車輛與車隊在相同六邊形、相同電信業者與網路技術下的中位數比較，最差的在前；可找出故障的天線。',
};

export const areas = { coverage: '訊號涵蓋' };
