import type { Language, notifications } from '@highline/contract';

type Event = notifications.NotificationEvent;

/** Texts of notification emails in one language. */
export interface NotificationMessages {
  readonly titles: Readonly<Record<Event, string>>;
  /** One sentence under the title. */
  readonly sentences: Readonly<Record<Event, string>>;
  /** The number of events in one email. */
  readonly reports: (count: number) => string;
  /** Appended after the first few names of many. */
  readonly more: (count: number) => string;
  readonly times: (count: number) => string;
  readonly by: (email: string) => string;
  readonly ends: (day: string) => string;
  readonly greeting: (name: string) => string;
  /** Between the title and what it is about. */
  readonly colon: string;
  /** Between names, and between notes. */
  readonly comma: string;
  readonly button: string;
  readonly footer: (organization: string) => string;
}

const enUS: NotificationMessages = {
  titles: {
    TODAY_NOTIFY_SUBSCRIPTION: 'Subscriptions ending today',
    WEEK_NOTIFY_SUBSCRIPTION: 'Subscriptions ending this week',
    MONTH_NOTIFY_SUBSCRIPTION: 'Subscriptions ending this month',
    FIRMWARE_UPLOADED: 'New firmware',
    FOTA_GROUP_SETUP: 'Update scheduled',
    DEVICE_DELETED: 'Devices deleted',
    DEVICE_ADDED: 'Devices added',
    CONFIG_UPLOADED: 'Config file uploaded',
    BATTERY_LOW: 'Battery low',
    BATTERY_LOW_CLEAR: 'Battery recovered',
    THERMAL_5G_PROTECT: '5G thermal protection on',
    THERMAL_5G_PROTECT_CLEAR: '5G thermal protection off',
    DEVICE_ADMIN_CHANGE_PASSWORD: 'Router password changed',
    DEVICE_FACTORY_RESET: 'Router reset to factory settings',
    DATA_USE: 'Data use reached a share of its plan',
  },
  sentences: {
    TODAY_NOTIFY_SUBSCRIPTION: 'The service of these routers ends today at 24:00 UTC:',
    WEEK_NOTIFY_SUBSCRIPTION: 'The service of these routers ends by Saturday, 24:00 UTC:',
    MONTH_NOTIFY_SUBSCRIPTION: 'The service of these routers ends by the end of this month:',
    FIRMWARE_UPLOADED: 'This firmware can now be bound to groups:',
    FOTA_GROUP_SETUP: 'This file was bound to a group. Its routers update according to the schedule:',
    DEVICE_DELETED: 'These routers were removed from the organization:',
    DEVICE_ADDED: 'These routers were added to the organization:',
    CONFIG_UPLOADED: 'This config file was uploaded:',
    BATTERY_LOW: 'The battery of these vehicles is low:',
    BATTERY_LOW_CLEAR: 'The battery of these vehicles is no longer low:',
    THERMAL_5G_PROTECT: 'The modem of these routers is too hot and has limited itself; 5G may be slower or off:',
    THERMAL_5G_PROTECT_CLEAR: 'The modem of these routers has cooled down:',
    DEVICE_ADMIN_CHANGE_PASSWORD: 'The admin password of these routers was changed:',
    DEVICE_FACTORY_RESET: 'These routers were reset to factory settings and are being set up again:',
    DATA_USE: 'These SIMs, or pools of SIMs, have used this share of their allowance in this cycle:',
  },
  reports: (count) => `${count} events`,
  more: (count) => `and ${count} more`,
  times: (count) => `${count} times, this is the latest`,
  by: (email) => `by ${email}`,
  ends: (day) => `ends ${day}`,
  colon: ': ',
  comma: ', ',
  button: 'Open in Highline',
  greeting: (name) => `Hello ${name},`,
  footer: (organization) =>
    `You receive this email because your address is in the notifications of ${organization}. An admin of ${organization} can change this.`,
};

const zhTW: NotificationMessages = {
  titles: {
    TODAY_NOTIFY_SUBSCRIPTION: '今天到期的訂閱',
    WEEK_NOTIFY_SUBSCRIPTION: '本週到期的訂閱',
    MONTH_NOTIFY_SUBSCRIPTION: '本月到期的訂閱',
    FIRMWARE_UPLOADED: '新韌體',
    FOTA_GROUP_SETUP: '已為群組設定更新',
    DEVICE_DELETED: '裝置已刪除',
    DEVICE_ADDED: '裝置已新增',
    CONFIG_UPLOADED: '設定檔已上傳',
    BATTERY_LOW: '電池電量過低',
    BATTERY_LOW_CLEAR: '電池電量已恢復',
    THERMAL_5G_PROTECT: '5G 過熱保護已啟動',
    THERMAL_5G_PROTECT_CLEAR: '5G 過熱保護已解除',
    DEVICE_ADMIN_CHANGE_PASSWORD: '路由器密碼已變更',
    DEVICE_FACTORY_RESET: '路由器已恢復原廠設定',
    DATA_USE: '數據用量已達方案的設定比例',
  },
  sentences: {
    TODAY_NOTIFY_SUBSCRIPTION: '以下路由器的服務將於今天 24:00（UTC）到期：',
    WEEK_NOTIFY_SUBSCRIPTION: '以下路由器的服務將於本週六 24:00（UTC）前到期：',
    MONTH_NOTIFY_SUBSCRIPTION: '以下路由器的服務將於本月底前到期：',
    FIRMWARE_UPLOADED: '以下韌體現在可以綁定到群組：',
    FOTA_GROUP_SETUP: '以下檔案已綁定到群組，路由器將依排程更新：',
    DEVICE_DELETED: '以下路由器已從組織移除：',
    DEVICE_ADDED: '以下路由器已加入組織：',
    CONFIG_UPLOADED: '以下設定檔已上傳：',
    BATTERY_LOW: '以下車輛的電池電量過低：',
    BATTERY_LOW_CLEAR: '以下車輛的電池電量已恢復：',
    THERMAL_5G_PROTECT: '以下路由器的數據機過熱並啟動保護，5G 可能變慢或關閉：',
    THERMAL_5G_PROTECT_CLEAR: '以下路由器的數據機已降溫：',
    DEVICE_ADMIN_CHANGE_PASSWORD: '以下路由器的管理員密碼已變更：',
    DEVICE_FACTORY_RESET: '以下路由器已恢復原廠設定，正在重新設定：',
    DATA_USE: '以下 SIM 或共用額度在本週期的用量已達額度的此比例：',
  },
  reports: (count) => `${count} 則通知`,
  more: (count) => `另有 ${count} 筆`,
  times: (count) => `共 ${count} 次，此為最後一次的時間`,
  by: (email) => `由 ${email} 執行`,
  ends: (day) => `${day} 到期`,
  colon: '：',
  comma: '、',
  button: '在 Highline 中開啟',
  greeting: (name) => `${name}，您好：`,
  footer: (organization) =>
    `您收到此郵件，是因為您的地址在「${organization}」的通知名單中。「${organization}」的管理員可以變更此設定。`,
};

export const notificationMessages: Readonly<Record<Language, NotificationMessages>> = { 'en-US': enUS, 'zh-TW': zhTW };
