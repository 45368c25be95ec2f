export const summaries = {
  'tools.bundle':
    '裝置最近幾天的所有資料，存成 JSON 行格式檔案的 ZIP，不含機密資料與位置：量測值、連線、警報、操作紀錄、部署與檢測。每次呼叫都會記錄。',
  'tools.file': '路由器送出的封包擷取檔或記錄檔。內容可能包含乘客與駕駛傳送的資料，因此每次呼叫都會記錄。',
  'tools.get': '一次檢測及其結果，以及同一裝置先前 20 次同類型的檢測，最新的在前。',
  'tools.list': '過去 90 天內在路由器上執行的檢測，最新的在前。',
  'tools.speeds': '過去 90 天內路由器檢測所量得的速度與量測地點，最新的 500 筆，最新的在前。',
  'tools.targets': '組織的路由器可以檢測哪些位址。',
  'tools.saveTargets': '變更組織的路由器可以檢測哪些位址。執行中的檢測會繼續。可用 If-Match 帶入其 `version`。',
  'tools.offered': '已連線路由器的資料模型所提供的檢測。',
  'tools.run': '讓路由器執行檢測，同類型一次只能執行一項。結束時會送出主題 `tools` 的事件，也可用 tools.get 查詢。',
};

export const areas = { tools: '路由器檢測工具' };
