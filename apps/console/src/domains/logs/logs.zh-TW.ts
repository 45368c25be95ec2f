import type { Translation } from '../../ui/translation.ts';
import type { logs as english } from './logs.en-US.ts';

export const logs: Translation<typeof english> = {
  title: '操作紀錄',
  caption: '操作紀錄',
  count_other: '{{shown}} 筆紀錄',
  column: { time: '日期／時間', user: '雲端使用者', ip: 'IP 位址', action: '動作' },
  field: { any: '使用者、IP 或動作', email: '使用者名稱', ip: 'IP 位址', action: '動作' },
  byKey: '以 API 金鑰 {{key}}',
  date: '日期',
  entry: '紀錄編號',
  span: { all: '所有日期', today: '今天', week: '本週', month: '本月', custom: '自訂' },
  from: '起始日',
  until: '結束日',
  chosenDays: '自訂日期範圍',
  fault: {
    reversed: '結束日不可早於起始日。',
    future: '日期不可晚於今天。',
  },
  showWhole: '顯示完整動作',
  whole: '動作',
};
