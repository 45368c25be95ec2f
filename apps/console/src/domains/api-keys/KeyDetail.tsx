import { Button } from '../../ui/controls/Button.tsx';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useAction } from '../../api/useAction.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { chooseAction, confirmAction } from '../../ui/dialogs.ts';
import { DateTime } from '../../ui/time/RelativeTime.tsx';
import { useAwaitedSecret } from '../../ui/losses.ts';
import { toast } from '../../ui/toasts.ts';
import { type ApiKey, grantableQuery, type MintedKey, revokeKey, rotateKey } from './api-keys.api.ts';
import { Calls } from './Calls.tsx';

const HOURS = { now: 0, day: 24, week: 168 } as const;

export interface KeyDetailProps {
  readonly shown: ApiKey;
  readonly onClose: () => void;
  readonly onRotated: (minted: MintedKey) => void;
  readonly onRevoked: () => void;
}

/** A key with its exact calls; rotate and revoke (HKS-02). */
export function KeyDetail({ shown: key, onClose, onRotated, onRevoked }: KeyDetailProps): ReactNode {
  const { t } = useTranslation();
  const { name } = key;
  const known = useQuery(grantableQuery(key.org ?? undefined)).data ?? [];
  const all = new Map(known.flatMap(({ operations }) => operations).map((operation) => [operation.id, operation]));
  const calls = key.operations.map((id) => all.get(id) ?? { id, method: '', path: '', summary: '' });
  const isOver = key.state === 'revoked' || key.state === 'expired';
  const rotation = useAction<number, MintedKey>({ run: (hours) => rotateKey(key, hours), onDone: onRotated });
  useAwaitedSecret(rotation.busy);
  const revocation = useAction<void, void>({
    run: () => revokeKey(key),
    onDone: () => {
      toast(t('apiKeys.detail.revoked'));
      onRevoked();
    },
  });
  const rotate = async () => {
    if (key.state === 'suspended') {
      const question = { title: t('apiKeys.detail.rotating', { name }), text: t('apiKeys.detail.rotateSuspended') };
      const yes = t('apiKeys.detail.rotate');
      if (await confirmAction({ ...question, yes, no: t('ui.cancel'), effect: 'permanent' })) rotation.run(HOURS.now);
      return;
    }
    const hours = await chooseAction<keyof typeof HOURS>({
      title: t('apiKeys.detail.rotating', { name }),
      text: t('apiKeys.detail.rotateMeans'),
      choices: [
        { id: 'now', label: t('apiKeys.detail.atOnce') },
        { id: 'week', label: t('apiKeys.detail.week') },
        { id: 'day', label: t('apiKeys.detail.day'), primary: true },
      ],
    });
    if (hours !== undefined) rotation.run(HOURS[hours]);
  };
  const revoke = async () => {
    const question = { title: t('apiKeys.detail.revoking', { name }), text: t('apiKeys.detail.revokeMeans') };
    const yes = t('apiKeys.detail.revoke');
    if (await confirmAction({ ...question, yes, no: t('ui.cancel'), effect: 'permanent' })) revocation.run();
  };
  return (
    <Dialog
      title={name}
      onClose={onClose}
      wide
      actions={
        <>
          {!isOver && (
            <>
              <Button color="danger" loading={revocation.busy} onClick={() => void revoke()}>
                {t('apiKeys.detail.revoke')}
              </Button>
              <Button loading={rotation.busy} onClick={() => void rotate()}>
                {t('apiKeys.detail.rotate')}
              </Button>
            </>
          )}
          <Button variant="filled" onClick={onClose}>
            {t('apiKeys.detail.close')}
          </Button>
        </>
      }
    >
      {key.state === 'suspended' && <p className="note">{t('apiKeys.suspendedMeans')}</p>}
      <dl className="key-facts">
        <div>
          <dt>{t('apiKeys.column.key')}</dt>
          <dd className="mono">{key.hint}</dd>
        </div>
        <div>
          <dt>{t('apiKeys.detail.by')}</dt>
          <dd>{key.by}</dd>
        </div>
        <div>
          <dt>{t('apiKeys.detail.created')}</dt>
          <dd>
            <DateTime moment={new Date(key.created)} />
          </dd>
        </div>
        <div>
          <dt>{t('apiKeys.column.expires')}</dt>
          <dd>{key.expires === null ? t('apiKeys.never') : <DateTime moment={new Date(key.expires)} />}</dd>
        </div>
        {key.previousUntil !== null && (
          <div>
            <dt>{t('apiKeys.detail.former')}</dt>
            <dd>
              <DateTime moment={new Date(key.previousUntil)} />
            </dd>
          </div>
        )}
        <div>
          <dt>{t('apiKeys.column.used')}</dt>
          <dd>
            {key.lastUsed === null ? (
              t('apiKeys.unused')
            ) : (
              <>
                <DateTime moment={new Date(key.lastUsed)} /> <span className="mono dim">{key.lastAddress}</span>
              </>
            )}
          </dd>
        </div>
        {key.limitedTo && (
          <div>
            <dt>{t('apiKeys.limit.label')}</dt>
            <dd>
              {[...key.limitedTo.groups.map(({ name }) => name), ...key.limitedTo.tags].join(t('ui.between')) ||
                t('apiKeys.limit.none')}
            </dd>
          </div>
        )}
        <div>
          <dt>{t('apiKeys.detail.from')}</dt>
          <dd className="mono">{key.ranges.length === 0 ? t('apiKeys.detail.anywhere') : key.ranges.join(', ')}</dd>
        </div>
      </dl>
      <details className="key-calls">
        <summary>{t('apiKeys.calls', { count: calls.length })}</summary>
        <Calls operations={calls} />
      </details>
    </Dialog>
  );
}
