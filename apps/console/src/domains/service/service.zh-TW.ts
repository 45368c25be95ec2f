import type { Translation } from '../../ui/translation.ts';
import type { service as english } from './service.en-US.ts';

export const service: Translation<typeof english> = {
  title: '服務狀態',
  caption: '裝置的訂閱',
  field: { serial: '序號', note: '備註' },
  endsToday: '今天到期',
  daysLeft_other: '{{count}} 天後到期',
  showDevice: '在裝置清單中顯示 {{serial}}',
};
