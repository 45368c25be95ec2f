import type { errors as english } from './errors.ts';

export const errors: Readonly<Record<keyof typeof english, string>> = {
  'property.not_found': '此屬性不存在。',
  'property.name_taken': '已有相同名稱的屬性。',
  'property.too_many': '每個組織最多 32 個屬性。',
  'property.picture_type': '僅支援 PNG、JPEG 與 WebP 圖片。',
  'property.picture_too_large': '圖片大小上限為 2 MB。',
  'property.pictures_full': '每個組織的圖片合計上限為 256 MB，請先移除部分圖片，或改用較小的圖片。',
  'property.picture_missing': '沒有圖片。',
};
