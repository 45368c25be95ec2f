import { devices, diagnosisKinds, healthFilters } from '@highline/contract';
import type { TFunction } from 'i18next';
import type { Filter } from '../../ui/filter/filter.ts';

/** The filter by service status (DEV-02, OGL-02); subscriptions that start later only while they filter: the overview leads to them (ATT-01). */
export function serviceFilter(t: TFunction, value: string | undefined): Filter {
  const options = [
    { value: '', label: t('devices.service.all') },
    { value: 'subscribed', label: t('devices.service.subscribed') },
    { value: 'expiring', label: t('devices.service.expiring') },
    { value: 'not-subscribed', label: t('devices.filter.notSubscribed') },
    ...(value === 'starting' ? [{ value: 'starting', label: t('devices.filter.starting') }] : []),
  ];
  return { name: 'service', label: t('devices.filter.service'), value, options };
}

/** States of devices that are off without a fault (SAY-04), and of those that are not known yet after a start. */
const apart = ['unknown', 'parked', 'planned', 'never'] as const;

/** The filter by connection (DEV-02, OGL-02); the others only while they filter: the overview leads to them (ATT-01). */
export function presenceFilter(t: TFunction, value: string | undefined): Filter {
  const options = [
    { value: '', label: t('devices.filter.allPresence') },
    { value: 'online', label: t('devices.presence.online') },
    { value: 'offline', label: t('devices.presence.offline') },
    ...apart.filter((state) => state === value).map((state) => ({ value: state, label: t(`devices.presence.${state}`) })),
  ];
  return { name: 'presence', label: t('devices.filter.presence'), value, options };
}

/** The filter by carrier, only while it filters: the overview leads to it, and there is no list of all carriers to choose from. */
export function carrierFilter(t: TFunction, value: string | undefined): Filter[] {
  if (value === undefined) return [];
  const options = [
    { value: '', label: t('devices.filter.allCarriers') },
    { value, label: value },
  ];
  return [{ name: 'carrier', label: t('devices.filter.carrier'), value, options }];
}

/** The filter by expiration date (OGL-02). */
export function expirationFilter(t: TFunction, value: string | undefined): Filter {
  const options = [
    { value: '', label: t('devices.filter.allDates') },
    { value: 'today', label: t('devices.filter.today') },
    { value: 'week', label: t('devices.filter.week') },
    { value: 'month', label: t('devices.filter.month') },
  ];
  return { name: 'expiration', label: t('devices.filter.expiration'), value, options };
}

/**
 * Offline for longer than a time, health, and diagnosis; weak signal, failed eSIM and the position only while they filter: the overview and the map lead to
 * them (ATT-01, POS-07).
 */
export function attentionFilters(
  t: TFunction,
  {
    offline,
    signal,
    sim,
    position,
    connection,
    health,
    diagnosis,
  }: {
    readonly [Name in 'offline' | 'signal' | 'sim' | 'position' | 'connection' | 'health' | 'diagnosis']?: string | undefined;
  },
): readonly Filter[] {
  const longer = devices.offlineFilters.map((value) => ({ value, label: t(`devices.offlineFor.${value}`) }));
  const all: readonly Filter[] = [
    {
      name: 'offline',
      label: t('devices.filter.offline'),
      value: offline,
      options: [{ value: '', label: t('devices.filter.anyTime') }, ...longer],
    },
    {
      name: 'health',
      label: t('devices.column.health'),
      value: health,
      options: [
        { value: '', label: t('devices.filter.anyHealth') },
        ...healthFilters.map((rating) => ({ value: rating, label: t(`devices.filter.health.${rating}`) })),
      ],
    },
    {
      name: 'diagnosis',
      label: t('devices.column.diagnosis'),
      value: diagnosis,
      options: [
        { value: '', label: t('devices.filter.anyOrNone') },
        { value: 'any', label: t('devices.filter.anyDiagnosis') },
        ...diagnosisKinds.map((kind) => ({ value: kind, label: t(`devices.diagnosis.${kind}`) })),
      ],
    },
    {
      name: 'signal',
      label: t('devices.filter.signal'),
      value: signal,
      options: [
        { value: '', label: t('devices.filter.anySignal') },
        { value: 'weak', label: t('devices.filter.weak') },
      ],
    },
    {
      name: 'sim',
      label: t('devices.filter.sim'),
      value: sim,
      options: [
        { value: '', label: t('devices.filter.anySim') },
        { value: 'failed', label: t('devices.filter.simFailed') },
      ],
    },
    {
      name: 'connection',
      label: t('devices.filter.connection'),
      value: connection,
      options: [
        { value: '', label: t('devices.filter.anyConnection') },
        { value: 'rejected', label: t('devices.filter.connectionRejected') },
      ],
    },
    {
      name: 'position',
      label: t('devices.filter.position'),
      value: position,
      options: [
        { value: '', label: t('devices.filter.anyPosition') },
        { value: 'never', label: t('devices.filter.positionNever') },
        { value: 'old', label: t('devices.filter.positionOld') },
        { value: 'rejected', label: t('devices.filter.positionRejected') },
      ],
    },
  ];
  return all.filter(({ name, value }) => ['offline', 'health', 'diagnosis'].includes(name) || value !== undefined);
}
