import { Button } from '../../ui/controls/Button.tsx';
import { IconClockOff, IconExternalLink, IconPlugConnectedX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { Copyable } from '../../ui/CopyButton.tsx';
import { CloseButton, Dialog } from '../../ui/Dialog.tsx';
import type { Loss } from '../../ui/losses.ts';
import { connectionQuery, type Opened, type Target } from './remote-access.api.ts';
import { formatCountdown, sshLine } from './remote-access.ts';
import { useCancel } from './useCancel.ts';
import { useCountdown } from './useCountdown.ts';

/** A name, its value and a button that copies it. */
function Line({ label, value }: { label: string; value: string }): ReactNode {
  return (
    <div className="remote-line">
      <dt>{label}</dt>
      <dd>
        <Copyable text={value} label={label} shown>
          <code>{value}</code>
        </Copyable>
      </dd>
    </div>
  );
}

function Credentials({ opened }: { opened: Opened }): ReactNode {
  const { t } = useTranslation();
  const { type, host, port, username, password } = opened;
  return (
    <>
      <dl className="remote-lines">
        {type === 'ssh' && <Line label={t('remote.open.host')} value={host} />}
        {type === 'ssh' && <Line label={t('remote.open.port')} value={String(port)} />}
        <Line label={t('remote.open.username')} value={username} />
        <Line label={t('remote.open.password')} value={password} />
      </dl>
      {type === 'ssh' && (
        <div className="remote-command">
          <Copyable text={sshLine(opened)} label={t('remote.open.command')} shown>
            <code>{sshLine(opened)}</code>
          </Copyable>
        </div>
      )}
    </>
  );
}

/** mm:ss, announced only at whole minutes. */
function Countdown({ left }: { left: number }): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <span
        className="remote-countdown num"
        role="timer"
        aria-label={t('remote.open.timeLeft')}
        data-soon={left <= 60 || undefined}
      >
        {formatCountdown(left)}
      </span>
      <span className="unseen" role="status">
        {t('remote.open.minutesLeft', { count: Math.ceil(left / 60) })}
      </span>
    </>
  );
}

/** The state of the credentials. A session without a sign-in ends with them. */
type Outcome = 'valid' | 'expired' | 'expiredUnused' | 'ended';

// The clocks agree to the second, so the event that an unused session ended may arrive before the last tick.
const LAST_TICKS = 2;

function outcomeOf(left: number, ended: boolean): Outcome {
  if (ended) return left <= LAST_TICKS ? 'expiredUnused' : 'ended';
  return left === 0 ? 'expired' : 'valid';
}

function Over({ outcome }: { outcome: Exclude<Outcome, 'valid'> }): ReactNode {
  const { t } = useTranslation();
  return (
    <div className="note note--warn" role="alert">
      {outcome === 'ended' ? <IconPlugConnectedX size={18} /> : <IconClockOff size={18} />}
      <span>
        <span className="strong">{t(outcome === 'ended' ? 'remote.open.ended' : 'remote.open.expired')}</span>{' '}
        {t(`remote.open.hintOf.${outcome}`)}
      </span>
    </div>
  );
}

/** True once the session that these credentials belong to is gone: cancelled elsewhere, or the router went offline. */
function useEnded({ device }: Target, { since }: Opened): boolean {
  const { data, dataUpdatedAt } = useQuery(connectionQuery(device));
  // An event from before the credentials arrived does not concern their session.
  return data !== undefined && dataUpdatedAt > since && data?.own !== true;
}

interface CredentialsDialogProps {
  readonly target: Target;
  readonly opened: Opened;
  readonly page: { readonly address: string; readonly shown: boolean } | undefined;
  readonly onClose: () => void;
}

/** One-time credentials and how long they work; they are shown once, so closing needs a confirmation (RMT-01 to RMT-03). */
export function CredentialsDialog({ target, opened, page, onClose }: CredentialsDialogProps): ReactNode {
  const { t } = useTranslation();
  const left = useCountdown(opened.deadline);
  const cancel = useCancel(target.device, onClose);
  const outcome = outcomeOf(left, useEnded(target, opened) && !cancel.busy);
  const over = outcome !== 'valid';
  const loss: Loss = {
    kind: 'secret',
    question: {
      title: t('remote.close.title'),
      text: t('remote.close.text'),
      warning: t('remote.close.hint'),
      yes: t('remote.close.yes'),
      no: t('remote.close.no'),
    },
  };
  return (
    <Dialog
      title={<span className="remote-title">{t(`remote.open.${opened.type}`, { name: target.name })}</span>}
      onClose={onClose}
      loss={over ? undefined : loss}
      actions={
        <>
          {(outcome === 'valid' || outcome === 'expired') && (
            <Button color="danger" loading={cancel.busy} onClick={cancel.run}>
              {t('remote.cancel.action')}
            </Button>
          )}
          {page !== undefined && !over && (
            <Button
              renderRoot={({ children, ...root }) => (
                <a {...root} href={page.address} target="_blank" rel="noopener noreferrer">
                  {children}
                </a>
              )}
              variant={page.shown ? 'default' : 'filled'}
              rightSection={<IconExternalLink size={16} />}
            >
              {t('remote.open.openPage')}
            </Button>
          )}
          <CloseButton variant={page === undefined || page.shown || over ? 'filled' : 'default'}>
            {t('remote.open.done')}
          </CloseButton>
        </>
      }
    >
      {over ? (
        <Over outcome={outcome} />
      ) : (
        <>
          <Countdown left={left} />
          <p>{t('remote.open.hint')}</p>
          {page !== undefined && <p>{t(page.shown ? 'remote.open.opened' : 'remote.open.blocked')}</p>}
          <Credentials opened={opened} />
        </>
      )}
    </Dialog>
  );
}
