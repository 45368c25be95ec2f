import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { MissingMap } from './own-base-map.ts';

export interface MapNoticeProps {
  /** Why the map cannot be drawn. */
  readonly fault: string | undefined;
  readonly missing: MissingMap | undefined;
}

/** What is wrong with a map, on the map. */
export function MapNotice({ fault, missing }: MapNoticeProps): ReactNode {
  const { t } = useTranslation();
  if (fault !== undefined)
    return (
      <p className="vehicle-map__notice" data-tone="bad" role="alert">
        {fault}
      </p>
    );
  return (
    missing !== undefined && (
      <p className="vehicle-map__notice" role="status">
        {t(`positions.map.missing.${missing}`)}
      </p>
    )
  );
}
