export const log = {
  'chart.pinned': ['Pinned chart {0} to the overview', '已將圖表 {0} 釘選到總覽'],
  'chart.removed': ['Removed chart {0} from the overview', '已從總覽移除圖表 {0}'],
} as const;
