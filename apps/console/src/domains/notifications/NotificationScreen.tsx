import { Link } from '@tanstack/react-router';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from '#i18n';
import { useRoleFor } from '../../api/session.ts';
import { lastSearch } from '../../ui/list/last-search.ts';
import { useConfirmDrop } from '../../ui/losses.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import type { Subscription } from './notification.ts';
import './notifications.css';
import { RecipientForm } from './RecipientForm.tsx';
import { RecipientList, type Saved } from './RecipientList.tsx';
import { TestMailButton } from './TestMailButton.tsx';
import { Undelivered } from './Undelivered.tsx';

/** The form's subject: `edited`, or a new recipient; a new number resets the form. */
interface Open {
  readonly edited: Subscription | undefined;
  readonly number: number;
}

/** Form and list side by side, for users who may change them. */
function Manage(): ReactNode {
  const confirmDrop = useConfirmDrop();
  const [open, setOpen] = useState<Open>({ edited: undefined, number: 0 });
  const [saved, setSaved] = useState<Saved>();
  const dirty = useRef(false);
  const form = useRef<HTMLElement>(null);
  const show = useCallback((edited: Subscription | undefined) => {
    dirty.current = false;
    setOpen(({ number }) => ({ edited, number: number + 1 }));
  }, []);
  /** @param next undefined: a new recipient */
  const leaveFor = useCallback(
    async (next: Subscription | undefined) => {
      if (await confirmDrop(dirty.current)) show(next);
    },
    [show, confirmDrop],
  );
  const onEdit = useCallback((subscription: Subscription) => void leaveFor(subscription), [leaveFor]);
  // On a narrow screen the form is above the list, so editing a row scrolls to it.
  useEffect(() => {
    if (open.edited === undefined) return;
    form.current?.scrollIntoView({ block: 'nearest' });
    form.current?.querySelector('input')?.focus({ preventScroll: true });
  }, [open]);
  return (
    <div className="notifications">
      <section ref={form} className="card panel" aria-labelledby="recipient-form">
        <RecipientForm
          key={open.number}
          edited={open.edited}
          onDirty={(now) => (dirty.current = now)}
          onCancel={() => void leaveFor(undefined)}
          onSaved={(mail) => {
            setSaved({ mail });
            show(undefined);
          }}
        />
      </section>
      <RecipientList
        onEdit={onEdit}
        saved={saved}
        onRemoved={(mail) => {
          if (open.edited?.mail === mail) show(undefined);
        }}
      />
    </div>
  );
}

/** /devices/service/noitify: the email recipients and their notifications (SVC-02). */
export function NotificationScreen(): ReactNode {
  const { t } = useTranslation();
  const role = useRoleFor('notifications');
  const isAdmin = role === 'admin';
  return (
    <div className="page">
      <PageHeader
        title={t('notifications.title')}
        back={
          <Link to="/devices/service" search={lastSearch('/devices/service')}>
            {t('service.title')}
          </Link>
        }
        sub={isAdmin ? undefined : t('notifications.readOnly')}
        actions={isAdmin && <TestMailButton />}
      />
      {isAdmin ? <Manage /> : <RecipientList saved={undefined} onRemoved={() => undefined} />}
      {isAdmin && <Undelivered />}
    </div>
  );
}
