import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { LoadingNotice } from './MapPlaceholder.tsx';
import type { MissingMap } from './own-base-map.ts';

export interface MapNoticeProps {
  /** It is drawn, or its tiles take long. */
  readonly isReady: boolean;
  /** Why the map cannot be drawn. */
  readonly fault: string | undefined;
  readonly missing: MissingMap | undefined;
}

/** What is wrong with a map, or that it is loading, on the map. */
export function MapNotice({ isReady, fault, missing }: MapNoticeProps): ReactNode {
  const { t } = useTranslation();
  if (fault !== undefined)
    return (
      <p className="vehicle-map__notice" data-tone="bad" role="alert">
        {fault}
      </p>
    );
  if (missing !== undefined)
    return (
      <p className="vehicle-map__notice" role="status">
        {t(`positions.map.missing.${missing}`)}
      </p>
    );
  return !isReady && <LoadingNotice />;
}
