import type { errors as english } from './errors.ts';

export const errors: Readonly<Record<keyof typeof english, string>> = {
  'key.not_found': '這把 API 金鑰不存在。',
  'key.ended': '這把 API 金鑰已撤銷或到期。',
  'key.too_many': '最多可有 50 把 API 金鑰，請先撤銷一把。',
  'key.operation_unknown': '您無法允許 API 金鑰執行此呼叫，請選擇其他呼叫。',
  'key.range_invalid': '這不是有效的 IP 範圍，請使用 CIDR，例如 203.0.113.0/24 或 2001:db8::/32。',
  'key.no_limit': '只有單一組織的 API 金鑰可以限制群組與標籤。',
  'key.expiry_past': '到期時間必須晚於現在。',
};
