import type { Translation } from '../../ui/translation.ts';
import type { signInRules as english } from './sign-in-rules.en-US.ts';

export const signInRules: Translation<typeof english> = {
  title: '登入規則',
  hint: '適用於貴公司在此登入的人員。受變更影響的人都會收到郵件通知。',
  factor: '要求雙重驗證',
  factorHint:
    '只有密碼並不足夠，還需要驗證應用程式或通行金鑰。尚未設定的人員會在下次登入時先完成設定，才能使用其他功能。公司登入不受影響。',
  without_other: '{{people}} 人之中，有 {{count}} 人尚未設定雙重驗證。',
  idle: '閒置多久後登出',
  lifetime: '最長登入時間',
  minutes_other: '{{count}} 分鐘',
  hours_other: '{{count}} 小時',
  days_other: '{{count}} 天',
  ranges: '允許的網路',
  rangesHint:
    '以 CIDR 格式輸入，並以逗號分隔：203.0.113.0/24。留空表示不限。您目前的位址是 {{address}}。API 金鑰另有自己的網路限制。',
  excepted: '可從任何地方登入的管理員',
  exceptedHint: '輸入電子郵件地址，並以逗號分隔。至少需要一位設有密碼的管理員，以免網路設定錯誤時所有人都無法登入。',
  excludes: '這些網路不包含您',
  excludesText: '您目前的位址 {{address}} 不在這些網路中。儲存後您會被登出。',
  saveAnyway: '仍要儲存',
  saved: '已儲存登入規則。',
  stale: '其他人已變更這些規則。您的變更仍保留，再次儲存即可覆寫。',
};
