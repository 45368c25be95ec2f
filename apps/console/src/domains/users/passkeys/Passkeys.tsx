import { Button } from '../../../ui/controls/Button.tsx';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { canUsePasskeys } from '../../../api/passkeys.ts';
import { useAction } from '../../../api/useAction.ts';
import { useErrorText } from '../../../api/useErrorText.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { confirmAction } from '../../../ui/dialogs.ts';
import { ErrorState } from '../../../ui/states.tsx';
import { RelativeTime } from '../../../ui/time/RelativeTime.tsx';
import { toast } from '../../../ui/toasts.ts';
import { AddPasskey } from './AddPasskey.tsx';
import { deletePasskey, type Passkey, passkeysQuery } from './passkeys.api.ts';
import '../users.css';

function PasskeyRow({ passkey, onRemove }: { passkey: Passkey; onRemove: () => void }): ReactNode {
  const { t } = useTranslation();
  return (
    <li className="own-session">
      <div>
        <div className="own-session__agent">{passkey.name}</div>
        <div className="dim">
          {passkey.lastUsed === null ? (
            t('users.passkeys.unused')
          ) : (
            <>
              {t('users.passkeys.used')} <RelativeTime moment={passkey.lastUsed} />
            </>
          )}
          {passkey.synced && ` · ${t('users.passkeys.synced')}`}
        </div>
      </div>
      <Button
        className="own-session__end"
        aria-label={t('users.passkeys.removeNamed', { name: passkey.name })}
        onClick={onRemove}
      >
        {t('users.passkeys.remove')}
      </Button>
    </li>
  );
}

/** The user's own passkeys: add one, remove one (IAM-06). */
export function Passkeys(): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const errorText = useErrorText();
  const query = useQuery(passkeysQuery);
  const [isAdding, setAdding] = useState(false);
  const reload = () => void client.invalidateQueries({ queryKey: passkeysQuery.queryKey });
  const remove = useAction<string, void>({
    run: deletePasskey,
    onDone: () => {
      toast(t('users.passkeys.removed'));
      reload();
    },
  });
  const confirm = async ({ id, name }: Passkey) => {
    const isSure = await confirmAction({
      title: t('users.passkeys.remove'),
      text: t('users.passkeys.removeQuestion', { name }),
      means: t('users.passkeys.removeMeans'),
      yes: t('users.passkeys.remove'),
      no: t('ui.cancel'),
      effect: 'ordinary',
    });
    if (isSure) remove.run(id);
  };
  return (
    <section className="card panel panel--stack" aria-labelledby="passkeys">
      <h2 id="passkeys">{t('users.passkeys.title')}</h2>
      <p className="dim">{t('users.passkeys.text')}</p>
      {query.data === undefined && query.error !== null && (
        <ErrorState text={errorText(query.error)} onRetry={() => void query.refetch()} />
      )}
      {query.data?.length === 0 && <p className="dim">{t('users.passkeys.none')}</p>}
      <ul className="own-sessions">
        {query.data?.map((passkey) => (
          <PasskeyRow key={passkey.id} passkey={passkey} onRemove={() => void confirm(passkey)} />
        ))}
      </ul>
      <div className="form__actions">
        <ActionButton disabledReason={canUsePasskeys() ? undefined : t('users.passkeys.noHost')} onClick={() => setAdding(true)}>
          {t('users.passkeys.add')}
        </ActionButton>
      </div>
      {isAdding && (
        <AddPasskey
          onClose={() => setAdding(false)}
          onAdded={() => {
            setAdding(false);
            reload();
          }}
        />
      )}
    </section>
  );
}
