import type { Translation } from '../../ui/translation.ts';
import type { views as english } from './views.en-US.ts';

export const views: Translation<typeof english> = {
  ofList: '此清單已儲存的檢視',
  menu: '已儲存的檢視',
  menuOf: '已儲存的檢視：{{name}}',
  none: '不使用已儲存的檢視',
  sharedName: '{{name}}（共用）',
  saveAs: '另存為新檢視…',
  create: '另存為新檢視',
  saveChanges: '將變更存入檢視',
  edit: '重新命名或共用…',
  delete: '刪除此檢視…',
  makeDefault: '開啟此清單時使用此檢視',
  noDefault: '開啟此清單時不使用此檢視',
  name: '名稱',
  nameFirst: '請先輸入名稱。',
  share: '與所有人共用',
  saved: '已儲存檢視 {{name}}',
  deleted: '已刪除檢視 {{name}}',
  deleteTitle: '要刪除檢視 {{name}} 嗎？',
  deleteOwn: '檢視中顯示的內容不會被刪除。',
  deleteShared: '將為所有人刪除此檢視。檢視中顯示的內容不會被刪除。',
  gone: '此檢視已不存在，或未與您共用。目前顯示的是網址中的篩選條件。',
  missing: '此檢視的篩選條件已不存在：{{filters}}。請變更篩選條件並儲存檢視。',
  filter: { group: '群組', tag: '標籤', org: '組織' },
};
