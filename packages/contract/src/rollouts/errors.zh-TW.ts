import type { errors as english } from './errors.ts';

export const errors: Readonly<Record<keyof typeof english, string>> = {
  'binding.schedule': '若要延後更新，請選擇「下次開機時更新」，並選擇未來的時間。',
  'binding.first': '先行更新的車輛都不在此群組中。',
  'binding.settings': '這些設定在您檢視後又儲存過。請再檢視一次。',
  'binding.window': '請為更新時機設定時段，或車輛須符合的條件。',
  'binding.waves': '分批更新需要先行的路由器或遞增的比例；時數只能、也必須搭配「數小時內沒有失敗」的規則。',
  'rollout.not_found': '此部署已不存在。',
  'rollout.ended': '此部署已結束。',
};
