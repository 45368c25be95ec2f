import type { ConnectionImpact, TextEncodingName } from '@highline/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { changedEffect } from '../../../api/confirmed.ts';
import { highlight } from '../../../api/highlights.ts';
import { useAction, useShowError } from '../../../api/useAction.ts';
import { TABLE_ENDINGS } from '../../../entities/imports/FileNotes.tsx';
import { useChecked } from '../../../entities/imports/useChecked.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { FilePick } from '../../../ui/form/FilePick.tsx';
import { useUnsavedChanges } from '../../../ui/form/useUnsavedChanges.ts';
import { importProfiles, type ImportResult } from '../esims.api.ts';
import { useExample } from '../useExample.ts';
import { changedVehicles, useConfirmImpact } from '../useImpact.ts';
import { CheckNote, type Checked } from './CheckNote.tsx';
import { ResultDialog } from './ResultDialog.tsx';
import { type Outcome, rejectedOutcomeOf } from './outcome.ts';

const notes = ['preloaded', 'others', 'confirmation', 'iccid', 'rows', 'columns', 'text'] as const;

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
  const { choice: file, found: checked, choose, note } = useChecked<File, Checked>();
  const [shown, setShown] = useState<Outcome>();
  const [areConfirmed, setConfirmed] = useState(false);
  const [encoding, setEncoding] = useState<TextEncodingName>();
  const check = useAction<{ readonly file: File; readonly encoding?: TextEncodingName | undefined }, ImportResult>({
    run: (chosen) => importProfiles(chosen.file, { dryRun: '1', encoding: chosen.encoding }),
    onDone: (result, { file: of }) => note(of, { file: of, result, impact: result.impact, changes: result.changes }),
    onError: (error, { file: of }) => {
      const rejected = rejectedOutcomeOf(error);
      if (rejected === undefined) return false;
      const { reason } = rejected;
      note(of, reason === undefined ? { file: of, result: rejected, impact: undefined } : { file: of, reason });
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
  const isChecked = checked !== undefined && !check.busy;
  const pick = (picked: File | undefined) => {
    choose(picked);
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
  useUnsavedChanges(file !== undefined && shown === undefined, {
    save: async () => {
      await submit();
      return false;
    },
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
