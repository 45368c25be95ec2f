import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useErrorText } from '../../api/useErrorText.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { CloseButton, Dialog } from '../../ui/Dialog.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { formatNumber } from '../../ui/time/format.ts';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { type LevelName, type SettingsVersion, versionsQuery } from './settings.api.ts';

export interface VersionsDialogProps {
  readonly level: LevelName;
  /** The present version, which is not listed. */
  readonly present: number;
  readonly onChoose: (version: SettingsVersion) => void;
  readonly onClose: () => void;
}

/** Former versions of a level: one that is chosen fills the form, and nothing is saved by that (TPL-03). */
export function VersionsDialog({ level, present, onChoose, onClose }: VersionsDialogProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { data, error, refetch } = useQuery(versionsQuery(level));
  const former = data?.filter(({ version }) => version !== present);
  return (
    <Dialog title={t('routerSettings.versions.title')} onClose={onClose} actions={<CloseButton>{t('ui.close')}</CloseButton>}>
      <p className="dim">{t('routerSettings.versions.hint')}</p>
      {error !== null && <ErrorState text={errorText(error)} onRetry={() => void refetch()} />}
      {error === null && former === undefined && <Skeleton lines={3} />}
      <ul className="setting-values">
        {former?.map((each) => (
          <li key={each.version} className="setting-value">
            <span className="setting-value__name">
              {t('routerSettings.versions.one', { version: formatNumber(each.version) })} · <RelativeTime moment={each.changed} />
            </span>
            <span className="dim">
              {t('routerSettings.versions.by', { by: each.by })} ·{' '}
              {t('routerSettings.own_values', { count: each.values.length, shown: formatNumber(each.values.length) })}
            </span>
            <span>
              <Button
                size="xs"
                aria-label={t('routerSettings.versions.useNamed', { version: formatNumber(each.version) })}
                onClick={() => onChoose(each)}
              >
                {t('routerSettings.versions.use')}
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
