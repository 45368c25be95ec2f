import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { highlight } from '../../../api/highlights.ts';
import { useAction } from '../../../api/useAction.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { FilePick } from '../../../ui/form/FilePick.tsx';
import { useUnsavedChanges } from '../../../ui/form/useUnsavedChanges.ts';
import { importProfiles, type ImportResult } from '../esims.api.ts';
import { useExample } from '../useExample.ts';
import { type Outcome, refusedOutcomeOf } from './outcome.ts';
import { ResultDialog } from './ResultDialog.tsx';

const notes = ['preloaded', 'others', 'confirmation', 'rows', 'columns', 'text'] as const;

/** Add eSIMs from a CSV; the result leads on to the list, where what was added is marked (SIM-04). */
export function ImportForm(): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const example = useExample();
  const [file, setFile] = useState<File>();
  const [shown, setShown] = useState<Outcome>();
  const upload = useAction<File, ImportResult>({
    run: importProfiles,
    onDone: (result) => {
      highlight('profiles', result.ids);
      void client.invalidateQueries({ queryKey: ['esims'] });
      setShown(result);
    },
    onError: (error) => {
      const refused = refusedOutcomeOf(error);
      setShown(refused);
      return refused !== undefined;
    },
  });
  const submit = () => file !== undefined && upload.run(file);
  // Also whoever imports in order to leave reads first what became of it.
  useUnsavedChanges(file !== undefined && shown === undefined, async () => {
    submit();
    return false;
  });
  const close = () => void navigate({ to: '/devices/esimsList', search: {} });

  return (
    <div className="form">
      <FilePick
        label={t('esims.import.file')}
        endings={['.csv']}
        wrongType={t('ui.file.wrongType')}
        file={file}
        onPick={setFile}
      />
      <ul className="import-notes" aria-label={t('esims.import.template')}>
        {notes.map((note) => (
          <li key={note}>{t(`esims.import.notes.${note}`)}</li>
        ))}
      </ul>
      <div className="form__actions">
        <ActionButton
          variant="filled"
          loading={upload.busy}
          disabledReason={file === undefined ? t('esims.import.fileFirst') : undefined}
          onClick={submit}
        >
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
