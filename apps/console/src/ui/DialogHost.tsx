import { Button } from './controls/Button.tsx';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { Dialog } from './Dialog.tsx';
import {
  type ChoiceRequest,
  type ConfirmRequest,
  type DialogRequest,
  type MessageRequest,
  type OpenDialog,
  openDialogs,
} from './dialogs.ts';
import { sentences } from './sentences.ts';
import { useStore } from './store.ts';

/** The number of items a question names; a message that explains each item names all. */
const SHOWN_ITEMS = 6;

interface ResponseProps<Request> {
  readonly request: Request;
  readonly respond: OpenDialog['respond'];
}

function Question({ request }: { request: DialogRequest }): ReactNode {
  const { t } = useTranslation();
  const items = request.items ?? [];
  const shown = request.kind === 'message' ? items.length : SHOWN_ITEMS;
  const hidden = items.length - shown;
  const isPermanent = request.kind === 'confirm' && request.effect === 'permanent';
  const warning = sentences([request.warning ?? '', isPermanent ? t('ui.dialog.permanent') : '']);
  return (
    <>
      <p>{request.text}</p>
      {items.length > 0 && (
        <ul className="dialog__items">
          {items.slice(0, shown).map((item) => (
            <li key={item}>{item}</li>
          ))}
          {hidden > 0 && <li>{t('ui.dialog.more', { count: hidden })}</li>}
        </ul>
      )}
      {request.means !== undefined && <p>{request.means}</p>}
      {warning !== '' && <p>{warning}</p>}
    </>
  );
}

function MessageDialog({ request, respond }: ResponseProps<MessageRequest>): ReactNode {
  const { t } = useTranslation();
  return (
    <Dialog
      title={request.title}
      role="alertdialog"
      onClose={() => respond('')}
      actions={
        <Button variant="filled" autoFocus onClick={() => respond('')}>
          {request.ok ?? t('ui.dialog.ok')}
        </Button>
      }
    >
      <Question request={request} />
    </Dialog>
  );
}

function ConfirmDialog({ request, respond }: ResponseProps<ConfirmRequest>): ReactNode {
  const { t } = useTranslation();
  const danger = request.effect !== 'ordinary';
  return (
    <Dialog
      title={request.title}
      role="alertdialog"
      onClose={() => respond('')}
      actions={
        <>
          <Button autoFocus={danger} onClick={() => respond('')}>
            {request.no ?? t('ui.dialog.no')}
          </Button>
          <Button variant="filled" color={danger ? 'danger' : 'accent'} autoFocus={!danger} onClick={() => respond('yes')}>
            {request.yes ?? t('ui.dialog.yes')}
          </Button>
        </>
      }
    >
      <Question request={request} />
    </Dialog>
  );
}

function ChoiceDialog({ request, respond }: ResponseProps<ChoiceRequest>): ReactNode {
  return (
    <Dialog
      title={request.title}
      role="alertdialog"
      onClose={() => respond('')}
      actions={request.choices.map((choice) => (
        <Button
          key={choice.id}
          variant={choice.primary === true ? 'filled' : 'default'}
          autoFocus={choice.primary === true}
          onClick={() => respond(choice.id)}
        >
          {choice.label}
        </Button>
      ))}
    >
      <Question request={request} />
    </Dialog>
  );
}

function OneDialog({ request, respond }: OpenDialog): ReactNode {
  switch (request.kind) {
    case 'message':
      return <MessageDialog request={request} respond={respond} />;
    case 'confirm':
      return <ConfirmDialog request={request} respond={respond} />;
    case 'choice':
      return <ChoiceDialog request={request} respond={respond} />;
  }
}

/** Renders the questions and messages requested anywhere in the code; mounted once, near the root (SHR-01). */
export function DialogHost(): ReactNode {
  return useStore(openDialogs).map((dialog) => <OneDialog key={dialog.id} {...dialog} />);
}
