import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { csvFile, saveFile } from '../../../api/download.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { formatNumber } from '../../../ui/time/format.ts';

/** A row that was not taken. */
export interface FailedRow {
  readonly row: number;
  readonly serial: string;
  readonly mac: string;
  readonly error: string;
}

export interface ImportOutcome {
  readonly success: number;
  readonly total: number;
  readonly failed: number;
  readonly fail: readonly FailedRow[];
}

const SHOWN = 10;

/** A cell of the report: quoted, and never a formula. */
function cell(text: string): string {
  const safe = /^[\s'"]*[=+\-@＝＋－＠]/u.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

function saveReport(rows: readonly FailedRow[]): void {
  const lines = rows.map(({ row, serial, mac, error }) => [String(row), cell(serial), cell(mac), cell(error)]);
  saveFile(csvFile([['Row', 'SN', 'MAC', 'Error'], ...lines]), 'Devices_error.csv');
}

export interface ImportDialogProps {
  readonly outcome: ImportOutcome;
  /** Why nothing at all was added, in the server's words. */
  readonly reason?: string | undefined;
  readonly onClose: () => void;
}

/** What became of a CSV, row by row; Close leads on to the list (DEV-06). */
export function ImportDialog({ outcome, reason, onClose }: ImportDialogProps): ReactNode {
  const { t } = useTranslation();
  const { success, total, failed, fail } = outcome;
  return (
    <Dialog
      title={t('deviceForms.result.title')}
      onClose={onClose}
      wide
      sticky
      actions={
        <>
          {failed > 0 && <Button onClick={() => saveReport(fail)}>{t('deviceForms.result.report')}</Button>}
          <Button variant="filled" onClick={onClose}>
            {t('ui.close')}
          </Button>
        </>
      }
    >
      {reason !== undefined && <p className="bad">{reason}</p>}
      <p>{t('deviceForms.result.summary', { success: formatNumber(success), total: formatNumber(total) })}</p>
      {failed > 0 && (
        <ul className="import-failures">
          {fail.slice(0, SHOWN).map(({ row, serial, error }) => (
            <li key={row}>
              {t('deviceForms.result.row', { row, serial: serial === '' ? '--' : serial })} <span className="bad">{error}</span>
            </li>
          ))}
          {failed > SHOWN && <li className="dim">{t('ui.dialog.more', { count: failed - SHOWN })}</li>}
        </ul>
      )}
    </Dialog>
  );
}
