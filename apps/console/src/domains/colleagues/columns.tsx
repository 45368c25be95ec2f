import { Button } from '../../ui/controls/Button.tsx';
import type { TFunction } from 'i18next';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { CloseButton, Dialog } from '../../ui/Dialog.tsx';
import { StatusDot } from '../../ui/StatusDot.tsx';
import type { Column } from '../../ui/table/column.ts';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { InvitationState, SendAgain, SessionsOf, useResetFactor } from '../users/index.ts';
import { ColleagueRole } from './ColleagueRole.tsx';
import type { Colleague } from './colleagues.api.ts';

/** The query key of the list to refresh. */
const queryKey = ['accounts'];

/** The last sign-in; before the first one, the state of the invitation. */
function SignedIn({ colleague, isSelf }: { colleague: Colleague; isSelf: boolean }): ReactNode {
  const { t } = useTranslation();
  const { invitation, signedIn } = colleague;
  if (invitation !== null)
    return (
      <span className="colleague-state">
        <InvitationState invitation={invitation} />
        <SendAgain person={colleague} queryKey={queryKey} inRow />
      </span>
    );
  if (signedIn === null) return <span className="dim">{t('colleagues.never')}</span>;
  return (
    <span className="colleague-state">
      <RelativeTime moment={signedIn} />
      {!isSelf && <Sessions colleague={colleague} />}
    </span>
  );
}

/** Where a colleague is signed in, with the way to end it. */
function Sessions({ colleague }: { colleague: Colleague }): ReactNode {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const title = t('users.sessionsOf.openOf', { email: colleague.email });
  return (
    <>
      <Button variant="subtle" aria-label={title} onClick={() => setOpen(true)}>
        {t('users.sessionsOf.open')}
      </Button>
      {isOpen && (
        <Dialog title={title} onClose={() => setOpen(false)} actions={<CloseButton>{t('ui.close')}</CloseButton>}>
          <SessionsOf person={colleague} />
        </Dialog>
      )}
    </>
  );
}

/** Whether sign-in requires a code. A colleague can reset it for a user who lost phone and recovery codes. */
function SecondFactor({ colleague, isSelf }: { colleague: Colleague; isSelf: boolean }): ReactNode {
  const { t } = useTranslation();
  const reset = useResetFactor(colleague, queryKey);
  const { secondFactor, email } = colleague;
  return (
    <span className="colleague-state">
      <StatusDot tone={secondFactor ? 'ok' : 'idle'}>
        {t(secondFactor ? 'users.secondFactor.on' : 'users.secondFactor.off')}
      </StatusDot>
      {secondFactor && !isSelf && (
        <Button
          variant="subtle"
          loading={reset.busy}
          aria-label={`${t('users.secondFactor.reset')}: ${email}`}
          onClick={reset.confirm}
        >
          {t('colleagues.reset')}
        </Button>
      )}
    </span>
  );
}

/** Columns of the main account's users. @param self the viewer's id */
export function colleagueColumns(t: TFunction, self: string): readonly Column<Colleague>[] {
  return [
    {
      id: 'name',
      header: t('colleagues.column.name'),
      text: ({ name }) => name,
      width: 200,
      sort: 'name',
      pinned: true,
      phone: 'title',
      cell: ({ id, name }) => (
        <>
          <span className="strong">{name}</span>
          {id === self && <span className="dim"> ({t('colleagues.you')})</span>}
        </>
      ),
    },
    {
      id: 'email',
      phone: 'line',
      header: t('colleagues.column.email'),
      text: ({ email }) => email,
      width: 240,
      sort: 'email',
    },
    {
      id: 'role',
      phone: 'line',
      phoneCell: ({ ownRole }) => ownRole?.name ?? t('colleagues.role.whole'),
      header: t('colleagues.column.role'),
      text: ({ ownRole }) => ownRole?.name ?? t('colleagues.role.whole'),
      width: 130,
      cell: (colleague) => <ColleagueRole colleague={colleague} isSelf={colleague.id === self} />,
    },
    {
      id: 'signedIn',
      header: t('colleagues.column.signedIn'),
      text: ({ signedIn }) => (signedIn === null ? '' : new Date(signedIn * 1000).toISOString()),
      // An invitation has its state and a button.
      width: 340,
      sort: 'signedIn',
      phone: 'aside',
      phoneCell: ({ signedIn, invitation }) =>
        invitation === null ? signedIn !== null && <RelativeTime moment={signedIn} /> : t('users.invitation.pending'),
      cell: (colleague) => <SignedIn colleague={colleague} isSelf={colleague.id === self} />,
    },
    {
      id: 'secondFactor',
      phone: 'line',
      phoneCell: ({ secondFactor }) => t(secondFactor ? 'users.secondFactor.on' : 'users.secondFactor.off'),
      header: t('colleagues.column.secondFactor'),
      text: ({ secondFactor }) => t(secondFactor ? 'users.secondFactor.on' : 'users.secondFactor.off'),
      width: 200,
      cell: (colleague) => <SecondFactor colleague={colleague} isSelf={colleague.id === self} />,
    },
  ];
}
