import { logs } from '@highline/contract';
import { IconVideo } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from '#i18n';
import type { ListFile } from '../../api/DownloadButton.tsx';
import { ListBar, ListDownload } from '../../api/ListBar.tsx';
import { ListPage } from '../../api/ListPage.tsx';
import { filterOf } from '../../api/ListTools.tsx';
import { useSession } from '../../api/session.ts';
import { useList } from '../../api/useList.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { DateField } from '../../ui/form/DateField.tsx';
import { useSelection } from '../../ui/list/useSelection.ts';
import { dayIn, isoFromDay, untilToday } from '../../ui/time/format.ts';
import { useNow } from '../../ui/time/now.ts';
import { useZone } from '../../ui/time/zone.ts';
import { EntryDialog } from './EntryDialog.tsx';
import { logColumns } from './log-columns.tsx';
import { fetchLog, fetchLogFile, type LogEntry, type LogSearch, peopleQuery } from './logs.api.ts';
import { logList, organizationLogList } from './logs.lists.ts';
import './logs.css';

const idOf = (entry: LogEntry) => String(entry.seq);
const nameOf = ({ email, subject }: LogEntry) => `${email}: ${subject}`;

function ChosenDays({ search, change }: { search: LogSearch; change: (part: Partial<LogSearch>) => void }): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  const today = dayIn(useNow(), zone);
  const [from = '', until = ''] = [untilToday(search.from, zone), untilToday(search.until, zone)];
  // ISO days compare as text.
  const isReversed = isoFromDay(until) !== '' && isoFromDay(until) < isoFromDay(from);
  // What is no day changes nothing: the list keeps the one it has.
  const take = (part: 'from' | 'until') => (day: string, problem?: string) =>
    problem === undefined && change({ [part]: day === '' ? undefined : day });
  return (
    <fieldset className="log-days" aria-label={t('logs.chosenDays')}>
      <DateField label={t('logs.from')} value={from} to={today} onChange={take('from')} />
      <DateField
        label={t('logs.until')}
        value={until}
        to={today}
        error={isReversed && t('logs.reversed')}
        onChange={take('until')}
      />
    </fieldset>
  );
}

/**
 * /logs: who did what, from where, newest first (LOG-01).
 * @param org as a part of the page of this organization of a main account (ATT-03)
 */
export function LogList({ org }: { org?: string }): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  const { role } = useSession();
  const [opened, setOpened] = useState<LogEntry>();
  const columns = useMemo(() => logColumns(t, setOpened), [t]);
  const list = useList({
    spec: org === undefined ? logList : organizationLogList,
    topics: ['logs'],
    key: [zone, org],
    fetchPage: (query, signal) => fetchLog({ ...query, zone, org }, signal),
  });
  const { search, change } = list.state;
  const selection = useSelection(idOf, undefined, 'always', nameOf);
  const file: ListFile<typeof list.spec> = {
    name: 'Logs_export.csv',
    columns: { id: logList.id, columns, known: logs.logColumns },
    fetch: (query) => fetchLogFile({ ...query, zone, org }),
  };
  const { data: people = [] } = useQuery(peopleQuery(org));
  const emails = search.person === undefined || people.includes(search.person) ? people : [search.person, ...people];
  return (
    <ListPage
      list={list}
      isPart={org !== undefined}
      title={t('logs.title')}
      count={(count, shown) => t('logs.count', { count, shown })}
      actions={
        <>
          {org === undefined && role === 'admin' && (
            <Button
              leftSection={<IconVideo size={16} />}
              renderRoot={(props) => <Link to="/recordings" search={{}} {...props} />}
            >
              {t('logs.recordings')}
            </Button>
          )}
          <ListDownload list={list} file={file} />
        </>
      }
      caption={t('logs.caption')}
      columns={columns}
      rowId={idOf}
      selection={selection}
      bar={<ListBar list={list} selection={selection} file={file} />}
      fieldLabel={(field) => t(`logs.field.${field}`)}
      filters={[
        filterOf(list, 'span', {
          label: t('logs.date'),
          all: t('logs.span.all'),
          of: (span) => t(`logs.span.${span}`),
        }),
        {
          name: 'person',
          label: t('logs.person'),
          value: search.person,
          options: [{ value: '', label: t('logs.allPeople') }, ...emails.map((email) => ({ value: email, label: email }))],
        },
        filterOf(list, 'kind', {
          label: t('logs.kind'),
          all: t('logs.allKinds'),
          of: (kind) => t(`logs.kinds.${kind}`),
        }),
        { name: 'entry', label: t('logs.entry'), options: [], value: search.entry },
      ]}
      onFilter={(name, value) =>
        name === 'span'
          ? change({ span: value as typeof search.span, from: undefined, until: undefined })
          : change({ [name]: value })
      }
      below={search.span === 'custom' && <ChosenDays search={search} change={change} />}
    >
      {opened !== undefined && <EntryDialog entry={opened} onClose={() => setOpened(undefined)} />}
    </ListPage>
  );
}
