import { Button, Spinner } from '../../ui/controls/Button.tsx';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { useTranslation } from '#i18n';
import { Dialog } from '../../ui/Dialog.tsx';
import { CredentialsDialog } from './CredentialsDialog.tsx';
import type { ConnectionType, Target } from './remote-access.api.ts';
import './remote-access.css';
import type { Connecting } from './useConnect.ts';

interface ChoiceProps {
  readonly name: string;
  readonly types: readonly ConnectionType[];
  readonly onNext: (type: ConnectionType) => void;
  readonly onClose: () => void;
}

/** SSH or the router's own pages, then Next (RMT-01). */
function ChoiceDialog({ name, types, onNext, onClose }: ChoiceProps): ReactNode {
  const { t } = useTranslation();
  const form = useId();
  const [type, setType] = useState<ConnectionType>(types[0] ?? 'ssh');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onNext(type);
  };
  return (
    <Dialog
      title={t('remote.choice.title', { name })}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button type="submit" form={form} variant="filled">
            {t('remote.choice.next')}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit}>
        <fieldset className="remote-choice">
          <legend>{t('remote.choice.legend')}</legend>
          {types.map((one) => (
            <label key={one} className="remote-choice__way">
              <input type="radio" name="type" checked={type === one} onChange={() => setType(one)} />
              <span className="strong">{t(`remote.type.${one}`)}</span>
              <span className="dim">{t(`remote.about.${one}`)}</span>
            </label>
          ))}
        </fieldset>
      </form>
    </Dialog>
  );
}

/** The connection is being opened. If the user cancels, it is closed again. */
function WaitDialog({ name, onClose }: { name: string; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  return (
    <Dialog
      title={t('remote.connecting.title', { name })}
      onClose={onClose}
      sticky
      actions={<Button onClick={onClose}>{t('ui.cancel')}</Button>}
    >
      <p className="remote-wait" role="status">
        <Spinner />
        {t('remote.connecting.text')}
      </p>
    </Dialog>
  );
}

interface ConnectDialogsProps {
  readonly target: Target;
  /** Those to choose from. */
  readonly types: readonly ConnectionType[];
  readonly connecting: Connecting;
}

/** The dialog of whichever step a person is at. */
export function ConnectDialogs({ target, types, connecting }: ConnectDialogsProps): ReactNode {
  const { stage, connect, close } = connecting;
  switch (stage.at) {
    case 'closed':
      return null;
    case 'choice':
      return <ChoiceDialog name={target.name} types={types} onNext={connect} onClose={close} />;
    case 'connecting':
      return <WaitDialog name={target.name} onClose={close} />;
    case 'open':
      return <CredentialsDialog target={target} opened={stage.opened} page={stage.page} onClose={close} />;
  }
}
