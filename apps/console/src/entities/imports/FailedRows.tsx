import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useMessageText } from '../../api/useErrorText.ts';
import { formatNumber } from '../../ui/time/format.ts';
import './imports.css';
import type { ImportOutcome } from './outcome.ts';

const SHOWN = 10;

/** The first CSV rows that were rejected, by their row number in the spreadsheet, with the reason. */
export function FailedRows({ outcome }: { outcome: ImportOutcome }): ReactNode {
  const { t } = useTranslation();
  const messageText = useMessageText();
  const { fail, failed } = outcome;
  if (failed === 0) return null;
  return (
    <>
      <ul className="import-failures">
        {fail.slice(0, SHOWN).map(({ row, serial, error }) => (
          <li key={row}>
            {t('deviceForms.result.row', { row, serial: serial === '' ? '--' : serial })}
            <span className="bad">{messageText(error)}</span>
          </li>
        ))}
        {failed > SHOWN && <li className="dim">{t('ui.dialog.more', { count: failed - SHOWN })}</li>}
      </ul>
      <ReportLimit outcome={outcome} />
    </>
  );
}

/** Says that the report does not have all rows that failed. */
export function ReportLimit({ outcome: { failed, reported } }: { outcome: ImportOutcome }): ReactNode {
  const { t } = useTranslation();
  if (reported >= failed) return null;
  return (
    <p className="dim">
      {t('deviceForms.result.reportLimit', { reported: formatNumber(reported), failed: formatNumber(failed) })}
    </p>
  );
}
