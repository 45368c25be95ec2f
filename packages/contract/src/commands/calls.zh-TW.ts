export const summaries = {
  'commands.add': '從固定的動作中定義自訂指令。',
  'commands.delete': '刪除自訂指令。',
  'commands.list': '組織的自訂指令，最多 32 個，依名稱排序。',
  'commands.run': '在一台路由器上執行自訂指令，並回應路由器本身的訊息。',
  'commands.save': '變更自訂指令的名稱或參數，釘選或取消釘選：最多釘選 2 個。支援 If-Match。',
};

export const areas = { commands: '自訂指令' };
