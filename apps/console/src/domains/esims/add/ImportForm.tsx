import type { ConnectionImpact, TextEncodingName } from '@highline/contract';
import { IconInfoCircle } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { changedEffect } from '../../../api/confirmed.ts';
import { highlight } from '../../../api/highlights.ts';
import { useAction, useShowError } from '../../../api/useAction.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { Check } from '../../../ui/Check.tsx';
import { FilePick } from '../../../ui/form/FilePick.tsx';
import { useUnsavedChanges } from '../../../ui/form/useUnsavedChanges.ts';
import { sentences } from '../../../ui/sentences.ts';
import { formatNumber } from '../../../ui/time/format.ts';
import { importProfiles, type ImportResult } from '../esims.api.ts';
import { useExample } from '../useExample.ts';
import { changedVehicles, useConfirmImpact, useChangeSentence } from '../useImpact.ts';
import { type Outcome, rejectedOutcomeOf } from './outcome.ts';
import { FileNotes, TABLE_ENDINGS } from '../../../entities/imports/FileNotes.tsx';
import { ImportCheck } from '../../../entities/imports/ImportCheck.tsx';
import { FailedRows, ResultDialog } from './ResultDialog.tsx';

/** Vehicles that the check names. */
const SHOWN_CHANGES = 10;

const notes = ['preloaded', 'others', 'confirmation', 'iccid', 'rows', 'columns', 'text'] as const;

/** A checked file: what importing it would do, or why it cannot be read. */
type Checked = { readonly file: File } & (
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
function CheckNote({ checked, areConfirmed, onConfirm, onEncoding }: CheckNoteProps): ReactNode {
  const { t } = useTranslation();
  const sentenceOf = useChangeSentence();
  if ('reason' in checked) return <p className="bad">{checked.reason}</p>;
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

/**
 * Add eSIMs from a CSV. The server checks the file first, so that its effect is shown before Import; the result leads to the list,
 * where the added eSIMs are highlighted (SIM-04).
 */
export function ImportForm(): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const example = useExample();
  const showError = useShowError();
  const confirm = useConfirmImpact();
  const [file, setFile] = useState<File>();
  const [checked, setChecked] = useState<Checked>();
  const [shown, setShown] = useState<Outcome>();
  const [areConfirmed, setConfirmed] = useState(false);
  const [encoding, setEncoding] = useState<TextEncodingName>();
  const check = useAction<{ readonly file: File; readonly encoding?: TextEncodingName | undefined }, ImportResult>({
    run: (chosen) => importProfiles(chosen.file, { dryRun: '1', encoding: chosen.encoding }),
    onDone: (result, chosen) => setChecked({ file: chosen.file, result, impact: result.impact, changes: result.changes }),
    onError: (error) => {
      const rejected = rejectedOutcomeOf(error);
      if (rejected === undefined || file === undefined) return false;
      const { reason } = rejected;
      setChecked(reason === undefined ? { file, result: rejected, impact: undefined } : { file, reason });
      return true;
    },
  });
  const upload = useAction<{ readonly file: File; readonly impact: ConnectionImpact | undefined }, ImportResult>({
    run: ({ file: picked, impact }) =>
      importProfiles(picked, { encoding, ...(impact === undefined ? {} : { confirmed: impact.confirmation }) }, areConfirmed),
    onDone: (result) => {
      highlight('profiles', result.ids);
      void client.invalidateQueries({ queryKey: ['esims'] });
      setShown(result);
    },
    onError: (error) => {
      const rejected = rejectedOutcomeOf(error);
      setShown(rejected);
      // The impact has changed: it is shown again before the user confirms.
      if (changedEffect(error) === undefined || file === undefined) return rejected !== undefined;
      void showError(error);
      check.run({ file, encoding });
      return true;
    },
  });
  const isChecked = checked !== undefined && checked.file === file && !check.busy;
  const pick = (picked: File | undefined) => {
    setFile(picked);
    setChecked(undefined);
    setConfirmed(false);
    setEncoding(undefined);
    if (picked !== undefined) check.run({ file: picked });
  };
  const submit = async () => {
    if (file === undefined || !isChecked || 'reason' in checked) return;
    const { impact } = checked;
    if (impact !== undefined && changedVehicles(impact) > 0 && !(await confirm([impact], t('esims.import.send')))) return;
    upload.run({ file, impact });
  };
  // The result is shown first, even if the user saves in order to leave.
  useUnsavedChanges(file !== undefined && shown === undefined, async () => {
    await submit();
    return false;
  });
  const close = () => void navigate({ to: '/devices/esimsList', search: {} });
  const notReady = () => {
    if (file === undefined) return t('esims.import.fileFirst');
    if (check.busy) return t('esims.import.checking');
    return !isChecked || 'reason' in checked ? t('esims.import.notReadable') : undefined;
  };

  return (
    <div className="form">
      <FilePick
        label={t('esims.import.file')}
        endings={TABLE_ENDINGS}
        wrongType={t('ui.file.wrongType')}
        file={file}
        onPick={pick}
      />
      <div role="status" aria-busy={check.busy}>
        {check.busy && <p className="dim">{t('esims.import.checking')}</p>}
        {isChecked && (
          <CheckNote
            checked={checked}
            areConfirmed={areConfirmed}
            onConfirm={setConfirmed}
            onEncoding={(chosen) => {
              setEncoding(chosen);
              check.run({ file: checked.file, encoding: chosen });
            }}
          />
        )}
      </div>
      <ul className="import-notes" aria-label={t('esims.import.template')}>
        {notes.map((note) => (
          <li key={note}>{t(`esims.import.notes.${note}`)}</li>
        ))}
      </ul>
      <div className="form__actions">
        <ActionButton variant="filled" loading={upload.busy} disabledReason={notReady()} onClick={() => void submit()}>
          {t('esims.import.send')}
        </ActionButton>
        <ActionButton loading={example.busy} onClick={() => example.run()}>
          {t('esims.example')}
        </ActionButton>
      </div>
      {shown !== undefined && <ResultDialog outcome={shown} onClose={close} />}
    </div>
  );
}
