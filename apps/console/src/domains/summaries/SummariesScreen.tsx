import { summaries } from '@highline/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { saveFile } from '../../api/download.ts';
import { useSession } from '../../api/session.ts';
import { useAction } from '../../api/useAction.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { NativeSelect } from '../../ui/controls/TextInput.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { useLanguage } from '../../ui/language.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { useZone } from '../../ui/time/zone.ts';
import { daysOf } from '../../ui/time/period.ts';
import { SavedSummaries } from './SavedSummaries.tsx';
import { fetchSummaryFile, previewQuery } from './summaries.api.ts';
import './summaries.css';

const periods = ['last-month', 'month', '7', '30'] as const;

/** /summaries: a report about a period, as a page, a file, or by mail (RPM-01 to RPM-03). */
export function SummariesScreen(): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const language = useLanguage();
  const zone = useZone();
  const { role } = useSession();
  const navigate = useNavigate({ from: '/summaries' });
  const search = useSearch({ from: '/signed-in/summaries' });
  const { kind = 'data-use', period = 'last-month' } = search;
  const [now] = useState(() => Date.now());
  const query = { kind, ...daysOf(period === '30' ? undefined : period, now, zone), zone, language };
  const preview = useQuery(previewQuery(query));
  const download = useAction<summaries.SummaryFormat, Blob>({
    run: (format) => fetchSummaryFile({ ...query, format }),
    onDone: (file, format) => saveFile(file, `${kind}_${query.from}_${query.until}.${format}`),
  });
  const choose = (part: typeof search) => void navigate({ to: '.', search: { ...search, ...part }, replace: true });
  return (
    <div className="page">
      <PageHeader title={t('summaries.title')} />
      <section className="card panel">
        <div className="summary-bar">
          <NativeSelect
            label={t('summaries.kindLabel')}
            data={summaries.summaryKinds.map((value) => ({ value, label: t(`summaries.kind.${value}`) }))}
            value={kind}
            onChange={(event) => choose({ kind: event.currentTarget.value as summaries.SummaryKind })}
          />
          <NativeSelect
            label={t('summaries.periodLabel')}
            data={periods.map((value) => ({ value, label: t(`summaries.period.${value}`) }))}
            value={period}
            onChange={(event) => choose({ period: event.currentTarget.value as (typeof periods)[number] })}
          />
          <div className="summary-actions" role="group" aria-label={t('summaries.file.label')}>
            {summaries.summaryFormats.map((format) => (
              <Button
                key={format}
                variant={format === 'pdf' ? 'filled' : 'default'}
                loading={download.busy}
                onClick={() => download.run(format)}
              >
                {t(`summaries.file.${format}`)}
              </Button>
            ))}
          </div>
        </div>
        {preview.data === undefined ? (
          preview.error === null ? (
            <p className="dim" aria-busy="true">
              {t('summaries.loading')}
            </p>
          ) : (
            <ErrorState text={errorText(preview.error)} onRetry={() => void preview.refetch()} />
          )
        ) : (
          <Preview summary={preview.data} />
        )}
      </section>
      {role !== 'user' && <SavedSummaries kind={kind} />}
    </div>
  );
}

/** The first rows, as the files have them. */
function Preview({ summary: { title, lines, columns, rows, isCut } }: { readonly summary: summaries.Summary }): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <h2>{title}</h2>
      <p className="dim">{lines.join(' · ')}</p>
      {rows.length === 0 ? (
        <p>{t('summaries.nothing')}</p>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard
        <div className="summary-table" tabIndex={0} role="region" aria-label={title}>
          <table>
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column.title} scope="col" data-number={column.isNumber || undefined}>
                    {column.title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, index) => (
                <tr key={index}>
                  {row.map((cell, at) => (
                    <td key={at} data-number={columns[at]?.isNumber || undefined}>
                      {cell}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {isCut && <p className="dim">{t('summaries.first', { shown: rows.length })}</p>}
    </>
  );
}
