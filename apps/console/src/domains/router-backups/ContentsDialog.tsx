import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from '#i18n';
import { useErrorText } from '../../api/useErrorText.ts';
import { compareLines, linesOf } from '../../entities/lines/lines.ts';
import { Lines } from '../../entities/lines/Lines.tsx';
import { NativeSelect } from '../../ui/controls/TextInput.tsx';
import { CloseButton, Dialog } from '../../ui/Dialog.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { formatDateTime } from '../../ui/time/format.ts';
import { useZone } from '../../ui/time/zone.ts';
import { comparedQuery, type RouterBackup } from './backups.api.ts';

export interface ContentsDialogProps {
  readonly backup: RouterBackup;
  /** Every version of the device, the newest first. */
  readonly versions: readonly RouterBackup[];
  readonly onClose: () => void;
}

/** The lines of a version, first as they differ from the version before; passwords and keys are masked (TPL-06). */
export function ContentsDialog({ backup, versions, onClose }: ContentsDialogProps): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  const errorText = useErrorText();
  const before = versions[versions.findIndex(({ id }) => id === backup.id) + 1];
  const [against, setAgainst] = useState<string | undefined>(before?.id);
  const { data, error, refetch } = useQuery(comparedQuery(backup.id, against));
  const lines = useMemo(() => {
    if (data === undefined || data.text === null) return undefined;
    return data.against === null ? linesOf(data.text) : compareLines(data.against, data.text);
  }, [data]);
  const timeOf = ({ created }: RouterBackup) => formatDateTime(new Date(created), zone);
  const isText = data?.text !== null && (against === undefined || data?.against !== null);
  return (
    <Dialog
      title={t('routerBackups.contents', { time: timeOf(backup) })}
      onClose={onClose}
      wide
      actions={<CloseButton>{t('ui.close')}</CloseButton>}
    >
      <p className="dim">{t('routerBackups.masked')}</p>
      <NativeSelect
        label={t('routerBackups.compare')}
        data={[
          { value: '', label: t('routerBackups.compareNone') },
          ...versions.filter(({ id }) => id !== backup.id).map((each) => ({ value: each.id, label: timeOf(each) })),
        ]}
        value={against ?? ''}
        onChange={({ currentTarget: { value } }) => setAgainst(value === '' ? undefined : value)}
      />
      {error !== null && <ErrorState text={errorText(error)} onRetry={() => void refetch()} />}
      {error === null && data === undefined && <Skeleton lines={4} />}
      {data !== undefined && !isText && <p>{t('routerBackups.notText')}</p>}
      {data !== undefined && isText && lines === undefined && <p>{t('routerBackups.tooDifferent')}</p>}
      {data !== undefined && isText && lines !== undefined && (
        <>
          {against !== undefined && lines.every(({ change }) => change === undefined) && <p>{t('routerBackups.same')}</p>}
          <Lines lines={lines} label={t('routerBackups.contents', { time: timeOf(backup) })} />
        </>
      )}
    </Dialog>
  );
}
