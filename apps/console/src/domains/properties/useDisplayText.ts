import { useTranslation } from '#i18n';
import { formatNumber } from '../../ui/time/format.ts';
import type { DeviceProperty } from './properties.api.ts';

/** The text of a device's property value; for a picture, that there is one. */
export function useDisplayText(): (property: DeviceProperty) => string {
  const { t } = useTranslation();
  return ({ type, value, unit, picture }) => {
    if (type === 'picture') return picture === null ? t('properties.notSet') : t('properties.anotherPicture');
    if (value === null) return t('properties.notSet');
    if (typeof value === 'boolean') return t(value ? 'properties.yes' : 'properties.no');
    const text = typeof value === 'number' ? formatNumber(value) : value;
    return unit === '' ? text : `${text} ${unit}`;
  };
}
