import type { errors as english } from './errors.ts';

export const errors: Readonly<Record<keyof typeof english, string>> = {
  'backup.not_found': '此備份已不存在。',
  'backup.other_model': '此備份的路由器型號與裝置目前的路由器不同，只能還原至同型號的路由器。',
  'backup.not_offered': '此路由器的資料模型沒有還原設定的指令。',
};
