import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Button } from '../../ui/controls/Button.tsx';
import type { TFunction } from 'i18next';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from '#i18n';
import { useAction } from '../../api/useAction.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { pageCount } from '../../ui/list/paging.ts';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { SelectionBar } from '../../ui/list/SelectionBar.tsx';
import { useSelection } from '../../ui/list/useSelection.ts';
import type { Column } from '../../ui/table/column.ts';
import { usePreferredSize } from '../../ui/preferences.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { formatNumber } from '../../ui/time/format.ts';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { toast } from '../../ui/toasts.ts';
import { sendAgain, type UndeliveredMail, undeliveredQuery } from './notifications.api.ts';
import { reasonOf } from './undelivered-reason.ts';

const SIZE = 5;
const idOf = ({ id }: UndeliveredMail) => id;
/** Those that can be sent again: of a returned one, the text is gone. */
const sendable = (rows: Iterable<UndeliveredMail>) => [...rows].filter(({ returned }) => !returned).map(idOf);
const nameOf = ({ mail, subject }: UndeliveredMail) => `${mail}: ${subject}`;

/** The reason for the admin, and below it the mail server's message, for its operator. */
function Reason({ response }: { response: string }): ReactNode {
  const { t } = useTranslation();
  return (
    <div className="undelivered__reason">
      {t(`notifications.undelivered.because.${reasonOf(response)}`)}
      {response !== '' && (
        <div className="dim undelivered__answer" title={response}>
          {response}
        </div>
      )}
    </div>
  );
}

function mailColumns(t: TFunction, again: (id: string) => void): readonly Column<UndeliveredMail>[] {
  return [
    { id: 'to', header: t('notifications.undelivered.to'), pinned: true, width: 240, phone: 'title', cell: ({ mail }) => mail },
    {
      id: 'subject',
      header: t('notifications.undelivered.subject'),
      width: 280,
      phone: 'line',
      cell: ({ subject }) => subject,
    },
    {
      id: 'reason',
      phone: 'line',
      phoneCell: ({ reason }) => t(`notifications.undelivered.because.${reasonOf(reason)}`),
      header: t('notifications.undelivered.reason'),
      width: 320,
      grow: true,
      wrap: true,
      cell: ({ reason }) => <Reason response={reason} />,
    },
    {
      id: 'attempts',
      header: t('notifications.undelivered.attempts'),
      width: 100,
      numeric: true,
      cell: ({ attempts }) => formatNumber(attempts),
    },
    {
      id: 'created',
      phone: 'aside',
      header: t('notifications.undelivered.created'),
      width: 130,
      cell: ({ created }) => <RelativeTime moment={created} />,
    },
    {
      id: 'again',
      header: t('notifications.column.actions'),
      width: 150,
      wrap: true,
      cell: ({ id, mail, returned }) =>
        returned ? (
          <span className="dim">{t('notifications.undelivered.returned')}</span>
        ) : (
          <Button size="xs" aria-label={t('notifications.undelivered.againTo', { mail })} onClick={() => again(id)}>
            {t('notifications.undelivered.again')}
          </Button>
        ),
    },
  ];
}

/** Undelivered emails, why they failed, and a button to retry them; for admins. */
export function Undelivered(): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const errorText = useErrorText();
  const preferred = usePreferredSize();
  const [paging, setPaging] = useState({ page: 1, size: preferred ?? SIZE });
  const query = useQuery(undeliveredQuery(paging.page, paging.size));
  const selection = useSelection(idOf, undefined, 'always', nameOf);
  const { run, busy } = useAction<readonly string[], number>({
    run: sendAgain,
    onDone: (count) => {
      toast(t('notifications.undelivered.done', { count }));
      selection.leave();
      void client.invalidateQueries({ queryKey: ['notifications', 'undelivered'] });
    },
  });
  const columns = useMemo(() => mailColumns(t, (id) => run([id])), [t, run]);
  const chosen = sendable(selection.selected.values());
  const rows = query.data?.rows;
  const total = query.data?.total ?? 0;
  // The emails of the last page were sent again: show the previous page.
  const last = pageCount(total, paging.size);
  if (rows !== undefined && !query.isPlaceholderData && total > 0 && paging.page > last) setPaging({ ...paging, page: last });

  return (
    <div className="undelivered">
      <div className="undelivered__head">
        <div>
          <h2>{t('notifications.undelivered.title')}</h2>
          <p className="dim">{t('notifications.undelivered.hint')}</p>
        </div>
        {rows !== undefined && sendable(rows).length > 1 && (
          <Button loading={busy} onClick={() => run(sendable(rows))}>
            {t('notifications.undelivered.all')}
          </Button>
        )}
      </div>
      {rows === undefined && query.error !== null && (
        <div className="card">
          <ErrorState text={errorText(query.error)} onRetry={() => void query.refetch()} />
        </div>
      )}
      {rows !== undefined && total === 0 && (
        <div className="card">
          <EmptyState text={t('notifications.undelivered.none')} />
        </div>
      )}
      {rows !== undefined && total > 0 && (
        <DataTable
          id="undelivered"
          caption={t('notifications.undelivered.title')}
          columns={columns}
          rowId={idOf}
          source={{
            rows,
            total,
            fetching: query.isFetching,
            error: query.error === null ? undefined : errorText(query.error),
            retry: () => void query.refetch(),
          }}
          selection={selection}
          bar={
            selection.selected.size > 0 && (
              <SelectionBar label={t('ui.selection.label')} count={selection.selected.size} onClear={selection.leave}>
                {chosen.length > 0 && (
                  <Button loading={busy} onClick={() => run(chosen)}>
                    {t('notifications.undelivered.again')}
                  </Button>
                )}
              </SelectionBar>
            )
          }
          view={{ ...paging, sort: undefined }}
          defaultSize={SIZE}
          onView={({ page = 1, size = paging.size }) => setPaging({ page, size })}
        />
      )}
    </div>
  );
}
