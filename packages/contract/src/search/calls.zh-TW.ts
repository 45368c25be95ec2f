export const summaries = {
  'search.find':
    '尋找名稱或號碼含有指定文字的裝置、SIM、群組、人員、韌體、設定檔、組織與已儲存的檢視，不區分大小寫；每類最多 5 筆，最接近的在前。只輸入一或兩個字元時，尋找以其開頭的項目。',
};

export const areas = { search: '搜尋' };
