import { useRef, useState } from 'react';
import { useTranslation } from '#i18n';
import { useAction, useShowError } from '../../../api/useAction.ts';
import { ambiguousDatesOf, type FileReading } from '../../../entities/imports/FileNotes.tsx';
import { type ImportOutcome, outcomeOf } from '../../../entities/imports/outcome.ts';
import { showMessage } from '../../../ui/dialogs.ts';
import { useLanguage } from '../../../ui/language.ts';
import { importDevices } from '../../devices/index.ts';
import { stockFile } from './stock.ts';
import { createOrganization } from './wizard.api.ts';
import type { Draft } from './wizard.ts';

/** The result of a file, and why none of it was accepted if so. */
export interface ValidationResult {
  readonly outcome: ImportOutcome;
  readonly reason?: string;
}

export interface Created {
  readonly id: string;
  /** The result of the upload; undefined without a file. */
  readonly upload?: ValidationResult | { readonly error: unknown };
}

/** The result of a file, whether its rows were accepted or all rejected. @throws any other error */
export async function validateWizard(options: Parameters<typeof importDevices>[0], file: File): Promise<ValidationResult> {
  try {
    return { outcome: await importDevices({ ...options, layout: 'organization' }, file) };
  } catch (error) {
    const rejected = ambiguousDatesOf(error) === undefined ? outcomeOf(error) : undefined;
    if (rejected === undefined) throw error;
    return rejected;
  }
}

/** The file to upload: the chosen one, or one with the routers chosen from the stock; undefined without devices. */
function uploadOf({ source, stock }: Draft, file: File | undefined): File | undefined {
  if (source === 'file') return file;
  return stock.routers.length === 0 ? undefined : stockFile(stock);
}

/** Creates the organization once, uploads its file, and reports what became of it. @param onFailed back to the first step */
export function useCreation(
  draft: Draft,
  { file, reading }: { readonly file: File | undefined; readonly reading: FileReading },
  onCreated: (created: Created) => void,
  onFailed: (error: unknown) => void,
) {
  const { t } = useTranslation();
  const language = useLanguage();
  const showError = useShowError();
  const isCreating = useRef(false);
  /** Nothing of it is left to read here. */
  const isThrough = useRef(false);
  const [hasFailed, setFailed] = useState(false);
  const [finished, finish] = useState<string>();
  const create = useAction<Draft, Created>({
    run: async (sent) => {
      setFailed(false);
      const id = await createOrganization(sent, language);
      const upload = uploadOf(sent, file);
      if (upload === undefined) return { id };
      // The organization stays, whatever becomes of its file.
      return {
        id,
        upload: await validateWizard({ org: id, reading: { dates: 'mdy', ...reading } }, upload).catch((error: unknown) => ({
          error,
        })),
      };
    },
    onDone: (done) => {
      onCreated(done);
      isThrough.current = done.upload === undefined || ('outcome' in done.upload && isWhole(done.upload));
      if (isThrough.current) finish(done.id);
      else if (done.upload !== undefined && 'error' in done.upload) void showLost(done.upload.error).then(() => finish(done.id));
    },
    onError: (error) => {
      void reset(error);
      return true;
    },
  });

  const showLost = async (error: unknown) => {
    await showError(error);
    await showMessage({ title: t('ui.dialog.errorTitle'), text: t('wizard.notUploaded') });
  };

  /** ORG-06: the error in an alert, then back to the first step, where everything is validated again; the input stays. */
  const reset = async (error: unknown) => {
    await showError(error);
    isCreating.current = false;
    setFailed(true);
    onFailed(error);
  };

  // Two clicks can arrive before the button is rendered as busy.
  const once = <Response>(run: () => Response): Response | undefined => {
    if (isCreating.current) return undefined;
    isCreating.current = true;
    return run();
  };
  return {
    busy: create.busy,
    /** Creating failed, and the input was kept. */
    hasFailed,
    forget: () => setFailed(false),
    finished,
    finish,
    start: () => once(() => create.run(draft)),
    /** @returns whether it was created, and nothing is left to read */
    attempt: async () => (await once(() => create.attempt(draft))) === true && isThrough.current,
  };
}

export function isWhole({ outcome, reason }: ValidationResult): boolean {
  return outcome.failed === 0 && reason === undefined;
}
