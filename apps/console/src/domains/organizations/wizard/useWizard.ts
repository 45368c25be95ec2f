import { isEmail } from '@highline/contract';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from '#i18n';
import { ApiError } from '../../../api/errors.ts';
import { highlight } from '../../../api/highlights.ts';
import { useAction, useShowError } from '../../../api/useAction.ts';
import { useSession } from '../../../api/session.ts';
import { showMessage } from '../../../ui/dialogs.ts';
import { useUnsavedChanges } from '../../../ui/form/useUnsavedChanges.ts';
import { useLanguage } from '../../../ui/language.ts';
import { readStored, writeStored } from '../../../ui/storage.ts';
import { toast } from '../../../ui/toasts.ts';
import { ambiguousDatesOf, type FileReading } from '../../../entities/imports/FileNotes.tsx';
import { importDevices } from '../../devices/index.ts';
import { type ImportOutcome, outcomeOf } from '../../../entities/imports/outcome.ts';
import { type StockChoice, stockFile } from './stock.ts';
import { checkOrganization, createOrganization } from './wizard.api.ts';
import {
  type Draft,
  emptyDraft,
  isFilled,
  isStarted,
  newRequestKey,
  parseDraft,
  type Source,
  type Step,
  stepOf,
} from './wizard.ts';

/** The result of a file, and why none of it was accepted if so. */
export interface ValidationResult {
  readonly outcome: ImportOutcome;
  readonly reason?: string;
}

interface Created {
  readonly id: string;
  /** The result of the upload; undefined without a file. */
  readonly upload?: ValidationResult | { readonly error: unknown };
}

/** The result of a file, whether its rows were accepted or all rejected. @throws any other error */
async function validate(options: Parameters<typeof importDevices>[0], file: File): Promise<ValidationResult> {
  try {
    return { outcome: await importDevices({ ...options, layout: 'organization' }, file) };
  } catch (error) {
    const rejected = ambiguousDatesOf(error) === undefined ? outcomeOf(error) : undefined;
    if (rejected === undefined) throw error;
    return rejected;
  }
}

/** The draft, kept for as long as the tab lives: also over a reload or a sign-out (UX). */
function useStoredDraft(owner: string, isOver: boolean) {
  const key = `highline.wizard.${owner}`;
  const [found] = useState(() => parseDraft(readStored(key, sessionStorage)));
  const [draft, setDraft] = useState(() => found ?? emptyDraft(newRequestKey()));
  useEffect(() => writeStored(key, isOver || !isStarted(draft) ? undefined : draft, sessionStorage), [key, draft, isOver]);
  return { draft, setDraft, wasFound: found !== undefined };
}

/** The step in the address; the browser's own Back walks them too. */
function useStep(draft: Draft, file: File | undefined) {
  const navigate = useNavigate();
  const { step: requested } = useSearch({ from: '/signed-in/organization/add' });
  const go = (step: Step) => void navigate({ to: '/organization/add', search: step === 'info' ? {} : { step } });
  return { step: stepOf(requested, draft, file !== undefined), go };
}

/** The dry run of a chosen file, before anything is created. */
function useFileCheck(onUnreadable: () => void) {
  const [validation, setValidation] = useState<ValidationResult>();
  const [reading, setReading] = useState<FileReading>({});
  const [ambiguousDates, setAmbiguousDates] = useState<ReturnType<typeof ambiguousDatesOf>>();
  const latest = useRef<File>(undefined);
  const showError = useShowError();
  const check = useAction<{ readonly file: File; readonly chosen: FileReading }, ValidationResult>({
    run: ({ file, chosen }) => validate({ org: undefined, dryRun: true, reading: chosen }, file),
    // Another file may have been chosen in the meantime.
    onDone: (response, { file }) => file === latest.current && setValidation(response),
    onError: (error) => {
      const dates = ambiguousDatesOf(error);
      setAmbiguousDates(dates);
      if (dates !== undefined) return true;
      onUnreadable();
      void showError(error);
      return true;
    },
  });
  const start = (file: File | undefined, chosen: FileReading) => {
    latest.current = file;
    setReading(chosen);
    setValidation(undefined);
    setAmbiguousDates(undefined);
    if (file !== undefined) check.run({ file, chosen });
  };
  return {
    validation,
    /** How the file is read. */
    reading,
    ambiguousDates,
    start: (file: File | undefined) => start(file, {}),
    readAs: (part: FileReading) => start(latest.current, { ...reading, ...part }),
  };
}

/** The file to upload: the chosen one, or one with the routers chosen from the stock; undefined without devices. */
function uploadOf({ source, stock }: Draft, file: File | undefined): File | undefined {
  if (source === 'file') return file;
  return stock.routers.length === 0 ? undefined : stockFile(stock);
}

/** Open the list after the organization was created: only once the form counts as saved, or leaving would warn. */
function useFinish(finished: string | undefined, email: string, leaving: RefObject<boolean>): void {
  const { t } = useTranslation();
  const navigate = useNavigate();
  useEffect(() => {
    if (finished === undefined) return;
    highlight('organizations', [finished]);
    toast(`${t('ui.done.saved', { msg: t('wizard.organization') })} · ${t('wizard.mailed', { email })}`);
    if (!leaving.current) void navigate({ to: '/organization', search: {} });
  }, [finished, email, leaving, navigate, t]);
}

/** Creates the organization once, uploads its file, and reports what became of it. @param onFailed back to the first step */
function useCreation(
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
        upload: await validate({ org: id, reading: { dates: 'mdy', ...reading } }, upload).catch((error: unknown) => ({ error })),
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

/** Everything the wizard knows and does (ORG-03). */
export function useWizard() {
  const { t } = useTranslation();
  const { id: owner } = useSession();
  const language = useLanguage();
  const [file, setFile] = useState<File>();
  const [created, setCreated] = useState<Created>();
  const { draft, setDraft, wasFound } = useStoredDraft(owner, created !== undefined);
  const { step, go } = useStep(draft, file);
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const setDown = () => {
    setFile(undefined);
    change({ fileName: '' });
  };
  const check = useFileCheck(setDown);

  const info = useAction<Draft, void>({
    run: (sent) => checkOrganization(sent, language),
    onDone: () => {
      change({ reached: 'devices' });
      go('devices');
    },
  });

  const creation = useCreation(draft, { file, reading: check.reading }, setCreated, (error) => {
    const isUsed = error instanceof ApiError && error.key === 'organization.key_reused';
    change({ reached: 'info', ...(isUsed ? { requestKey: newRequestKey() } : {}) });
    go('info');
  });

  /** Nothing can be created without a name or a contact, and the user must read which rows were rejected. */
  const saveToLeave = async (): Promise<boolean> => {
    if (!isFilled(draft) || !isEmail(draft.email)) {
      await showMessage({ title: t('ui.dialog.warningTitle'), text: t('wizard.bothFirst') });
      go('info');
      return false;
    }
    return creation.attempt();
  };
  const leaving = useUnsavedChanges(isStarted(draft) && created === undefined, saveToLeave);
  useFinish(creation.finished, draft.email.trim(), leaving);

  return {
    step,
    /** Creating failed, and the input was kept. */
    hasFailed: creation.hasFailed,
    draft,
    wasFound,
    file,
    validation: check.validation,
    ambiguousDates: check.ambiguousDates,
    readAs: check.readAs,
    /** Rows that the upload did not take; read, they lead on to the list. */
    rejected:
      created?.upload !== undefined && 'outcome' in created.upload && !isWhole(created.upload) ? created.upload : undefined,
    busy: info.busy || creation.busy,
    go,
    /** The input is validated before a later step opens again. */
    type: (part: Partial<Draft>) => change({ ...part, reached: 'info' }),
    touch: () => change({ touched: true }),
    submitInfo: () => info.run(draft),
    chooseSource: (source: Source) => change({ source, reached: 'devices' }),
    chooseStock: (part: Partial<StockChoice>) =>
      setDraft((before) => ({ ...before, reached: 'devices', stock: { ...before.stock, ...part } })),
    pick(picked: File | undefined) {
      setFile(picked);
      change({ fileName: picked?.name ?? '', reached: 'devices' });
      check.start(picked);
    },
    submitDevices() {
      // Skip, also where a file was chosen before a reload.
      change({ reached: 'summary', fileName: file?.name ?? '' });
      go('summary');
    },
    submit: creation.start,
    startOver() {
      creation.forget();
      setFile(undefined);
      check.start(undefined);
      setDraft(emptyDraft(newRequestKey()));
      go('info');
    },
    close: () => created !== undefined && creation.finish(created.id),
  };
}

export type Wizard = ReturnType<typeof useWizard>;

function isWhole({ outcome, reason }: ValidationResult): boolean {
  return outcome.failed === 0 && reason === undefined;
}
