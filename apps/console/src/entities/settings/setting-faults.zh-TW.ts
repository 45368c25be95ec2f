import type { Translation } from '../../ui/translation.ts';
import type { settingFaults as english } from './setting-faults.en-US.ts';

/** 設定為何未在路由器上生效。 */
export const settingFaults: Translation<typeof english> = {
  differs: '{{path}}：未變更',
  returned: '{{path}}：路由器以此值無法連線，已恢復先前的值',
  'no-value': '{{path}}：未傳送，{{of}} 沒有值',
  invalid: '{{path}}：未傳送，不符合規定：{{of}}',
  between: '；',
};
