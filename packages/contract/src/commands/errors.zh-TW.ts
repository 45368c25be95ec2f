import type { errors as english } from './errors.ts';

export const errors: Readonly<Record<keyof typeof english, string>> = {
  'command.not_found': '此指令已不存在。',
  'command.name_taken': '已有相同名稱的指令。',
  'command.too_many': '每個組織最多 32 個指令，請先刪除一個。',
  'command.too_many_pinned': '已釘選兩個指令，請先取消其中一個。',
  'command.offline': '路由器未連線，未送出任何內容，請待其上線後再試。',
  'command.no_answer': '路由器沒有回應，但可能已執行指令。',
  'command.unknown': '此指令已不存在或已刪除。',
  'command.too_many_open': '此裝置已有十個尚未結束的指令，請先取消其中一個。',
  'command.not_waiting': '此指令已送出或已結束，無法取消。',
  'password.none': '未儲存此路由器的密碼，請先設定。',
  'password.own_needed': '請輸入您帳號的密碼，才能查看此密碼。',
};
