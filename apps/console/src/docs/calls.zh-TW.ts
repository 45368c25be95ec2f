export { areas, summaries } from '@highline/contract/calls-zh-TW';

/** What a call applies to, by the first sentence of its description. */
export const scopes: Readonly<Record<string, string>> = {
  'No authentication required.': '不需要驗證身分。',
  'Applies to the signed-in account.': '適用於已登入的帳號。',
  'Applies to one organization, or to all organizations of a main account.': '適用於一個組織，或主帳號的所有組織。',
  'Applies to one organization; a main account names it in `org`.': '適用於一個組織；主帳號須以 `org` 指定組織。',
  'Applies to the whole main account.': '適用於整個主帳號。',
};

/** Who may make a call. */
export const roles: Readonly<Record<string, string>> = { main: '主帳號', admin: '管理員', user: '使用者' };

/** What the description says of single fields, by its English text; of a list of names, by the text before the colon. */
export const notes: Readonly<Record<string, string>> = {
  'Commands that wait for their router.': '等候路由器的指令。',
  'Devices with router settings of their own.': '有專屬路由器設定的裝置。',
  'Pictures of custom properties.': '自訂屬性的圖片。',
  'Values of custom properties, without pictures.': '自訂屬性的值，不含圖片。',
  'How many devices were taken back. If some could not be taken back now, they follow within minutes.':
    '已收回的裝置數。目前無法收回的裝置，會在數分鐘內接續處理。',
  'The value of the condition, in the unit of the property (`unit` of the properties of reports: °C, B), whichever unit the chart has. "appear" with a value means equality, and without one any value.':
    '條件的值，以屬性的單位表示（報表屬性的 `unit`：°C、B），不論圖表採用何種單位。「appear」有值時表示等於該值，沒有值時表示任何值。',
  'The value of the condition, in the unit of the property.': '條件的值，以屬性的單位表示。',
  'When the visit ended of an account that was only a guest here and has no role since; null = another account.':
    '此帳號原為這裡的訪客，之後已無任何角色：訪客期間結束的時間。null = 其他帳號。',
  'Also sent as `groupName`, with the same value.': '同時以 `groupName` 傳送，值相同。',
  'Also sent as `vehicleNumber`, with the same value.': '同時以 `vehicleNumber` 傳送，值相同。',
  'Columns, separated by commas, each once': '欄位，以逗號分隔，每個一次',
  'Vehicle number, or null; latitude and longitude (degrees, WGS 84); time of the position (epoch seconds).':
    '車輛編號，或 null；緯度與經度（度，WGS 84）；定位時間（epoch 秒）。',
  'Device; vehicle number, or the serial number without one; latitude and longitude (degrees, WGS 84); time (epoch seconds); presence, or why its being offline is no fault; RSSI (dBm); speed (km/h); course (degrees from north); accuracy (metres); true = 500 km or more from the position before; the most severe open alert; the most urgent thing that was found about it. Null = unknown or none.':
    '裝置；車輛編號，沒有時為序號；緯度與經度（度，WGS 84）；時間（epoch 秒）；連線狀態，或離線並非故障的原因；RSSI（dBm）；速度（km/h）；航向（自正北起的角度）；精確度（公尺）；true = 與前一個位置相距 500 km 以上；尚未解除的警報中最嚴重的一項；最緊急的診斷。null = 未知或沒有。',
  'Device; vehicle number, or the serial number without one; latitude and longitude (degrees, WGS 84) from the serving cell; time of its last contact (epoch seconds); presence, or why its being offline is no fault; RSSI (dBm); metres within which it probably is; the most severe open alert; the most urgent thing that was found about it. Null = unknown or none.':
    '裝置；車輛編號，沒有時為序號；依服務基地台推估的緯度與經度（度，WGS 84）；最後連線時間（epoch 秒）；連線狀態，或離線並非故障的原因；RSSI（dBm）；可能所在範圍的半徑（公尺）；尚未解除的警報中最嚴重的一項；最緊急的診斷。null = 未知或沒有。',
  'Epoch milliseconds (last_query has seconds).': 'epoch 毫秒（last_query 為秒）。',
  'From and until, epoch seconds.': '起訖時間，epoch 秒。',
  'Longitude and latitude, degrees.': '經度與緯度，以度為單位。',
  'The beginning of a step (epoch seconds), and the least, mean and greatest value in it.':
    '區段的開始（epoch 秒），以及其中的最小值、平均值與最大值。',
  'The key of a group: another name for `projectId`.': '群組的鍵值：`projectId` 的另一個名稱。',
  'The organization for all of its groups, or the key of a group.': '組織（代表其所有群組），或一個群組的鍵值。',
  'The organization, or the key of the group that it was saved with.': '組織，或儲存時所用的群組鍵值。',
  'Time (epoch seconds); latitude and longitude (degrees, WGS 84); speed (km/h); course (degrees from north); accuracy (metres); RSSI (dBm); true = 500 km or more from the position before. Null = unknown.':
    '時間（epoch 秒）；緯度與經度（度，WGS 84）；速度（km/h）；航向（自正北起的角度）；精確度（公尺）；RSSI（dBm）；true = 與前一個位置相距 500 km 以上。null = 未知。',
  'Time of the newest value, epoch seconds (records have milliseconds); null = none.':
    '最新值的時間，epoch 秒（records 為毫秒）；null = 沒有。',
};
