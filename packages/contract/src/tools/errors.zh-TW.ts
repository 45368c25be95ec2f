import type { errors as english } from './errors.ts';

export const errors: Readonly<Record<keyof typeof english, string>> = {
  'tool.not_found': '此檢測已不存在。',
  'tool.no_file': '此檢測沒有檔案，或檔案已在 7 天後刪除。',
  'tool.running': '此路由器正在執行同類型的檢測，請等候結果。',
  'tool.too_many': '您的組織已有 20 項檢測正在執行，請等候其中一項結束。',
  'tool.too_many_files': '此伺服器目前同時接收的封包擷取與記錄檔過多，請過幾分鐘再試。',
  'tool.plan_used_up': '此 SIM 資費方案的剩餘用量少於檢測所需的傳輸量，未送出任何內容。',
  'tool.target_not_allowed': '您的組織不允許檢測此位址。若組織限制可檢測的位址，請輸入 IP 位址而非主機名稱。',
  'tool.range_invalid': '這不是 CIDR 格式的網段，正確格式例如 192.0.2.0/24。',
};
