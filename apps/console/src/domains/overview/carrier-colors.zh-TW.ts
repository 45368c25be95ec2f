import type { Translation } from '../../ui/translation.ts';
import type { carrierColors as english } from './carrier-colors.en-US.ts';

/** 選擇電信業者顏色的訊息。 */
export const carrierColors: Translation<typeof english> = {
  title: '顏色（組織內所有人皆相同）',
  name: { '1': '藍色', '2': '藍綠色', '3': '橘色', '4': '紫色', '5': '粉紅色' },
};
