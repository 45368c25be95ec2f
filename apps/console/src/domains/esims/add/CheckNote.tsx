import { FileReason } from '../../../entities/imports/FileReason.tsx';
import type { ConnectionImpact, TextEncodingName } from '@highline/contract';
import { IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { FileNotes } from '../../../entities/imports/FileNotes.tsx';
import { ImportCheck } from '../../../entities/imports/ImportCheck.tsx';
import { Check } from '../../../ui/Check.tsx';
import { sentences } from '../../../ui/sentences.ts';
import { formatNumber } from '../../../ui/time/format.ts';
import type { ImportResult } from '../esims.api.ts';
import { useChangeSentence } from '../useImpact.ts';
import { FailedRows } from './ResultDialog.tsx';
import type { Outcome } from './outcome.ts';

/** Vehicles that the check names. */
const SHOWN_CHANGES = 10;

/** A checked file: what importing it would do, or why it cannot be read. */
export type Checked = { readonly file: File } & (
  | {
      readonly result: Outcome & Partial<Pick<ImportResult, 'doubts' | 'doubted'>>;
      readonly impact: ConnectionImpact | undefined;
      readonly changes?: ImportResult['changes'];
    }
  | { readonly reason: string }
);

/** Doubtful ICCIDs that the check names. */
const SHOWN_DOUBTS = 10;

interface CheckNoteProps {
  readonly checked: Checked;
  /** The user has compared the doubtful ICCIDs. */
  readonly areConfirmed: boolean;
  readonly onConfirm: (areConfirmed: boolean) => void;
  /** The file is read again with this encoding. */
  readonly onEncoding: (encoding: TextEncodingName) => void;
}

/** The result of the check: added eSIMs, vehicles that change carrier, and rejected rows. */
export function CheckNote({ checked, areConfirmed, onConfirm, onEncoding }: CheckNoteProps): ReactNode {
  const { t } = useTranslation();
  const sentenceOf = useChangeSentence();
  if ('reason' in checked) return <FileReason reason={checked.reason} />;
  const { result, impact, changes } = checked;
  const { doubts = [], doubted = 0 } = result;
  const added = result.success - (areConfirmed ? 0 : doubted);
  const counts = { added: formatNumber(added), carrier: formatNumber(impact?.carrier ?? 0) };
  return (
    <div className="note import-check">
      <IconInfoCircle size={18} />
      <div className="import-check__lines">
        <p>
          <strong>
            {sentences([
              t('esims.import.added', { count: added, shown: counts.added }),
              t('esims.import.carrier', { count: impact?.carrier ?? 0, shown: counts.carrier }),
            ])}
          </strong>
        </p>
        {(impact?.vehicles ?? []).slice(0, SHOWN_CHANGES).map((change) => (
          <p key={`${change.device} ${change.kind}`}>{sentenceOf(change)}</p>
        ))}
        {result.file !== undefined && <FileNotes file={result.file} onEncoding={onEncoding} />}
        {doubted > 0 && (
          <>
            <p className="bad">{t('esims.import.doubted', { count: doubted, shown: formatNumber(doubted) })}</p>
            <ul>
              {doubts.slice(0, SHOWN_DOUBTS).map(({ row, serial, doubt, typed, meant }) => (
                <li key={row}>
                  {t(doubt === 'check-digit' ? 'esims.import.doubtCheck' : 'esims.import.doubtLonger', {
                    row,
                    serial,
                    typed,
                    meant,
                  })}
                </li>
              ))}
            </ul>
            {doubted > SHOWN_DOUBTS && <p className="dim">{t('esims.result.hidden', { count: doubted - SHOWN_DOUBTS })}</p>}
            <Check label={t('esims.import.confirmDoubts')} checked={areConfirmed} onChange={onConfirm} />
          </>
        )}
        {changes !== undefined && <ImportCheck changes={changes} success={result.success} />}
        {result.failed > 0 && (
          <>
            <p className="bad">{t('esims.import.rejected', { count: result.failed, shown: formatNumber(result.failed) })}</p>
            <FailedRows outcome={result} />
          </>
        )}
      </div>
    </div>
  );
}
