import { useTranslation } from '#i18n';
import { useDeviceName, useGroupName } from '../reports/index.ts';
import type { Fields } from './address.ts';
import { formatDay } from '../../ui/time/format.ts';

/** Description of a query: its days, group, device, condition and window. */
export function useLabels({
  day = 'today',
  from,
  until,
  group = '',
  device = '',
  condition = 'appear',
  value = '',
  window,
}: Fields) {
  const { t } = useTranslation();
  const groupName = useGroupName(group);
  const deviceName = useDeviceName(device);
  const days = day === 'custom' ? `${formatDay(from ?? '')}–${formatDay(until ?? '')}` : t(`reports.day.${day}`);
  const compared = condition === 'appear' && value === '' ? '' : t(`analysis.compared.${condition}`, { value });
  const length = window === undefined ? '' : t(`analysis.window.${window}`);
  return [days, groupName, deviceName, compared, length].filter((label) => label !== '');
}
