import type { Translation } from '../../../ui/translation.ts';
import type { timeline as english } from './timeline.en-US.ts';

export const timeline: Translation<typeof english> = {
  title: '時間軸',
  show: '顯示於時間軸',
  kind: { all: '全部', connection: '連線', rollout: '部署', action: '人員操作', alarm: '警報' },
  none: '此裝置尚無任何紀錄。',
  noneOfKind: '此裝置沒有這類紀錄。',
  loading: '正在載入時間軸…',
  older: '顯示更早的紀錄',
  connection: { online: '上線', offline: '離線', boot: '開機', cloned: '身分重複使用' },
  boot: {
    LocalReboot: '於路由器端重新啟動',
    RemoteReboot: '由本主控台重新啟動',
    LocalFactoryReset: '於路由器端還原出廠設定',
    RemoteFactoryReset: '由本主控台還原出廠設定',
    boot: '路由器未說明原因',
  },
  rollout: { firmware: '韌體 {{name}}', config: '設定檔 {{name}}' },
  step: '{{file}}：{{state}}',
  ended: '部署在完成前已結束',
  toGroup: '開啟所屬群組',
  by: '操作者：{{who}}',
  toEntry: '在紀錄中開啟',
  alarm: {
    BATTERY_LOW: '電池電量過低',
    BATTERY_LOW_CLEAR: '電池電量已恢復',
    THERMAL_5G_PROTECT: '5G 過熱保護已啟動',
    THERMAL_5G_PROTECT_CLEAR: '5G 過熱保護已解除',
    DEVICE_ADMIN_CHANGE_PASSWORD: '路由器的管理員密碼已變更',
    DEVICE_FACTORY_RESET: '已於路由器端還原出廠設定',
  },
  alarmState: { raised: '發生', cleared: '解除' },
};
