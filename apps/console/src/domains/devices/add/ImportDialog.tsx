import { Button } from '../../../ui/controls/Button.tsx';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { Dialog } from '../../../ui/Dialog.tsx';
import { formatNumber } from '../../../ui/time/format.ts';
import { FailedRows } from '../../../entities/imports/FailedRows.tsx';
import { FileReason } from '../../../entities/imports/FileReason.tsx';
import { FileNotes } from '../../../entities/imports/FileNotes.tsx';
import { type ImportOutcome, saveReport } from '../../../entities/imports/outcome.ts';

export interface ImportDialogProps {
  readonly outcome: ImportOutcome;
  /** The server's message when no row was added. */
  readonly reason?: string | undefined;
  readonly onClose: () => void;
}

/** The result of a CSV import, row by row; Close leads to the list (DEV-06). */
export function ImportDialog({ outcome, reason, onClose }: ImportDialogProps): ReactNode {
  const { t } = useTranslation();
  const { success, total } = outcome;
  return (
    <Dialog
      title={t('deviceForms.result.title')}
      onClose={onClose}
      wide
      sticky
      actions={
        <>
          {outcome.report !== '' && <Button onClick={() => saveReport(outcome)}>{t('deviceForms.result.report')}</Button>}
          <Button variant="filled" onClick={onClose}>
            {t('ui.close')}
          </Button>
        </>
      }
    >
      <FileReason reason={reason} />
      <p>{t('deviceForms.result.summary', { success: formatNumber(success), total: formatNumber(total) })}</p>
      {outcome.file !== undefined && <FileNotes file={outcome.file} dates={outcome.dates} />}
      <FailedRows outcome={outcome} />
    </Dialog>
  );
}
