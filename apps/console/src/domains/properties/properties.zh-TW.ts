import type { Translation } from '../../ui/translation.ts';
import type { properties as english } from './properties.en-US.ts';

export const properties: Translation<typeof english> = {
  title: '屬性',
  none: '尚無屬性。',
  noneHint: '新增您想為每台裝置記錄的內容，例如里程、顏色或安裝位置的照片。',
  add: '新增屬性',
  tooMany: '每個組織最多 32 個屬性。',
  property: '屬性',
  field: { name: '名稱', type: '類型', unit: '單位', value: '值', picture: '圖片' },
  type: { bool: '是或否', number: '數字', string: '文字', picture: '圖片' },
  forGood: '屬性新增後無法移除，也無法變更。',
  question: '要為所有裝置新增屬性「{{name}}」（{{type}}）嗎？',
  edit: '編輯 {{name}}',
  notSet: '未設定',
  yes: '是',
  no: '否',
  picture: '{{name}} 的圖片',
  pictureHint: 'PNG、JPEG 或 WebP，最大 2 MB',
  pictureFirst: '請先選擇圖片。',
  pictureType: '僅能儲存 PNG、JPEG 與 WebP 圖片。',
  pictureLarge: '圖片大小上限為 2 MB。',
  pictureBroken: '無法顯示此圖片。',
  whole: '以完整尺寸開啟 {{name}}',
  take: '移除圖片',
  taking: '要移除 {{name}} 的圖片嗎？',
};
