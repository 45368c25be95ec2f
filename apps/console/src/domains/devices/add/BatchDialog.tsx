import { Button } from '../../../ui/controls/Button.tsx';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { Dialog } from '../../../ui/Dialog.tsx';
import { formatNumber } from '../../../ui/time/format.ts';
import type { BatchRow } from './device-add.api.ts';
import '../../../entities/imports/imports.css';

/** The rows shown of a batch: its first ones and the last one. */
const SHOWN = 8;

export interface BatchDialogProps {
  readonly rows: readonly BatchRow[];
  /** It is another one than the user has confirmed. */
  readonly isChanged: boolean;
  readonly busy: boolean;
  readonly onCreate: () => void;
  readonly onClose: () => void;
}

/** Which router gets which name, before a batch is created (OLD-04). */
export function BatchDialog({ rows, isChanged, busy, onCreate, onClose }: BatchDialogProps): ReactNode {
  const { t } = useTranslation();
  const left = Math.max(rows.length - SHOWN - 1, 0);
  const shown = left === 0 ? rows : rows.slice(0, SHOWN);
  const last = left === 0 ? undefined : rows.at(-1);
  const line = (row: BatchRow) => (
    <tr key={row.serial_number}>
      <td className="template-table__name">{row.vehicle_number}</td>
      <td className="mono">{row.serial_number}</td>
      <td className="mono">{row.mac}</td>
    </tr>
  );
  return (
    <Dialog
      title={t('deviceForms.batch.title', { count: rows.length, number: formatNumber(rows.length) })}
      onClose={onClose}
      wide
      sticky
      actions={
        <>
          <Button disabled={busy} onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button variant="filled" loading={busy} onClick={onCreate}>
            {t('deviceForms.batch.create', { count: rows.length, number: formatNumber(rows.length) })}
          </Button>
        </>
      }
    >
      {isChanged && (
        <p className="note" role="alert">
          {t('deviceForms.batch.changed')}
        </p>
      )}
      <p>{t('deviceForms.batch.plan')}</p>
      <div className="template-table">
        <table>
          <thead>
            <tr>
              {(['vehicle', 'serial', 'mac'] as const).map((column) => (
                <th key={column} scope="col">
                  {t(`deviceForms.batch.columns.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(line)}
            {last !== undefined && (
              <tr>
                <td colSpan={3} className="dim">
                  {t('ui.dialog.more', { count: left })}
                </td>
              </tr>
            )}
            {last !== undefined && line(last)}
          </tbody>
        </table>
      </div>
    </Dialog>
  );
}
