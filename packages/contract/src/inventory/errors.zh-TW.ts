import type { errors as english } from './errors.ts';

export const errors: Readonly<Record<keyof typeof english, string>> = {
  'inventory.too_few': '庫存中此型號的路由器數量不足，請減少數量，或先將路由器加入庫存。',
  'inventory.serial_taken': '序號已存在',
  'inventory.mac_taken': 'MAC 位址已存在',
  'inventory.endpoint_taken': '端點識別碼已存在',
  'inventory.taken_elsewhere': '無法新增此路由器：其序號、MAC 位址或端點識別碼已登記於他處。',
  'inventory.too_many_collisions': '有過多項目與已登記於他處的路由器相符。請等候一小時，或聯絡此伺服器的營運人員。',
  'inventory.endpoint_invalid': '這不是有效的端點識別碼。請以 scheme:authority:instance 格式輸入，例如 os::00B2D0-SN0001。',
  'inventory.csr_invalid': '這不是有效的憑證要求。請提供 PEM 格式的 PKCS #10，並以其自身金鑰簽署：EC，或 2,048 位元以上的 RSA。',
  'inventory.no_certificate': '此路由器沒有有效的用戶端憑證，請先簽發。',
  'inventory.no_client_tls': '此伺服器並未自行處理 TLS，因此無法檢查用戶端憑證。請先設定 TLS_CERT_FILE 與 TLS_KEY_FILE。',
  'inventory.claimed': '此路由器屬於某個組織，請先刪除其裝置。',
};
