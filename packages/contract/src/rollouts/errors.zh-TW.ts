import type { errors as english } from './errors.ts';

export const errors: Readonly<Record<keyof typeof english, string>> = {
  'binding.schedule': '若要延後更新，請選擇「下次開機時更新」，並選擇未來的時間。',
  'rollout.not_found': '此部署已不存在。',
  'rollout.ended': '此部署已結束。',
};
