import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { useErrorText } from '../../api/useErrorText.ts';
import { useRoleFor } from '../../api/session.ts';
import { Panel } from '../../entities/devices/Panel.tsx';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { SecretDialog } from '../../ui/SecretDialog.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { StatusDot } from '../../ui/StatusDot.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { toast } from '../../ui/toasts.ts';
import type { ActionTarget } from './WaitDialog.tsx';
import { SetDialog, ShowDialog } from './PasswordDialogs.tsx';
import { type MadePassword, passwordQuery, type RouterPassword } from './passwords.api.ts';
import './commands.css';

/** The state of the password of a router, and when it is due. */
export function PasswordState({ password }: { password: RouterPassword }): ReactNode {
  const { t } = useTranslation();
  const { username, set, is_due: isDue, pending } = password;
  return (
    <>
      <StatusDot tone={isDue ? 'warn' : username === null ? 'idle' : 'ok'}>
        {username === null ? t('commands.password.none') : t('commands.password.setFor', { username })}
        {isDue && ` · ${t('commands.password.isDue')}`}
      </StatusDot>
      {set !== null && (
        <span className="dim">
          {' '}
          <RelativeTime moment={set} />
        </span>
      )}
      {pending !== null && <div className="dim">{t(`commands.password.pending.${pending}`)}</div>}
    </>
  );
}

/** The password of a router's own web page: its state, and how to set or see it (LIV-11). */
export function PasswordPanel({ target }: { target: ActionTarget }): ReactNode {
  const { t } = useTranslation();
  const isAdmin = useRoleFor('routerPasswords') === 'admin';
  const { data, error, refetch } = useQuery(passwordQuery(target.device));
  const errorText = useErrorText();
  const [open, setOpen] = useState<'set' | 'show'>();
  const [made, setMade] = useState<MadePassword>();
  const lacks = target.offers?.includes('set-password') === false ? t('commands.password.notOffered') : undefined;
  const isStored = data !== undefined && data !== null && (data.username !== null || data.pending !== null);
  const close = () => setOpen(undefined);
  return (
    <Panel
      id="device-password"
      title={t('commands.password.title')}
      more={<Link to="/commands/passwords">{t('commands.password.all')}</Link>}
    >
      <p className="dim">{t('commands.password.text')}</p>
      {error !== null && data === undefined && <ErrorState text={errorText(error)} onRetry={() => void refetch()} />}
      {error === null && data === undefined && <Skeleton lines={1} />}
      {data !== undefined && data !== null && (
        <div>
          <PasswordState password={data} />
        </div>
      )}
      <div className="commands__buttons">
        <ActionButton disabledReason={isAdmin ? lacks : t('commands.adminsOnly')} onClick={() => setOpen('set')}>
          {t('commands.password.set')}
        </ActionButton>
        <ActionButton
          disabledReason={isAdmin ? (isStored ? undefined : t('commands.password.nothing')) : t('commands.adminsOnly')}
          onClick={() => setOpen('show')}
        >
          {t('commands.password.show')}
        </ActionButton>
      </div>
      {open === 'set' && (
        <SetDialog
          target={target}
          username={data?.username ?? 'admin'}
          onClose={close}
          onDone={(result) => {
            close();
            if (result.password === null) toast(t('commands.password.sent', { device: target.name }));
            else setMade(result);
          }}
        />
      )}
      {open === 'show' && <ShowDialog target={target} onClose={close} />}
      {made !== undefined && (
        <SecretDialog
          title={t('commands.password.madeTitle', { device: target.name })}
          once={t(target.isOnline ? 'commands.password.made' : 'commands.password.madeWaits')}
          label={t('commands.password.of', { username: made.command.argument })}
          secret={made.password ?? ''}
          done={t('ui.close')}
          onClose={() => setMade(undefined)}
        />
      )}
    </Panel>
  );
}
