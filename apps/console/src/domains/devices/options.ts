import type { TFunction } from 'i18next';

/** The values of the service status filter (DEV-02, OGL-02). */
export function serviceOptions(t: TFunction) {
  return [
    { value: '', label: t('devices.service.all') },
    { value: 'subscribed', label: t('devices.service.subscribed') },
    { value: 'expiring', label: t('devices.service.expiring') },
    { value: 'not-subscribed', label: t('devices.filter.notSubscribed') },
  ];
}

/** The values of the expiration date filter (OGL-02). */
export function expirationOptions(t: TFunction) {
  return [
    { value: '', label: t('devices.filter.allDates') },
    { value: 'today', label: t('devices.filter.today') },
    { value: 'week', label: t('devices.filter.week') },
    { value: 'month', label: t('devices.filter.month') },
  ];
}
