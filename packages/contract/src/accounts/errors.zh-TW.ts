import type { errors as english } from './errors.ts';

export const errors: Readonly<Record<keyof typeof english, string>> = {
  'session.missing': '找不到登入憑證',
  'session.invalid': '登入已逾時',
  'account.wrong_password': '電子郵件地址或密碼不正確。',
  'account.otp_needed': '請輸入驗證應用程式顯示的驗證碼。',
  'account.otp_wrong': '驗證碼不正確，或已使用過。',
  'account.second_factor_on': '雙重驗證已經啟用。',
  'account.second_factor_off': '雙重驗證尚未啟用。',
  'account.no_roles': '尚未設定權限。',
  'account.too_many_tries': '嘗試次數過多，請稍候再試。',
  'account.link_invalid': '此連結已過期或已使用過，請重新申請。',
  'account.weak_password': '請設定 10 到 200 個字元的密碼，且不可與電子郵件地址相同。',
  'account.common_password': '此密碼太容易猜到，請使用較長且較不規則的密碼。',
  'account.exists': '帳號已存在',
  'account.not_found': '此使用者不存在。',
  'permission.limited': '您只能看到組織的部分車輛，而此功能涉及所有車輛。請洽詢組織的管理員。',
  'account.is_self': '權限不足',
  'account.last_admin': '組織至少需要一位管理員。',
  'account.admin_exists': '此組織已有管理員，請由該組織的管理員新增其他管理員。',
  'account.last_colleague': '主帳號至少需要一位成員。',
  'account.invitation_accepted': '此人已設定密碼。',
};
