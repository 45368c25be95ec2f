import { separators, sumsOfKind, type Separator, type SummaryKind, summaries } from '@highline/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { saveFile } from '../../api/download.ts';
import { useRoleFor } from '../../api/session.ts';
import { useAction } from '../../api/useAction.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { NativeSelect } from '../../ui/controls/TextInput.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { useLanguage } from '../../ui/language.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { useZone } from '../../ui/time/zone.ts';
import { daysOf, type Days } from '../../ui/time/period.ts';
import { DateField } from '../../ui/form/DateField.tsx';
import { dayFromIso, isoFromDay } from '../../ui/time/format.ts';
import { NotSent, SavedSummaries } from './SavedSummaries.tsx';
import { chooseSeparator, useSeparator } from './separator.ts';
import { ColumnsField, ofKind, SummaryChoices, type SummaryChoice } from './SummaryChoices.tsx';
import type { SummarySearch } from './search.ts';
import { ReportSettingsDialog } from './ReportSettingsDialog.tsx';
import { fetchSummaryFile, previewQuery, settingsQuery } from './summaries.api.ts';
import './summaries.css';

const periods = ['last-month', 'month', 'last-week', '7', '30', 'dates'] as const;

/** /summaries: a report about a period, as a page, a file, or by mail (RPM-01 to RPM-03). */
export function SummariesScreen(): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const language = useLanguage();
  const zone = useZone();
  const role = useRoleFor('summaries');
  const navigate = useNavigate({ from: '/summaries' });
  const search = useSearch({ from: '/signed-in/summaries' });
  const { kind = 'data-use', period = 'last-month', columns } = search;
  const [now] = useState(() => Date.now());
  const separator = useSeparator();
  const days = periodOf(search, now, zone);
  const choice: SummaryChoice = { ...allowed(search, kind), columns: columns?.split(',') };
  const query = { ...given({ ...choice, columns }), kind, ...days, zone, language };
  // ISO days compare as text.
  const reversed = days.until < days.from ? t('summaries.reversed') : undefined;
  const preview = useQuery({ ...previewQuery(query), enabled: reversed === undefined });
  const download = useAction<summaries.SummaryFormat, Blob>({
    run: (format) => fetchSummaryFile({ ...query, format, ...(format === 'csv' && { separator }) }),
    onDone: (file, format) => saveFile(file, `${kind}_${query.from}_${query.until}.${format}`),
  });
  /** Why what was typed is no day. */
  const [invalid, setInvalid] = useState<{ readonly from?: string | undefined; readonly until?: string | undefined }>({});
  const choose = (part: typeof search) => void navigate({ to: '.', search: { ...search, ...part }, replace: true });
  const chooseWhat = ({ columns: chosen, ...what }: SummaryChoice) =>
    choose({ sumBy: undefined, group: undefined, carrier: undefined, tag: undefined, ...what, columns: chosen?.join(',') });
  return (
    <div className="page">
      <PageHeader title={t('summaries.title')} {...(role === 'admin' && { actions: <SettingsButton /> })} />
      {role !== 'user' && <NotSent />}
      <section className="card panel">
        <div className="summary-bar">
          <SummaryChoices choice={choice} onChange={chooseWhat} />
          <NativeSelect
            label={t('summaries.periodLabel')}
            data={periods.map((value) => ({ value, label: t(`summaries.period.${value}`) }))}
            value={period}
            onChange={(event) => {
              choose({ ...days, period: event.currentTarget.value as (typeof periods)[number] });
              setInvalid({});
            }}
          />
          {period === 'dates' && (
            <>
              <DateField
                label={t('summaries.from')}
                value={dayFromIso(days.from)}
                onChange={(day, problem) => {
                  choose({ from: isoFromDay(day) || days.from });
                  setInvalid({ ...invalid, from: problem });
                }}
              />
              <DateField
                label={t('summaries.until')}
                value={dayFromIso(days.until)}
                error={reversed}
                onChange={(day, problem) => {
                  choose({ until: isoFromDay(day) || days.until });
                  setInvalid({ ...invalid, until: problem });
                }}
              />
            </>
          )}
          <NativeSelect
            label={t('summaries.separatorLabel')}
            data={separators.map((value) => ({ value, label: t(`summaries.separator.${value}`) }))}
            value={separator}
            onChange={(event) => chooseSeparator(event.currentTarget.value as Separator)}
          />
          <div className="summary-actions" role="group" aria-label={t('summaries.file.label')}>
            {summaries.summaryFormats.map((format) => (
              <ActionButton
                key={format}
                variant={format === 'pdf' ? 'filled' : 'default'}
                loading={download.busy}
                disabledReason={invalid.from ?? invalid.until ?? reversed}
                onClick={() => download.run(format)}
              >
                {t(`summaries.file.${format}`)}
              </ActionButton>
            ))}
          </div>
        </div>
        {preview.data !== undefined && (
          <ColumnsField
            all={preview.data.allColumns}
            value={choice.columns}
            onChange={(chosen) => chooseWhat({ ...choice, columns: chosen })}
          />
        )}
        {reversed !== undefined ? null : preview.data === undefined ? (
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
      {role !== 'user' && <SavedSummaries choice={choice} />}
    </div>
  );
}

function SettingsButton(): ReactNode {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const settings = useQuery(settingsQuery);
  return (
    <>
      <Button onClick={() => setOpen(true)} disabled={settings.data === undefined}>
        {t('summaries.settings.open')}
      </Button>
      {isOpen && settings.data !== undefined && <ReportSettingsDialog settings={settings.data} onClose={() => setOpen(false)} />}
    </>
  );
}

/** The days of the address; the last 30 of dates that are not complete. */
function periodOf({ period = 'last-month', from, until }: SummarySearch, now: number, zone: string): Days {
  if (period === 'dates' && from !== undefined && until !== undefined) return { from, until };
  return daysOf(period === '30' || period === 'dates' ? undefined : period, now, zone);
}

/** What of an address the kind has: the address of another page can name anything. */
function allowed({ group, carrier, tag, sumBy }: SummarySearch, kind: SummaryKind): SummaryChoice {
  const isSum = sumBy !== undefined && sumsOfKind[kind]?.includes(sumBy) === true;
  return { ...ofKind({ kind, group, carrier, tag }, kind), ...(isSum && { sumBy }) };
}

type Given<Values> = { readonly [Key in keyof Values]?: Exclude<Values[Key], undefined> };

/** The values that are given. */
const given = <Values extends object>(values: Values): Given<Values> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<Values>;

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
