import { IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from '#i18n';
import { ListPage } from '../../api/ListPage.tsx';
import { useRoleFor, useSession } from '../../api/session.ts';
import { useAction } from '../../api/useAction.ts';
import { useList } from '../../api/useList.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { confirmAction } from '../../ui/dialogs.ts';
import { lastSearch } from '../../ui/list/last-search.ts';
import { toast } from '../../ui/toasts.ts';
import { PersonDialog } from './PersonDialog.tsx';
import { PushCard } from './PushCard.tsx';
import { peopleList } from './alerts.lists.ts';
import { peopleColumns } from './people-columns.tsx';
import { deletePeople, fetchPeople, type Person } from './people.api.ts';
import './alerts.css';

/** /alerts/people: who is notified of what: person × severity × hours × channel, with rules, notifications and reports (SAY-05). */
export function PeopleList(): ReactNode {
  const { t } = useTranslation();
  const { email } = useSession();
  const role = useRoleFor('alertPeople');
  const [edited, setEdited] = useState<{ readonly person: Person | undefined }>();
  const list = useList({
    spec: peopleList,
    topics: ['alerts', 'accounts', 'notifications', 'summaries'],
    fetchPage: fetchPeople,
  });
  const { reload } = list;
  const end = useAction<Person, boolean>({
    run: async ({ mail }) => {
      const question = { title: t('alerts.people.end'), text: t('alerts.people.endQuestion', { mail }) };
      const isSure = await confirmAction({ ...question, means: t('alerts.people.endMeans'), effect: 'disruptive' });
      if (isSure) await deletePeople([mail]);
      return isSure;
    },
    onDone: (isDone) => {
      if (!isDone) return;
      toast(t('alerts.people.ended'));
      reload();
    },
  });
  const columns = useMemo(
    () =>
      peopleColumns(t, {
        mayChange: ({ mail }) => role !== 'user' || mail === email,
        edit: (person) => setEdited({ person }),
        end: (person) => end.run(person),
      }),
    [t, role, email, end],
  );
  return (
    <ListPage
      list={list}
      title={t('alerts.people.title')}
      back={
        <Link to="/alerts" search={lastSearch('/alerts')}>
          {t('alerts.title')}
        </Link>
      }
      count={(count, shown) => t('alerts.people.count', { count, shown })}
      note={<PushCard />}
      actions={
        <ActionButton
          variant="filled"
          icon={<IconPlus size={16} />}
          disabledReason={role === 'user' ? t('alerts.people.notAllowed') : undefined}
          onClick={() => setEdited({ person: undefined })}
        >
          {t('alerts.people.add')}
        </ActionButton>
      }
      caption={t('alerts.people.title')}
      columns={columns}
      rowId={({ mail }) => mail}
      fieldLabel={() => t('alerts.people.column.mail')}
      filters={[
        {
          name: 'informed',
          label: t('alerts.people.informed'),
          options: [
            { value: '', label: t('alerts.people.everyone') },
            { value: 'true', label: t('alerts.people.onlyInformed') },
          ],
          value: list.state.search.informed,
        },
      ]}
    >
      {edited !== undefined && (
        <PersonDialog
          key={edited.person?.mail}
          person={edited.person}
          onClose={() => {
            setEdited(undefined);
            reload();
          }}
        />
      )}
    </ListPage>
  );
}
