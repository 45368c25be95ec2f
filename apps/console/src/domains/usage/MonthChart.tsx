import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useErrorText } from '../../api/useErrorText.ts';
import { formatBytes } from '../../ui/bytes.ts';
import { useLanguage } from '../../ui/language.ts';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { monthQuery, type UsageCycle, type UsageMonth } from './usage.api.ts';
import './usage.css';

/** This month or the last by day, next to the month before (USE-02): of all that is in view, or of a device. */
export function MonthChart({
  org,
  device,
  cycle = 'current',
}: {
  org?: string | undefined;
  device?: string | undefined;
  cycle?: UsageCycle | undefined;
}): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const query = useQuery(
    monthQuery({
      ...(org !== undefined && { org }),
      ...(device !== undefined && { device }),
      ...(cycle !== 'current' && { cycle }),
    }),
  );
  const title = t(`usage.month.title.${cycle}`);
  return (
    <section className="card panel usage-month" aria-label={title}>
      {query.data === undefined ? (
        query.error === null ? (
          <Skeleton lines={6} />
        ) : (
          <ErrorState text={errorText(query.error)} onRetry={() => void query.refetch()} />
        )
      ) : (
        <Month month={query.data} title={title} isCurrent={cycle === 'current'} />
      )}
    </section>
  );
}

function Month({ month, title, isCurrent }: { month: UsageMonth; title: string; isCurrent: boolean }): ReactNode {
  const { t } = useTranslation();
  const language = useLanguage();
  const nameOf = (iso: string) =>
    new Intl.DateTimeFormat(language, { year: 'numeric', month: 'long', timeZone: 'UTC' }).format(new Date(iso));
  const [thisMonth, monthBefore] = [nameOf(month.month), nameOf(dayBefore(month.month))];
  const { days, sent, received, before, beforeToDate, today } = month;
  const day = Number(today.slice(8));
  const most = Math.max(...days.map((each) => Math.max(each.sent + each.received, each.before ?? 0)));
  return (
    <>
      <div className="usage-month__head">
        <h2>{title}</h2>
        <p className="usage-month__sum">
          <strong>{formatBytes(sent + received)}</strong>{' '}
          <span className="dim">
            {isCurrent && `${t('usage.month.toDate', { bytes: formatBytes(beforeToDate), month: monthBefore })} · `}
            {t('usage.month.whole', { bytes: formatBytes(before), month: monthBefore })}
          </span>
        </p>
        <p className="usage-month__legend">
          <span>
            <i data-of="this" aria-hidden="true" /> {thisMonth}
          </span>
          <span>
            <i data-of="last" aria-hidden="true" /> {monthBefore}
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
                <div key={each.day} className="usage-month__day" data-today={isCurrent && each.day === day} title={title}>
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
                    <th scope="col">{thisMonth}</th>
                    <th scope="col">{monthBefore}</th>
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

const dayBefore = (iso: string) => new Date(Date.parse(iso) - 86_400_000).toISOString();
