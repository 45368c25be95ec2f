import { useQuery } from '@tanstack/react-query';
import { Button } from '../../ui/controls/Button.tsx';
import { IconPlugConnected } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useRoleFor } from '../../api/session.ts';
import { confirmAction } from '../../ui/dialogs.ts';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { type Connection, connectionQuery } from './remote-access.api.ts';
import './remote-access.css';
import { useCancel } from './useCancel.ts';

function Active({ device, connection }: { device: string; connection: Connection }): ReactNode {
  const { t } = useTranslation();
  const cancel = useCancel(device, () => undefined);
  const { type, by, own, since, client } = connection;
  const confirm = async (): Promise<void> => {
    const title = t('remote.cancel.title');
    const text = t('remote.cancel.question', { who: by });
    const responses = { yes: t('remote.cancel.action'), no: t('remote.cancel.keep') };
    if (own || (await confirmAction({ title, text, ...responses, effect: 'disruptive' }))) cancel.run();
  };
  return (
    <section className="card remote-active" aria-labelledby="remote-active">
      <IconPlugConnected size={20} aria-hidden="true" />
      <div className="remote-active__text">
        <h2 id="remote-active">{t('remote.active.title')}</h2>
        <p>
          {client === undefined ? t(`remote.type.${type}`) : `${client.service.toUpperCase()} ${client.address}:${client.port}`} ·{' '}
          {own ? t('remote.active.own') : t('remote.active.by', { who: by })} · <RelativeTime moment={since} />
        </p>
      </div>
      <Button color="danger" loading={cancel.busy} onClick={() => void confirm()}>
        {t('remote.cancel.action')}
      </Button>
    </section>
  );
}

/** The user who is connected to a router, how and since when, for users who may end it; nothing when there is no session (RMT-04). */
export function ActiveConnection({ device }: { device: string }): ReactNode {
  const mayConnect = useRoleFor('remoteAccess') === 'admin';
  const { data } = useQuery({ ...connectionQuery(device), enabled: mayConnect });
  return data === undefined || data === null ? null : <Active device={device} connection={data} />;
}
