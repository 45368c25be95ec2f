import type { errors as english } from './errors.ts';

export const errors: Readonly<Record<keyof typeof english, string>> = {
  'group.not_found': '此群組不存在。',
  'group.name_taken': '群組名稱已存在',
  'group.is_default': '預設群組無法重新命名或刪除，其裝置也無法編輯。',
  'group.not_movable': '只有預設群組中已訂閱的裝置可以移入群組。',
  'group.not_controllable': '完全控制權對此人沒有作用：此人是管理員、具有自訂角色、受到範圍限制，或沒有存取權限。',
};
