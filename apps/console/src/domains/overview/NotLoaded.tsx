import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { ErrorState } from '../../ui/states.tsx';

/** Instead of a part of the page whose file could not be loaded; the rest of the page works. */
export function NotLoaded(_props: object): ReactNode {
  const { t } = useTranslation();
  return <ErrorState text={t('errors.unexpected')} onRetry={() => location.reload()} />;
}
