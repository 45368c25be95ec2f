import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import './device-add.css';
import type { ImportOutcome } from './errors.ts';

const SHOWN = 10;

/** The first CSV rows that were rejected, by their row number in the spreadsheet, with the reason. */
export function FailedRows({ outcome: { fail, failed } }: { outcome: ImportOutcome }): ReactNode {
  const { t } = useTranslation();
  if (failed === 0) return null;
  return (
    <ul className="import-failures">
      {fail.slice(0, SHOWN).map(({ row, serial, error }) => (
        <li key={row}>
          {t('deviceForms.result.row', { row, serial: serial === '' ? '--' : serial })}
          <span className="bad">{error}</span>
        </li>
      ))}
      {failed > SHOWN && <li className="dim">{t('ui.dialog.more', { count: failed - SHOWN })}</li>}
    </ul>
  );
}
