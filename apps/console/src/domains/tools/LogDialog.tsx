import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useErrorText } from '../../api/useErrorText.ts';
import { formatBytes } from '../../ui/bytes.ts';
import { CloseButton, Dialog } from '../../ui/Dialog.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { formatDateTime } from '../../ui/time/format.ts';
import { useZone } from '../../ui/time/zone.ts';
import { neutralText, SHOWN_LOG_BYTES } from './neutral-text.ts';
import { fetchRunFile, type ToolRun } from './tools.api.ts';

/** The log that a router sent; each opening is logged as a download. */
export function LogDialog({ run, onClose }: { run: ToolRun; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const zone = useZone();
  const { data, error, refetch } = useQuery({
    queryKey: ['tools', 'log', run.id],
    queryFn: async () => neutralText(await (await fetchRunFile(run.id)).slice(0, SHOWN_LOG_BYTES).text()),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  const isCut = (run.file?.bytes ?? 0) > SHOWN_LOG_BYTES;
  return (
    <Dialog
      title={t('tools.logTitle', { time: formatDateTime(run.started, zone) })}
      onClose={onClose}
      wide
      actions={<CloseButton>{t('ui.close')}</CloseButton>}
    >
      {data === undefined && error === null && <Skeleton lines={8} />}
      {error !== null && <ErrorState text={errorText(error)} onRetry={() => void refetch()} />}
      {data === '' && <p className="dim">{t('tools.logEmpty')}</p>}
      {data !== undefined && data !== '' && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls it
        <pre className="tool-log" tabIndex={0} role="region" aria-label={t('tools.kind.log')}>
          {data}
        </pre>
      )}
      {isCut && <p className="dim">{t('tools.logCut', { bytes: formatBytes(SHOWN_LOG_BYTES) })}</p>}
    </Dialog>
  );
}
