import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useDelayed } from '../../ui/useDelayed.ts';

/** The place of a map while its library or what it shows is loaded. */
export function MapPlaceholder(): ReactNode {
  return (
    <div className="vehicle-map vehicle-map--loading">
      <LoadingNotice />
    </div>
  );
}

/** That a map is loading, on it; after 200 ms only, so that a fast load does not flicker. */
export function LoadingNotice(): ReactNode {
  const { t } = useTranslation();
  const isShown = useDelayed(true);
  return (
    isShown && (
      <p className="vehicle-map__notice" role="status">
        {t('ui.loadingMap')}
      </p>
    )
  );
}
