import { Button } from '../../../ui/controls/Button.tsx';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { ownFileName } from '../../../api/fileName.ts';
import { useAction } from '../../../api/useAction.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { FilePick } from '../../../ui/form/FilePick.tsx';
import { useUnsavedChanges } from '../../../ui/form/useUnsavedChanges.ts';
import {
  ambiguousDatesOf,
  DatesDialog,
  FileNotes,
  type FileReading,
  TABLE_ENDINGS,
} from '../../../entities/imports/FileNotes.tsx';
import { fetchExampleRouters, importDevices } from './device-add.api.ts';
import type { ImportResult } from '../../../entities/imports/outcome.ts';
import { FileReason } from '../../../entities/imports/FileReason.tsx';
import { FailedRows } from '../../../entities/imports/FailedRows.tsx';
import { ImportCheck } from '../../../entities/imports/ImportCheck.tsx';
import { ImportDialog } from './ImportDialog.tsx';
import { type ImportOutcome, outcomeOf, saveReport } from '../../../entities/imports/outcome.ts';
import { useChecked } from '../../../entities/imports/useChecked.ts';
import { TemplateDialog } from './TemplateDialog.tsx';

const COLUMNS = ['SN', 'MAC', 'Start Date', 'Expiry Date'] as const;
const DATES = ['01/01/2026', '12/31/2026'] as const;
/** Where the organization has no routers yet. */
const INVENTED = [{ serial: 'HL26A10432', mac: '00B2D056C227' }] as const;

export interface ImportFormProps {
  readonly org: string | undefined;
  /** In the name of the template. */
  readonly orgName: string | undefined;
  readonly needsOrg: boolean;
  readonly onMissingOrg: () => void;
  /** Called when the result is closed: opens the list and highlights the added devices. */
  readonly onClosed: (ids: readonly string[]) => void;
}

type AmbiguousDates = NonNullable<ReturnType<typeof ambiguousDatesOf>>;

/** A file, how it is to be read, and for which organization. */
interface Chosen {
  readonly org: string | undefined;
  readonly file: File;
  readonly reading: FileReading;
}

type ExampleRouters = Awaited<ReturnType<typeof fetchExampleRouters>>;

/** What a check of the file found. */
interface Checked extends Pick<Chosen, 'org'> {
  readonly outcome: ImportOutcome;
  /** Why no row could be read. */
  readonly reason?: string;
  readonly changes?: ImportResult['changes'];
}

/** Add devices from a CSV or workbook (DEV-05, DEV-06). */
export function ImportForm({ org, orgName, needsOrg, onMissingOrg, onClosed }: ImportFormProps): ReactNode {
  const { t } = useTranslation();
  const { choice: file, found: checked, choose, note } = useChecked<File, Checked>();
  const [template, setTemplate] = useState<ExampleRouters>();
  const prepare = useAction<void, ExampleRouters>({
    run: async () => (needsOrg && org === undefined ? [] : fetchExampleRouters(org)),
    onDone: setTemplate,
  });
  const [shown, setShown] = useState<{ outcome: ImportOutcome; reason?: string; ids: readonly string[] }>();
  const [reading, setReading] = useState<FileReading>({});
  const [question, setQuestion] = useState<{ readonly dates: AmbiguousDates; readonly again: (reading: FileReading) => void }>();
  /** Where the dates of a file can be read in two ways: one question, then the same again. */
  const ask = (error: unknown, again: (reading: FileReading) => void) => {
    const dates = ambiguousDatesOf(error);
    if (dates === undefined) return false;
    setQuestion({ dates, again });
    return true;
  };
  const upload = useAction<Chosen, ImportResult>({
    run: ({ file: sent, ...options }) => importDevices(options, sent),
    onDone: (result) => setShown({ outcome: result, ids: result.ids }),
    onError: (error, sent) => {
      if (ask(error, (chosen) => upload.run({ ...sent, reading: chosen }))) return true;
      const rejected = outcomeOf(error);
      if (rejected !== undefined) setShown({ ...rejected, ids: [] });
      return rejected !== undefined;
    },
  });
  const check = useAction<Chosen, ImportResult>({
    run: ({ file: sent, ...options }) => importDevices({ ...options, dryRun: true }, sent),
    onDone: (result, sent) => note(sent.file, { org: sent.org, outcome: result, changes: result.changes }),
    onError: (error, sent) => {
      if (ask(error, (chosen) => check.run({ ...sent, reading: chosen }))) return true;
      const rejected = outcomeOf(error);
      if (rejected !== undefined) note(sent.file, { org: sent.org, ...rejected });
      return rejected !== undefined;
    },
  });
  const start = (action: typeof upload, chosen = reading) => {
    if (needsOrg && org === undefined) onMissingOrg();
    else if (file !== undefined) action.run({ org, file, reading: chosen });
  };
  const readAs = (part: FileReading): FileReading => {
    const chosen = { ...reading, ...part };
    setReading(chosen);
    return chosen;
  };
  const pick = (picked: File | undefined) => {
    choose(picked);
    setReading({});
  };
  const submit = () => start(upload);
  // The result is shown first, even if the user saves in order to leave.
  useUnsavedChanges(file !== undefined && shown === undefined, {
    save: async () => {
      submit();
      return false;
    },
  });

  return (
    <div className="form">
      <FilePick
        label={t('deviceForms.file')}
        endings={TABLE_ENDINGS}
        wrongType={t('ui.file.wrongType')}
        file={file}
        onPick={pick}
      />
      <div>
        <Button loading={prepare.busy} onClick={() => prepare.run()}>
          {t('deviceForms.template.open')}
        </Button>
      </div>
      {checked !== undefined && checked.org === org && (
        <CheckedFile checked={checked} onEncoding={(encoding) => start(check, readAs({ encoding }))} />
      )}
      <div className="form__actions">
        <ActionButton
          loading={check.busy}
          disabledReason={file === undefined ? t('deviceForms.fileFirst') : undefined}
          onClick={() => start(check)}
        >
          {t('deviceForms.check.open')}
        </ActionButton>
        <ActionButton
          variant="filled"
          loading={upload.busy}
          disabledReason={file === undefined ? t('deviceForms.fileFirst') : undefined}
          onClick={submit}
        >
          {t('deviceForms.import')}
        </ActionButton>
      </div>
      {template !== undefined && <DevicesTemplate routers={template} orgName={orgName} onClose={() => setTemplate(undefined)} />}
      {question !== undefined && (
        <DatesDialog
          dates={question.dates}
          onClose={() => setQuestion(undefined)}
          onChoose={(dates) => {
            setQuestion(undefined);
            question.again(readAs({ dates }));
          }}
        />
      )}
      {shown !== undefined && <ImportDialog outcome={shown.outcome} reason={shown.reason} onClose={() => onClosed(shown.ids)} />}
    </div>
  );
}

function CheckedFile({ checked, onEncoding }: { checked: Checked; onEncoding: Parameters<typeof FileNotes>[0]['onEncoding'] }) {
  const { t } = useTranslation();
  const { outcome, reason, changes } = checked;
  return (
    <div role="status">
      <FileReason reason={reason} />
      {outcome.file !== undefined && <FileNotes file={outcome.file} dates={outcome.dates} onEncoding={onEncoding} />}
      {changes !== undefined && <ImportCheck changes={changes} success={outcome.success} />}
      <FailedRows outcome={outcome} />
      {outcome.report !== '' && <Button onClick={() => saveReport(outcome)}>{t('deviceForms.result.report')}</Button>}
    </div>
  );
}

function DevicesTemplate({
  routers,
  orgName,
  onClose,
}: Pick<ImportFormProps, 'orgName'> & { routers: ExampleRouters; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <TemplateDialog
      columns={COLUMNS}
      examples={(routers.length === 0 ? INVENTED : routers).map(({ serial, mac }) => [serial, mac, ...DATES])}
      fileName={ownFileName('Devices_template', orgName)}
      notes={(['header', 'mac', 'dates', 'optional', 'text'] as const).map((note) => t(`deviceForms.template.${note}`))}
      onClose={onClose}
    />
  );
}
