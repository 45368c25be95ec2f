import { IconPencil, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { IconButton } from '../../ui/ActionButton.tsx';
import { StatusDot } from '../../ui/StatusDot.tsx';
import type { Column } from '../../ui/table/column.ts';
import { NOT_REPORTED } from '../../ui/time/format.ts';
import type { Person } from './people.api.ts';
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
  const days = names.length === 7 ? '' : `${names.map((day) => t(`alerts.weekday.${day}`)).join(t('ui.between'))} `;
  return `${days}${hours.from}–${hours.until}`;
}

/** 'Mail, 2 browsers'; undefined = nothing is sent whatever rules say. */
function channelsText({ channels, severities, browsers }: Person, t: TFunction): string | undefined {
  if (severities.length === 0) return undefined;
  return channels
    .map((channel) =>
      channel === 'push' ? t('alerts.people.inBrowsers', { count: browsers }) : t(`alerts.people.channel.${channel}`),
    )
    .join(t('ui.between'));
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

export function peopleColumns(t: TFunction, { mayChange, edit, end }: Acts): readonly Column<Person>[] {
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
