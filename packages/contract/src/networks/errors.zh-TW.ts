import type { errors as english } from './errors.ts';

export const errors: Readonly<Record<keyof typeof english, string>> = {
  'networks.other_cause': '原因已不是這個，請重新檢查。',
};
