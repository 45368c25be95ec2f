import { Button } from '../../../ui/controls/Button.tsx';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { useMessageText } from '../../../api/useErrorText.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { formatNumber } from '../../../ui/time/format.ts';
import { batchFailureOf } from '../errors.ts';
import { FileReason } from '../../../entities/imports/FileReason.tsx';
import { FileNotes } from '../../../entities/imports/FileNotes.tsx';
import { saveReport } from '../../../entities/imports/outcome.ts';
import type { Outcome } from './outcome.ts';

/** Lines that show before 'more...' (SIM-04). */
const SHOWN = 10;

/** The error of a CSV row as shown to the user (SIM-05). */
function useRowError(): (error: string) => string {
  const { t } = useTranslation();
  const messageText = useMessageText();
  return (error) => {
    const word = batchFailureOf(error);
    return word === undefined ? messageText(error) : t(`esims.failure.${word}`);
  };
}

/** The rows that were not added; the first ten are visible initially (SIM-04). */
export function FailedRows({ outcome: { fail, failed } }: { outcome: Outcome }): ReactNode {
  const { t } = useTranslation();
  const rowError = useRowError();
  const [all, setAll] = useState(false);
  const shown = all ? fail : fail.slice(0, SHOWN);
  return (
    <>
      <ul className="import-failures">
        {shown.map(({ row, serial, error }) => (
          <li key={row}>
            {t('esims.result.row', { row, serial: serial === '' ? '--' : serial })}
            <span className="bad">{rowError(error)}</span>
          </li>
        ))}
      </ul>
      {!all && fail.length > SHOWN && (
        <div>
          <button type="button" className="link" onClick={() => setAll(true)}>
            {t('esims.result.more')}
          </button>
        </div>
      )}
      {(all || fail.length <= SHOWN) && failed > fail.length && (
        <p className="dim">{t('esims.result.hidden', { count: failed - fail.length })}</p>
      )}
    </>
  );
}

/** 'Result of adding eSIM': the result of a CSV import, row by row; it leads to the list (SIM-04, SIM-05). */
export function ResultDialog({ outcome, onClose }: { outcome: Outcome; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const { success, total, failed, fail, reason, report, reported, file } = outcome;
  const counts = { success: formatNumber(success), total: formatNumber(total) };
  const allAdded = failed === 0 && reason === undefined;
  return (
    <Dialog
      title={t('esims.result.title')}
      onClose={onClose}
      wide
      sticky
      actions={
        allAdded ? (
          <Button variant="filled" onClick={onClose}>
            {t('esims.result.gotIt')}
          </Button>
        ) : (
          <>
            {report !== '' && <Button onClick={() => saveReport(outcome, 'eSIMs_error.csv')}>{t('esims.result.report')}</Button>}
            <Button variant="filled" onClick={onClose}>
              {t('ui.close')}
            </Button>
          </>
        )
      }
    >
      <FileReason reason={reason} />
      {reason === undefined && <p>{t(allAdded ? 'esims.result.all' : 'esims.result.some', counts)}</p>}
      {file !== undefined && <FileNotes file={file} />}
      {fail.length > 0 && <FailedRows outcome={outcome} />}
      {failed > reported && (
        <p className="dim">{t('esims.result.reportLimit', { reported: formatNumber(reported), failed: formatNumber(failed) })}</p>
      )}
    </Dialog>
  );
}
