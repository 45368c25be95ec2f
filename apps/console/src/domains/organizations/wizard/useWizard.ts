import { isEmail } from '@highline/contract';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type RefObject, useEffect, useState } from 'react';
import { useTranslation } from '#i18n';
import { ApiError } from '../../../api/errors.ts';
import { highlight } from '../../../api/highlights.ts';
import { useSession } from '../../../api/session.ts';
import { useAction } from '../../../api/useAction.ts';
import { showMessage } from '../../../ui/dialogs.ts';
import { useUnsavedChanges } from '../../../ui/form/useUnsavedChanges.ts';
import { useLanguage } from '../../../ui/language.ts';
import { readStored, writeStored } from '../../../ui/storage.ts';
import { toast } from '../../../ui/toasts.ts';
import type { StockChoice } from './stock.ts';
import { useCreation, type Created, isWhole } from './useCreation.ts';
import { useFileCheck } from './useFileCheck.ts';
import { checkOrganization } from './wizard.api.ts';
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

/** The draft, kept for as long as the tab lives: also over a reload or a sign-out (UX). */
function useStoredDraft(owner: string, isOver: boolean) {
  const key = `highline.wizard.${owner}`;
  const [found] = useState(() => parseDraft(readStored(key, sessionStorage)));
  const [draft, setDraft] = useState(() => found ?? emptyDraft(newRequestKey()));
  useEffect(() => writeStored(key, isOver || !isStarted(draft) ? undefined : draft, sessionStorage), [key, draft, isOver]);
  return { draft, setDraft, wasFound: found !== undefined, drop: () => writeStored(key, undefined, sessionStorage) };
}

/** The step in the address; the browser's own Back walks them too. */
function useStep(draft: Draft, file: File | undefined) {
  const navigate = useNavigate();
  const { step: requested } = useSearch({ from: '/signed-in/organization/add' });
  const go = (step: Step) => void navigate({ to: '/organization/add', search: step === 'info' ? {} : { step } });
  return { step: stepOf(requested, draft, file !== undefined), go };
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

/** Everything the wizard knows and does (ORG-03). */
export function useWizard() {
  const { t } = useTranslation();
  const { id: owner } = useSession();
  const language = useLanguage();
  const [file, setFile] = useState<File>();
  const [created, setCreated] = useState<Created>();
  const { draft, setDraft, wasFound, drop } = useStoredDraft(owner, created !== undefined);
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
  const leaving = useUnsavedChanges(isStarted(draft) && created === undefined, { save: saveToLeave, onDiscard: drop });
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
