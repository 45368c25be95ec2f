import type { Translation } from '../../ui/translation.ts';
import type { configs as english } from './configs.en-US.ts';

export const configs: Translation<typeof english> = {
  title: '設定檔',
  caption: '設定檔',
  count_other: '{{shown}} 個檔案',
  column: {
    name: '設定檔',
    note: '說明',
    size: '大小',
    version: '版本',
    groups: '群組',
    updated: '上傳時間',
  },
  field: { name: '設定檔', note: '說明' },
  first: '選擇第一個設定檔',
  upload: '上傳',
  add: {
    title: '上傳設定檔',
    file: '設定檔',
    note: '說明',
    next: '{{name}} 已存在。這次上傳會成為第 {{version}} 版；群組仍使用目前綁定的版本。',
    fileFirst: '請先選擇檔案。',
    save: '上傳',
  },
  setting: {
    panel: '設定檔內容',
    gone: '此設定檔已不存在。',
    versions: '版本紀錄',
    by: '上傳者',
    boundBy: '已綁定的群組',
    notBound: '未綁定任何群組。',
    version: '第 {{number}} 版',
    stale: '其他人已變更此檔案，說明目前為「{{note}}」。您的變更仍保留，再次儲存即可覆寫。',
  },
  remove: {
    enter: '刪除',
    count: '刪除（{{number}}）',
    question: '確定要刪除所選的設定檔嗎？',
    bound: '已綁定：{{groups}}',
  },
};
