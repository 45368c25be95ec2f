import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { type Age, ageOf, formatDateTime, instantOf, type DateInput, NOT_REPORTED } from './format.ts';
import { useNow } from './now.ts';
import { useZone } from './zone.ts';

/** An age as text: '12 s ago'. */
export function ageText(age: Age, t: TFunction): string {
  return age.unit === 'now' ? t('ui.time.now') : t(`ui.time.${age.unit}`, { count: age.count });
}

/** How long ago something was; the exact time and its zone show on hover. */
export function RelativeTime({ moment }: { moment: DateInput | null | undefined }): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  const now = useNow();
  const instant = instantOf(moment);
  if (instant === undefined) return <span className="dim">{NOT_REPORTED}</span>;
  return (
    <time dateTime={instant.toISOString()} title={`${formatDateTime(instant, zone)} ${zone}`}>
      {ageText(ageOf(instant, now), t)}
    </time>
  );
}

/** A moment as date and time in the chosen zone, with the zone on hover. */
export function DateTime({ moment }: { moment: DateInput | null | undefined }): ReactNode {
  const zone = useZone();
  const instant = instantOf(moment);
  if (instant === undefined) return <span className="dim">{NOT_REPORTED}</span>;
  return (
    <time dateTime={instant.toISOString()} title={zone}>
      {formatDateTime(instant, zone)}
    </time>
  );
}
