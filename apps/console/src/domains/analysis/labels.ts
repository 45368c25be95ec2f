import { useTranslation } from '#i18n';
import { useDeviceName, useGroupName, usePropertyUnit } from '../reports/index.ts';
import type { Fields } from './address.ts';
import { formatDay } from '../../ui/time/format.ts';
import { chartText, chartUnit, useTemperatureUnit } from '../../ui/units.ts';

/** Description of a query: its days, group, device, condition and window. */
export function useLabels({
  day = 'today',
  from,
  until,
  group = '',
  device = '',
  property = '',
  condition = 'appear',
  value = '',
  window,
}: Fields) {
  const { t } = useTranslation();
  const groupName = useGroupName(group);
  const deviceName = useDeviceName(device);
  const days = day === 'custom' ? `${formatDay(from ?? '')}–${formatDay(until ?? '')}` : t(`reports.day.${day}`);
  const unit = usePropertyUnit(property);
  const temperatures = useTemperatureUnit();
  const text = chartText(temperatures, value, unit);
  const measured =
    value === '' || unit === '' ? text : t('reports.withPlainUnit', { value: text, unit: chartUnit(temperatures, unit) });
  const compared = condition === 'appear' && value === '' ? '' : t(`analysis.compared.${condition}`, { value: measured });
  const length = window === undefined ? '' : t(`analysis.window.${window}`);
  return [days, groupName, deviceName, compared, length].filter((label) => label !== '');
}
