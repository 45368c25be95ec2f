export const log = {
  'device.property_set': ['Set {0} of device {1}', '已設定裝置 {1} 的 {0}'],
  'property.added': ['Added property {0}', '已新增屬性 {0}'],
} as const;
