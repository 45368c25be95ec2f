import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { saveFile } from '../../api/download.ts';
import { ApiError } from '../../api/errors.ts';
import { useRoleFor } from '../../api/session.ts';
import { useAction } from '../../api/useAction.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { USUAL_WAIT_HOURS } from '../../entities/commands/WaitSelect.tsx';
import { Panel } from '../../entities/devices/Panel.tsx';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { formatBytes } from '../../ui/bytes.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { DateTime, RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { toast } from '../../ui/toasts.ts';
import { TypedConfirm } from '../../ui/TypedConfirm.tsx';
import {
  backupCommandsQuery,
  backupsQuery,
  backUpRouter,
  fetchBackupFile,
  restoreVersion,
  type RouterBackup,
  type SentCommand,
} from './backups.api.ts';
import { ContentsDialog } from './ContentsDialog.tsx';
import './router-backups.css';

/** The router that a panel is about. */
interface PanelTarget {
  readonly device: string;
  readonly serial: string;
  readonly name: string;
  readonly isOnline: boolean;
  /** What its data model has; null when unknown. */
  readonly offers: readonly string[] | null;
}

interface VersionProps {
  readonly backup: RouterBackup;
  readonly target: PanelTarget;
  /** Why nothing of it may be read or restored. */
  readonly role: string | undefined;
  readonly onShow: () => void;
  readonly onRestore: () => void;
}

function Version({ backup, target, role, onShow, onRestore }: VersionProps): ReactNode {
  const { t } = useTranslation();
  const { id, created, confirmed, bytes, sha256, by, serial_number: serial } = backup;
  const download = useAction<void, Blob>({
    run: () => fetchBackupFile(id),
    onDone: (file) => saveFile(file, `${serial} ${created.slice(0, 16).replace(':', '-')}.${backup.text ? 'txt' : 'bin'}`),
  });
  const lacks = target.offers?.includes('restore-config') === false ? t('routerBackups.notRestorable') : undefined;
  return (
    <li className="backup">
      <div className="backup__facts">
        <span className="strong">
          <DateTime moment={new Date(created)} />
        </span>{' '}
        · {formatBytes(bytes)} · {t('routerBackups.by', { by })}
        {serial !== target.serial && ` · ${t('routerBackups.ofRouter', { serial })}`}
        <div className="dim">
          {confirmed !== created && (
            <>
              {t('routerBackups.confirmed')} <RelativeTime moment={confirmed} /> ·{' '}
            </>
          )}
          <span className="mono">SHA-256 {sha256.slice(0, 12)}</span>
        </div>
      </div>
      <div className="backup__actions">
        <ActionButton disabledReason={role} onClick={onShow}>
          {t('routerBackups.show')}
        </ActionButton>
        <ActionButton disabledReason={role} loading={download.busy} onClick={() => download.run()}>
          {t('routerBackups.download')}
        </ActionButton>
        <ActionButton disabledReason={role ?? lacks} onClick={onRestore}>
          {t('routerBackups.restore')}
        </ActionButton>
      </div>
    </li>
  );
}

/** How the last command about backups stands. */
function LastCommand({ command }: { command: SentCommand }): ReactNode {
  const { t } = useTranslation();
  const { kind, state, reason, message, created, ended } = command;
  return (
    <p className="dim" role="status">
      {t(kind === 'restore-config' ? 'routerBackups.lastRestore' : 'routerBackups.lastBackup', {
        result: t(`commands.state.${state}`),
      })}{' '}
      <RelativeTime moment={ended ?? created} />
      {reason !== null && ` · ${t(`commands.reason.${reason}`)}`}
      {message !== '' && ` · ${message}`}
    </p>
  );
}

/** Versions of the configuration of a device's router, live: what changed, restore, back up now (TPL-06). */
export function BackupsPanel({ target }: { target: PanelTarget }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const errorText = useErrorText();
  const isAdmin = useRoleFor('routerBackups') === 'admin';
  const { data, error, refetch } = useQuery(backupsQuery(target.device));
  const command = useQuery(backupCommandsQuery(target.device)).data;
  const [shown, setShown] = useState<RouterBackup>();
  const [restored, setRestored] = useState<RouterBackup>();
  const [isWhole, setWhole] = useState(false);
  const wait = target.isOnline ? undefined : USUAL_WAIT_HOURS;
  const done = (text: string) => {
    void client.invalidateQueries({ queryKey: ['commands'] });
    toast(text);
    setRestored(undefined);
  };
  const backUp = useAction<void, SentCommand>({
    run: () => backUpRouter(target.device, wait),
    onDone: () => done(t(target.isOnline ? 'routerBackups.begun' : 'routerBackups.waits', { device: target.name })),
  });
  const restore = useAction<string, SentCommand>({
    run: (id) => restoreVersion(id, target.serial, wait),
    onDone: () => done(t(target.isOnline ? 'routerBackups.restoring' : 'routerBackups.waits', { device: target.name })),
    onError: (fault) => {
      if (!(fault instanceof ApiError) || fault.key !== 'approval.waiting') return false;
      done(t('routerBackups.approval'));
      return true;
    },
  });
  const role = isAdmin ? undefined : t('commands.adminsOnly');
  const lacks = target.offers?.includes('backup-config') === false ? t('routerBackups.notOffered') : undefined;
  const isOpen = command?.kind === 'backup-config' && command.ended === null ? t('routerBackups.isOpen') : undefined;
  const versions = isWhole ? data : data?.slice(0, 5);
  return (
    <Panel id="router-backups" title={t('routerBackups.title')} more={<Link to="/backups">{t('routerBackups.all')}</Link>}>
      {error !== null && data === undefined && <ErrorState text={errorText(error)} onRetry={() => void refetch()} />}
      {error === null && data === undefined && <Skeleton lines={3} />}
      {data?.length === 0 && <p className="dim">{t('routerBackups.none')}</p>}
      {command !== undefined && command !== null && <LastCommand command={command} />}
      {versions !== undefined && versions.length > 0 && (
        <ul className="backups">
          {versions.map((each) => (
            <Version
              key={each.id}
              backup={each}
              target={target}
              role={role}
              onShow={() => setShown(each)}
              onRestore={() => setRestored(each)}
            />
          ))}
        </ul>
      )}
      <div className="backup-actions">
        <ActionButton disabledReason={role ?? lacks ?? isOpen} loading={backUp.busy} onClick={() => backUp.run()}>
          {t('routerBackups.backUp')}
        </ActionButton>
        {data !== undefined && !isWhole && data.length > 5 && (
          <Button onClick={() => setWhole(true)}>{t('routerBackups.more', { count: data.length - 5 })}</Button>
        )}
      </div>
      {shown !== undefined && data !== undefined && (
        <ContentsDialog backup={shown} versions={data} onClose={() => setShown(undefined)} />
      )}
      {restored !== undefined && (
        <TypedConfirm
          title={t('routerBackups.restoreTitle', { device: target.name })}
          text={t('routerBackups.restoreText', { serial: target.serial })}
          word={target.serial}
          confirm={t('routerBackups.restore')}
          busy={restore.busy}
          onClose={() => setRestored(undefined)}
          onConfirm={() => restore.run(restored.id)}
        />
      )}
    </Panel>
  );
}
