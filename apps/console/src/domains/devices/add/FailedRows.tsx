import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import './device-add.css';
import type { ImportOutcome } from './outcome.ts';

const SHOWN = 10;

/** The first rows of a CSV that were not taken, by their number in the spreadsheet, and why. */
export function FailedRows({ outcome: { fail, failed } }: { outcome: ImportOutcome }): ReactNode {
  const { t } = useTranslation();
  if (failed === 0) return null;
  return (
    <ul className="import-failures">
      {fail.slice(0, SHOWN).map(({ row, serial, error }) => (
        <li key={row}>
          {t('deviceForms.result.row', { row, serial: serial === '' ? '--' : serial })} <span className="bad">{error}</span>
        </li>
      ))}
      {failed > SHOWN && <li className="dim">{t('ui.dialog.more', { count: failed - SHOWN })}</li>}
    </ul>
  );
}
