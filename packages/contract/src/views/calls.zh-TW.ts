export const summaries = {
  'views.add': '以指定的名稱儲存清單的檢視。只有管理員與主帳號可以共用檢視。',
  'views.delete': '刪除檢視；共用的檢視會為所有人刪除。',
  'views.list': '呼叫者已儲存的清單檢視與共用的檢視，依名稱排序。',
  'views.save':
    '重新命名或共用檢視、變更顯示的內容，或設為開啟清單時使用的檢視。最後一項只影響呼叫者自己，呼叫者可檢視的每個檢視都可以設定。',
};

export const areas = { views: '檢視' };
