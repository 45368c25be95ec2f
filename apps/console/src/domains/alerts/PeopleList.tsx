import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from '#i18n';
import { ListPage } from '../../api/ListPage.tsx';
import { useRoleFor, useSession } from '../../api/session.ts';
import { useAction } from '../../api/useAction.ts';
import { useList } from '../../api/useList.ts';
import { ActionButton, IconButton } from '../../ui/ActionButton.tsx';
import { confirmAction } from '../../ui/dialogs.ts';
import { StatusDot } from '../../ui/StatusDot.tsx';
import type { Column } from '../../ui/table/column.ts';
import { NOT_REPORTED } from '../../ui/time/format.ts';
import { toast } from '../../ui/toasts.ts';
import './alerts.css';
import { peopleList } from './alerts.lists.ts';
import { deletePeople, fetchPeople, type Person } from './people.api.ts';
import { PersonDialog } from './PersonDialog.tsx';
import { PushCard } from './PushCard.tsx';
import { severityTones } from './severity.ts';

/** What it gets whatever rules say, by severity. */
function Severities({ person }: { person: Person }): ReactNode {
  const { t } = useTranslation();
  if (person.severities.length === 0) return <span className="dim">{t('alerts.people.none')}</span>;
  return (
    <span className="alert-state">
      {person.severities.map((severity) => (
        <StatusDot key={severity} tone={severityTones[severity]}>
          {t(`alerts.severity.${severity}`)}
        </StatusDot>
      ))}
    </span>
  );
}

/** 'Mon, Tue 08:00–18:00', or at any time. */
function hoursText({ hours }: Pick<Person, 'hours'>, t: TFunction): string {
  if (hours === null) return t('alerts.people.always');
  const names = (['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const).filter((_, day) => hours.days.includes(day));
  const days = names.length === 7 ? '' : `${names.map((day) => t(`alerts.weekday.${day}`)).join(t('alerts.comma'))} `;
  return `${days}${hours.from}–${hours.until}`;
}

/** 'Mail, 2 browsers'; undefined = nothing is sent whatever rules say. */
function channelsText({ channels, severities, browsers }: Person, t: TFunction): string | undefined {
  if (severities.length === 0) return undefined;
  return channels
    .map((channel) =>
      channel === 'push' ? t('alerts.people.inBrowsers', { count: browsers }) : t(`alerts.people.channel.${channel}`),
    )
    .join(t('alerts.comma'));
}

/** Rules that inform it, or reports that it gets: the first of them, and how many more. */
function Names({ of }: { of: Person['reports'] }): ReactNode {
  const { t } = useTranslation();
  const [first, ...rest] = of;
  if (first === undefined) return <span className="dim">{t('alerts.people.none')}</span>;
  return (
    <span title={of.map(({ name }) => name).join('\n')}>
      {first.name}
      {rest.length > 0 && <span className="dim"> {t('alerts.people.more', { count: rest.length })}</span>}
    </span>
  );
}

interface Acts {
  readonly mayChange: (person: Person) => boolean;
  readonly edit: (person: Person) => void;
  readonly end: (person: Person) => void;
}

function peopleColumns(t: TFunction, { mayChange, edit, end }: Acts): readonly Column<Person>[] {
  return [
    {
      id: 'mail',
      phone: 'title',
      phoneCell: ({ mail, name }) => (name === '' ? mail : name),
      header: t('alerts.people.column.mail'),
      pinned: true,
      width: 215,
      sort: 'mail',
      wrap: true,
      cell: ({ mail, name, role }) => (
        <div className="alert-what">
          <div className="strong">{name === '' ? mail : name}</div>
          {name !== '' && <div className="dim">{mail}</div>}
          <div className="dim">{role === null ? t('alerts.people.outside') : t(`alerts.people.role.${role}`)}</div>
        </div>
      ),
    },
    {
      id: 'severities',
      phone: 'state',
      phoneCell: (person) => person.severities.length > 0 && <Severities person={person} />,
      header: t('alerts.people.column.severities'),
      width: 150,
      cell: (person) => <Severities person={person} />,
    },
    {
      id: 'hours',
      header: t('alerts.people.column.hours'),
      width: 130,
      cell: (person) => (person.severities.length === 0 ? <span className="dim">{NOT_REPORTED}</span> : hoursText(person, t)),
    },
    {
      id: 'channels',
      phone: 'line',
      phoneCell: (person) => channelsText(person, t),
      header: t('alerts.people.column.channels'),
      width: 135,
      wrap: true,
      cell: (person) => channelsText(person, t) ?? <span className="dim">{NOT_REPORTED}</span>,
    },
    {
      id: 'rules',
      phone: 'line',
      wrap: true,
      header: t('alerts.people.column.rules'),
      width: 165,
      grow: true,
      cell: ({ rules }) => <Names of={rules} />,
    },
    {
      id: 'events',
      header: t('alerts.people.column.events'),
      width: 110,
      cell: ({ events }) =>
        events.length === 0 ? (
          <span className="dim">{t('alerts.people.none')}</span>
        ) : (
          <Link to="/devices/service/noitify" search={{}}>
            {t('alerts.people.events', { count: events.length })}
          </Link>
        ),
    },
    {
      id: 'reports',
      phone: 'line',
      phoneCell: ({ reports }) => reports.length > 0 && <Names of={reports} />,
      wrap: true,
      header: t('alerts.people.column.reports'),
      width: 130,
      cell: ({ reports }) =>
        reports.length === 0 ? (
          <span className="dim">{t('alerts.people.none')}</span>
        ) : (
          <Link to="/summaries" search={{}}>
            <Names of={reports} />
          </Link>
        ),
    },
    {
      id: 'acts',
      phone: 'aside',
      header: t('alerts.people.column.acts'),
      width: 80,
      cell: (person) =>
        mayChange(person) && (
          <span className="alert-state">
            <IconButton
              label={t('alerts.people.editOf', { mail: person.mail })}
              icon={<IconPencil size={16} />}
              onClick={() => edit(person)}
            />
            {person.severities.length > 0 && (
              <IconButton
                label={t('alerts.people.endOf', { mail: person.mail })}
                icon={<IconTrash size={16} />}
                onClick={() => end(person)}
              />
            )}
          </span>
        ),
    },
  ];
}

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
        <Link to="/alerts" search={{}}>
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
