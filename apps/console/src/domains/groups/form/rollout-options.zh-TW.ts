import type { Translation } from '../../../ui/translation.ts';
import type { rolloutOptions as english } from './rollout-options.en-US.ts';

export const rolloutOptions: Translation<typeof english> = {
  title: '部署',
  effect: '影響',
  first: {
    label: '先行更新的車輛',
    count: '指定台數',
    devices: '自行選擇車輛',
    tag: '具有某標籤的車輛',
    view: '已儲存檢視中的車輛',
    tagField: '標籤',
    viewField: '已儲存的檢視',
    choose: '請選擇…',
    vehicles: '先行更新的車輛清單',
    none: '此群組沒有符合的車輛。',
    countHint: '優先選擇已連線且沒有問題的路由器；0 表示全部同時更新',
    viewHint: '儲存時檢視所顯示的此群組車輛，最多 {{most}} 輛。',
    tooMany: '檢視中此群組的車輛超過 {{most}} 輛，請改選其他檢視。',
    needed: '請選擇先行更新的車輛。',
    empty: '檢視中沒有此群組的車輛。',
  },
  goOn: {
    label: '接著',
    success: '全部成功後繼續',
    hours: '數小時內沒有失敗才繼續',
    person: '由我手動繼續',
    hoursField: '沒有失敗的時數',
    hoursHint: '自最後一次成功起算；離線的路由器不計',
    hoursRange: '請輸入 1 到 {{most}} 小時。',
    needsFirst: '請選擇先行更新的車輛，或分成數批。',
  },
  others: {
    label: '其餘路由器',
    all: '全部同時',
    half: '先一半，再更新其餘',
    quarters: '每次四分之一',
    rising: '10%、50%，再更新其餘',
  },
  effects: {
    first_other: '先行更新 {{shown}} 台：{{names}}',
    names: '{{names}}，以及另外 {{rest}} 輛',
    offline_other: '其中 {{shown}} 台目前離線。',
    after: {
      success: '全部成功後：',
      hours_other: '{{count}} 小時內沒有失敗後：',
      person: '由您手動繼續後：',
    },
    wave_other: '{{shown}} 台路由器',
  },
};
