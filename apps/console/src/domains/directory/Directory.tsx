import { IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { Loaded } from '../../api/Loaded.tsx';
import { useAction } from '../../api/useAction.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Copyable } from '../../ui/CopyButton.tsx';
import { confirmAction } from '../../ui/dialogs.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { SecretDialog } from '../../ui/SecretDialog.tsx';
import { StatusDot } from '../../ui/StatusDot.tsx';
import { formatDateTime } from '../../ui/time/format.ts';
import { useZone } from '../../ui/time/zone.ts';
import { toast } from '../../ui/toasts.ts';
import { directoryQuery, revokeSecret, type DirectoryState } from './directory.api.ts';
import './directory.css';
import { RolesForm } from './RolesForm.tsx';
import { SecretForm } from './SecretForm.tsx';

type Secret = DirectoryState['secrets'][number];

/** Where the directory calls, and with what it signs in. */
function Connection({ state, onChanged }: { state: DirectoryState; onChanged: () => void }): ReactNode {
  const { t } = useTranslation();
  const [isAdding, setAdding] = useState(false);
  const [shown, setShown] = useState<string>();
  return (
    <>
      <p className="dim">{t('directory.hint')}</p>
      <div>
        <strong>{t('directory.address')}</strong>
        <p className="dim">{t('directory.addressHint')}</p>
        <Copyable text={state.address} label={t('directory.address')} shown>
          <code>{state.address}</code>
        </Copyable>
      </div>
      <div className="directory__secrets">
        <strong>{t('directory.secrets')}</strong>
        {state.secrets.length === 0 && <p className="dim">{t('directory.noSecrets')}</p>}
        <ul className="directory__list">
          {state.secrets.map((secret) => (
            <SecretLine key={secret.id} secret={secret} onChanged={onChanged} />
          ))}
        </ul>
      </div>
      <div>
        <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
          {t('directory.add')}
        </Button>
      </div>
      {isAdding && (
        <SecretForm
          onClose={() => setAdding(false)}
          onCreated={(secret) => {
            setAdding(false);
            setShown(secret);
            onChanged();
          }}
        />
      )}
      {shown !== undefined && (
        <SecretDialog
          title={t('directory.secret.title')}
          once={t('directory.secret.once')}
          label={t('directory.secret.label')}
          secret={shown}
          done={t('directory.secret.done')}
          onClose={() => setShown(undefined)}
        />
      )}
    </>
  );
}

function SecretLine({ secret, onChanged }: { secret: Secret; onChanged: () => void }): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  const timeOf = (text: string) => formatDateTime(new Date(text), zone);
  const { id, name, hint, by, expires, lastUsed, lastAddress } = secret;
  const revocation = useAction<void, unknown>({
    run: () => revokeSecret(id),
    onDone: () => {
      toast(t('directory.revoked'));
      onChanged();
    },
  });
  const revoke = async () => {
    const question = { title: t('directory.revoking', { name }), text: t('directory.revokeMeans') };
    if (await confirmAction({ ...question, yes: t('directory.revoke'), no: t('ui.cancel'), effect: 'permanent' }))
      revocation.run();
  };
  return (
    <li>
      <div>
        <p>
          <strong>{name}</strong> <code>{hint}</code>
        </p>
        <p className="dim">
          {lastUsed === null
            ? t('directory.usedNever')
            : t('directory.used', { time: timeOf(lastUsed), address: lastAddress ?? '' })}
        </p>
        <p className="dim">
          {t('directory.madeBy', { by })} ·{' '}
          {t(secret.expired ? 'directory.expired' : 'directory.expires', { time: timeOf(expires) })}
        </p>
      </div>
      <Button loading={revocation.busy} onClick={() => void revoke()}>
        {t('directory.revoke')}
      </Button>
    </li>
  );
}

const OUTCOMES = { 401: 'secret', 404: 'missing', 409: 'conflict', 412: 'stale', 429: 'tooMany' } as const;

function outcomeOf(status: number) {
  if (status < 400) return 'done';
  return status in OUTCOMES ? OUTCOMES[status as keyof typeof OUTCOMES] : status < 500 ? 'invalid' : 'fault';
}

function Calls({ calls }: Pick<DirectoryState, 'calls'>): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  return (
    <>
      <h2>{t('directory.calls')}</h2>
      <p className="dim">{t(calls.length === 0 ? 'directory.noCalls' : 'directory.callsHint')}</p>
      <ul className="directory__list">
        {calls.map(({ at, method, path, status, detail }, index) => (
          <li key={`${at}-${index}`}>
            <div>
              <p>
                <code>
                  {method} {path}
                </code>
              </p>
              {detail !== '' && <p className="dim">{detail}</p>}
            </div>
            <div>
              <StatusDot tone={status < 400 ? 'ok' : 'bad'}>
                {t(`directory.outcome.${outcomeOf(status)}`)} ({status})
              </StatusDot>
              <p className="dim">{formatDateTime(new Date(at), zone)}</p>
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}

/** /identity-providers/directory: the directory that keeps the people of the organization (IAM-02). */
export function Directory(): ReactNode {
  const { t } = useTranslation();
  const query = useQuery(directoryQuery);
  const client = useQueryClient();
  const reload = () => void client.invalidateQueries({ queryKey: directoryQuery.queryKey });
  return (
    <div className="page">
      <PageHeader
        title={t('directory.title')}
        back={
          <Link to="/identity-providers" search={{}}>
            {t('directory.companySignIn')}
          </Link>
        }
      />
      <Loaded query={query} gone="" skeleton={<Skeleton lines={8} />}>
        {(state) => (
          <>
            <section className="card panel panel--stack">
              <Connection state={state} onChanged={reload} />
            </section>
            <section className="card panel panel--stack">
              <RolesForm state={state} />
            </section>
            <section className="card panel panel--stack">
              <Calls calls={state.calls} />
            </section>
          </>
        )}
      </Loaded>
    </div>
  );
}
