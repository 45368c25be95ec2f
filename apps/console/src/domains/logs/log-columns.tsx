import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import type { Column } from '../../ui/table/column.ts';
import { DateTime } from '../../ui/time/RelativeTime.tsx';
import { formatNumber } from '../../ui/time/format.ts';
import { cutAction } from './entry.ts';
import type { LogEntry } from './logs.api.ts';
import { useActionText } from './sentence.ts';

/** The action, shortened to fit a row; a click shows the full text and the changes (LOG-01). */
function Action({ entry, onOpen }: { entry: LogEntry; onOpen: (entry: LogEntry) => void }): ReactNode {
  const { t } = useTranslation();
  const action = useActionText();
  return (
    <button type="button" className="link log-action" title={t('logs.showWhole')} onClick={() => onOpen(entry)}>
      {cutAction(action(entry))}
    </button>
  );
}

export function logColumns(t: TFunction, onOpen: (entry: LogEntry) => void): readonly Column<LogEntry>[] {
  const number: Column<LogEntry> = { id: 'number', header: '#', width: 72, numeric: true, cell: ({ seq }) => formatNumber(seq) };
  const time: Column<LogEntry> = {
    id: 'time',
    header: t('logs.column.time'),
    width: 190,
    sort: 'time',
    pinned: true,
    phone: 'line',
    cell: ({ timestamp }) => <DateTime moment={timestamp} />,
  };
  const user: Column<LogEntry> = {
    id: 'user',
    header: t('logs.column.user'),
    width: 260,
    phone: 'line',
    cell: ({ email, key, with: others }) => (
      <>
        {email}
        {key !== null && <span className="dim"> {t('logs.byKey', { key })}</span>}
        {others.map(({ as, email: other }) => (
          <span key={as} className="dim">
            {' '}
            {t(`logs.with.${as}`, { email: other })}
          </span>
        ))}
      </>
    ),
  };
  const ip: Column<LogEntry> = {
    id: 'ip',
    header: t('logs.column.ip'),
    width: 150,
    cell: (entry) => <span className="mono">{entry.ip}</span>,
  };
  const action: Column<LogEntry> = {
    id: 'action',
    header: t('logs.column.action'),
    width: 420,
    phone: 'title',
    cell: (entry) => <Action entry={entry} onOpen={onOpen} />,
  };
  return [number, time, user, ip, action];
}
