export const log = {
  'device.password_reset': ['Reset the password of device {0}', '已重設裝置 {0} 的密碼'],
  'device.password_reset_tried': ['Tried to reset the password of device {0}', '嘗試重設裝置 {0} 的密碼'],
  'remote.client_ended': ['Ended the session to client {1} of device {0}', '已結束連往裝置 {0} 之用戶端 {1} 的工作階段'],
  'remote.client_opened': ['Opened a session to client {1} of device {0}', '已開啟連往裝置 {0} 之用戶端 {1} 的工作階段'],
  'remote.client_rule': ['Changed who may open which clients of vehicles', '已變更可開啟車輛用戶端的人員與範圍'],
  'remote.gui_ended': ['Ended the web page session to device {0}', '已結束連往裝置 {0} 的網頁工作階段'],
  'remote.gui_opened': ['Opened a web page session to device {0}', '已開啟連往裝置 {0} 的網頁工作階段'],
  'remote.gui_viewed': ['Viewed the credentials of the web page session to device {0}', '已檢視裝置 {0} 網頁連線的登入資料'],
  'remote.ssh_ended': ['Ended the SSH session to device {0}', '已結束連往裝置 {0} 的 SSH 工作階段'],
  'remote.ssh_opened': ['Opened an SSH session to device {0}', '已開啟連往裝置 {0} 的 SSH 工作階段'],
  'remote.ssh_viewed': ['Viewed the credentials of the SSH session to device {0}', '已檢視裝置 {0} SSH 連線的登入資料'],
} as const;
