export const log = {
  'firmware.deleted': ['Deleted firmware {0} for {1}', '已刪除 {1} 的韌體 {0}'],
  'firmware.uploaded': ['Uploaded firmware {0} for {1}', '已上傳 {1} 的韌體 {0}'],
} as const;
