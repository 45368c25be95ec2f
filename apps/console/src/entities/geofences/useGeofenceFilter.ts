import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#i18n';
import type { Filter } from '../../ui/filter/filter.ts';
import { geofencesQuery } from './geofence.api.ts';

/** The filter by a geofence that vehicles are inside of; none without geofences (POS-05). @param enabled whether the person is of an organization */
export function useGeofenceFilter(value: string | undefined, enabled: boolean): readonly Filter[] {
  const { t } = useTranslation();
  const fences = useQuery({ ...geofencesQuery(), enabled }).data ?? [];
  if (!enabled || (fences.length === 0 && value === undefined)) return [];
  const options = fences.map(({ id, name }) => ({ value: id, label: t('devices.filter.inside', { name }) }));
  const isKnown = value === undefined || fences.some(({ id }) => id === value);
  return [
    {
      name: 'geofence',
      label: t('devices.filter.geofence'),
      value,
      options: [
        { value: '', label: t('devices.filter.anyPlace') },
        ...options,
        ...(isKnown ? [] : [{ value, label: t('devices.filter.deletedGeofence') }]),
      ],
    },
  ];
}
