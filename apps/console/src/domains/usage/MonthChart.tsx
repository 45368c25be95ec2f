import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../api/useErrorText.ts';
import { formatBytes } from '../../ui/bytes.ts';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { monthQuery, type UsageMonth } from './usage.api.ts';
import './usage.css';

/** This month by day next to the last one (USE-02): of all that is in view, or of a device. */
export function MonthChart({ org, device }: { org?: string | undefined; device?: string | undefined }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const query = useQuery(monthQuery({ ...(org !== undefined && { org }), ...(device !== undefined && { device }) }));
  return (
    <section className="card panel usage-month" aria-label={t('usage.month.title')}>
      {query.data === undefined ? (
        query.error === null ? (
          <Skeleton lines={6} />
        ) : (
          <ErrorState text={errorText(query.error)} onRetry={() => void query.refetch()} />
        )
      ) : (
        <Month month={query.data} />
      )}
    </section>
  );
}

function Month({ month }: { month: UsageMonth }): ReactNode {
  const { t } = useTranslation();
  const { days, sent, received, before, beforeToDate, today } = month;
  const day = Number(today.slice(8));
  const most = Math.max(...days.map((each) => Math.max(each.sent + each.received, each.before ?? 0)));
  return (
    <>
      <div className="usage-month__head">
        <h2>{t('usage.month.title')}</h2>
        <p className="usage-month__sum">
          <strong>{formatBytes(sent + received)}</strong>{' '}
          <span className="dim">
            {t('usage.month.toDate', { bytes: formatBytes(beforeToDate) })} ·{' '}
            {t('usage.month.whole', { bytes: formatBytes(before) })}
          </span>
        </p>
        <p className="usage-month__legend">
          <span>
            <i data-of="this" aria-hidden="true" /> {t('usage.month.this')}
          </span>
          <span>
            <i data-of="last" aria-hidden="true" /> {t('usage.month.last')}
          </span>
        </p>
      </div>
      {most === 0 ? (
        <EmptyState text={t('usage.month.none')} />
      ) : (
        <>
          <p className="dim usage-month__unit">{t('usage.month.unit')}</p>
          <div className="usage-month__plot" aria-hidden="true">
            <span className="usage-month__most">{formatBytes(most)}</span>
            {days.map((each) => {
              const total = each.sent + each.received;
              const title = `${each.day}: ${formatBytes(total)} / ${each.before === null ? '--' : formatBytes(each.before)}`;
              return (
                <div key={each.day} className="usage-month__day" data-today={each.day === day} title={title}>
                  <i data-of="last" style={{ height: `${((each.before ?? 0) / most) * 100}%` }} />
                  <i data-of="this" style={{ height: `${(total / most) * 100}%` }} />
                  <span>{each.day === 1 || each.day % 5 === 0 ? each.day : ''}</span>
                </div>
              );
            })}
          </div>
          <details className="usage-month__table">
            <summary>{t('usage.month.table')}</summary>
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling table must be reachable by keyboard */}
            <div tabIndex={0} role="group" aria-label={t('usage.month.table')}>
              <table>
                <thead>
                  <tr>
                    <th scope="col">{t('usage.month.day')}</th>
                    <th scope="col">{t('usage.column.sent')}</th>
                    <th scope="col">{t('usage.column.received')}</th>
                    <th scope="col">{t('usage.month.this')}</th>
                    <th scope="col">{t('usage.month.last')}</th>
                  </tr>
                </thead>
                <tbody>
                  {days.map((each) => (
                    <tr key={each.day}>
                      <th scope="row">{each.day}</th>
                      <td>{formatBytes(each.sent)}</td>
                      <td>{formatBytes(each.received)}</td>
                      <td>{formatBytes(each.sent + each.received)}</td>
                      <td>{each.before === null ? '--' : formatBytes(each.before)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </details>
        </>
      )}
    </>
  );
}
