import { IconLifebuoy, IconUserPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link, Navigate } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from '#i18n';
import { ListPage } from '../../api/ListPage.tsx';
import { useSession } from '../../api/session.ts';
import { useAction } from '../../api/useAction.ts';
import { useList } from '../../api/useList.ts';
import { PeopleLink } from '../../entities/people/PeopleLink.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { confirmAction } from '../../ui/dialogs.ts';
import { StatusDot } from '../../ui/StatusDot.tsx';
import type { Column } from '../../ui/table/column.ts';
import { DateTime } from '../../ui/time/RelativeTime.tsx';
import { toast } from '../../ui/toasts.ts';
import { GuestDialog } from './GuestDialog.tsx';
import { SupportDialog } from './SupportDialog.tsx';
import { endVisit, enterVisit, fetchVisits, type Visit } from './visits.api.ts';
import { visitList } from './visits.lists.ts';

/** Who it is, or for those who may enter it where. */
const nameOf = (t: TFunction, { kind, name, email, orgName }: Visit, isMine: boolean): string => {
  if (isMine) return orgName;
  if (kind === 'support') return t('visits.support');
  return name === '' || name === email ? email : `${name} (${email})`;
};

const isOpen = ({ ended, until }: Visit) => ended === null && (until === null || Date.parse(until) > Date.now());

/** Ends one visit, after a question; or enters it. */
function VisitButton({ visit, isMine }: { visit: Visit; isMine: boolean }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const name = nameOf(t, visit, isMine);
  const ending = useAction<void, void>({
    run: () => endVisit(visit.id),
    onDone: () => {
      void client.invalidateQueries({ queryKey: ['visits'] });
      void client.invalidateQueries({ queryKey: ['session'] });
      toast(t('visits.end.done'));
    },
  });
  const entering = useAction<void, void>({ run: () => enterVisit(visit.id), onDone: () => undefined });
  const ask = async () => {
    const question = { title: t('visits.end.title', { name }), text: t('visits.end.text') };
    if (await confirmAction({ ...question, yes: t('visits.end.yes'), no: t('ui.cancel'), effect: 'disruptive' })) ending.run();
  };
  if (visit.mayEnter)
    return (
      <Button size="xs" loading={entering.busy} aria-label={t('visits.enterLabel', { name })} onClick={() => entering.run()}>
        {t('visits.enter')}
      </Button>
    );
  if (isMine || !isOpen(visit)) return null;
  return (
    <Button size="xs" loading={ending.busy} aria-label={t('visits.end.label', { name })} onClick={() => void ask()}>
      {t('visits.end.open')}
    </Button>
  );
}

function visitColumns(t: TFunction, isMine: boolean): readonly Column<Visit>[] {
  const state = (visit: Visit) => t(isOpen(visit) ? 'visits.state.open' : 'visits.state.ended');
  const sees = ({ groups }: Visit) => (groups === null ? t('visits.everything') : groups.join(t('ui.between')));
  return [
    {
      id: 'who',
      header: t(isMine ? 'visits.column.organization' : 'visits.column.who'),
      phone: 'title',
      text: (visit) => nameOf(t, visit, isMine),
      pinned: true,
      width: 250,
    },
    {
      id: 'state',
      header: t('visits.column.state'),
      phone: 'state',
      text: state,
      width: 110,
      cell: (visit) => <StatusDot tone={isOpen(visit) ? 'ok' : 'idle'}>{state(visit)}</StatusDot>,
    },
    {
      id: 'role',
      header: t('visits.column.role'),
      phone: 'line',
      text: ({ role }) => t(`visits.role.${role}`),
      width: 110,
    },
    { id: 'sees', header: t('visits.column.sees'), text: sees, width: 140, cell: sees },
    {
      id: 'until',
      header: t('visits.column.until'),
      phone: 'line',
      text: ({ ended, until }) => ended ?? until ?? '',
      width: 180,
      cell: ({ ended, until }) => {
        const moment = ended ?? until;
        return moment === null ? t('visits.always') : <DateTime moment={new Date(moment)} />;
      },
    },
    { id: 'by', header: t('visits.column.by'), text: ({ by }) => by, width: 200, cell: ({ by }) => by },
    {
      id: 'actions',
      header: t('visits.column.actions'),
      phone: 'aside',
      text: () => '',
      width: 110,
      cell: (visit) => <VisitButton visit={visit} isMine={isMine} />,
    },
  ];
}

/** /access: support and guests of the own organization, or the organizations that a person may enter (IAM-05). */
export function VisitList(): ReactNode {
  const { visit } = useSession();
  // Who has just entered begins there.
  return visit === null ? <Visits /> : <Navigate to="/" replace />;
}

function Visits(): ReactNode {
  const { t } = useTranslation();
  const { role } = useSession();
  const client = useQueryClient();
  const [adding, setAdding] = useState<'support' | 'guest'>();
  const list = useList({
    spec: visitList,
    topics: ['visits'],
    fetchPage: ({ limit, offset = 0, mine }, signal) =>
      fetchVisits({ limit, offset, ...(mine !== undefined && { mine }) }, signal),
  });
  const isHost = role === 'admin' && list.state.query.mine === undefined;
  const isMine = !isHost;
  const columns = useMemo(() => visitColumns(t, isMine), [t, isMine]);
  const close = (isAdded: boolean) => {
    setAdding(undefined);
    if (!isAdded) return;
    list.reload();
    void client.invalidateQueries({ queryKey: ['session'] });
  };
  return (
    <ListPage
      list={list}
      title={t(isMine ? 'visits.titleMine' : 'visits.title')}
      {...(role !== 'user' && { back: <PeopleLink /> })}
      count={(count, total) => t('visits.count', { count, shown: total })}
      actions={
        isHost && (
          <>
            <Button renderRoot={(props) => <Link to="/access" search={{ mine: 'true' }} {...props} />}>{t('visits.mine')}</Button>
            <Button leftSection={<IconUserPlus size={16} />} onClick={() => setAdding('guest')}>
              {t('visits.guest.open')}
            </Button>
            <Button variant="filled" leftSection={<IconLifebuoy size={16} />} onClick={() => setAdding('support')}>
              {t('visits.supportDialog.open')}
            </Button>
          </>
        )
      }
      note={<p className="dim">{t(isMine ? 'visits.hintMine' : 'visits.hint')}</p>}
      tools={<></>}
      caption={t('visits.title')}
      columns={columns}
      rowId={({ id }) => id}
    >
      {adding === 'support' && <SupportDialog onClose={close} />}
      {adding === 'guest' && <GuestDialog onClose={close} />}
    </ListPage>
  );
}
