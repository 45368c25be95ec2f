import { remoteAccess } from '@highline/contract';
import { IconPlayerRecordFilled, IconTerminal2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, Suspense, useRef } from 'react';
import { useTranslation } from '#i18n';
import { useRoleFor } from '../../../api/session.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { Button, Spinner } from '../../../ui/controls/Button.tsx';
import { optionalPart } from '../../../ui/optional-part.ts';
import { recordingSettingsQuery } from '../../recordings/index.ts';
import { connectionQuery, type Target } from '../remote-access.api.ts';
import './terminal.css';
import { useTerminal } from './useTerminal.ts';

function Unavailable(): ReactNode {
  const { t } = useTranslation();
  return <p role="alert">{t('remote.terminal.unavailable')}</p>;
}

/** A shell in the page. The library that draws it is loaded with the first terminal that is opened. */
export const TerminalView = optionalPart(() => import('./TerminalView.tsx').then((module) => module.default), Unavailable);

function Waiting({ onCancel }: { onCancel: () => void }): ReactNode {
  const { t } = useTranslation();
  return (
    <p className="remote-wait" role="status">
      <Spinner />
      {t('remote.connecting.text')} <Button onClick={onCancel}>{t('ui.cancel')}</Button>
    </p>
  );
}

export function isTerminalEnd(reason: string): reason is remoteAccess.TerminalEnd {
  return (remoteAccess.terminalEnds as readonly string[]).includes(reason);
}

/**
 * The command line of a router in this page (LIV-07): to open, to use and, after its end, the reason for it. For admins, one connection at a
 * time, as Connect.
 */
export function TerminalPanel({ target }: { target: Target }): ReactNode {
  const { t } = useTranslation();
  const isAdmin = useRoleFor('remoteAccess') === 'admin';
  const active = useQuery({ ...connectionQuery(target.device), enabled: isAdmin }).data;
  const settings = useQuery({ ...recordingSettingsQuery, enabled: isAdmin });
  const { stage, open, cancel, close, end } = useTerminal(target);
  const foot = useRef<HTMLDivElement>(null);
  if (stage.at === 'connecting') return <Waiting onCancel={cancel} />;
  if (stage.at === 'open')
    return (
      <div className="terminal-panel">
        {stage.recorded && (
          <p className="note" role="status">
            <span>
              <IconPlayerRecordFilled className="terminal-panel__record" size={14} aria-hidden /> {t('remote.terminal.recording')}
            </span>
          </p>
        )}
        <Suspense fallback={<div className="terminal" aria-busy="true" />}>
          <TerminalView
            ticket={stage.ticket}
            label={t('remote.terminal.label', { name: target.name })}
            onEnd={end}
            onLeave={() => foot.current?.focus()}
          />
        </Suspense>
        <div ref={foot} tabIndex={-1} className="terminal-panel__foot">
          <span className="dim">{t('remote.terminal.keys')}</span>
          <Button color="danger" onClick={() => void close()}>
            {t('remote.terminal.close')}
          </Button>
        </div>
      </div>
    );
  const inUse = active === undefined || active === null ? undefined : t('remote.active.inUse');
  const unreachable = target.unreachable && t(`errors.remote_${target.unreachable}`);
  return (
    <div className="terminal-panel">
      {stage.at === 'ended' && (
        <p className="note" role="status">
          <span>
            <span className="strong">{t('remote.terminal.ended')}</span>{' '}
            {t(isTerminalEnd(stage.reason) ? `remote.terminal.endOf.${stage.reason}` : 'remote.terminal.broken')}
          </span>
        </p>
      )}
      <p className="dim">{t('remote.terminal.text')}</p>
      {settings.data?.recorded === true && (
        <p className="note">
          <span>
            <IconPlayerRecordFilled className="terminal-panel__record" size={14} aria-hidden />{' '}
            {t('remote.terminal.recorded', { count: settings.data.days })}{' '}
            <Link to="/recordings" search={{ device: target.device }}>
              {t('remote.terminal.recordings')}
            </Link>
          </span>
        </p>
      )}
      <ActionButton
        icon={<IconTerminal2 size={16} />}
        loading={stage.at === 'closing' || settings.isLoading}
        disabledReason={isAdmin ? (unreachable ?? inUse) : t('remote.adminsOnly')}
        onClick={open}
      >
        {t(stage.at === 'ended' ? 'remote.terminal.again' : 'remote.terminal.open')}
      </ActionButton>
    </div>
  );
}
