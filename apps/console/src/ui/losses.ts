import { type RefObject, useCallback, useEffect, useRef } from 'react';
import { useTranslation } from '#i18n';
import { confirmAction, type ConfirmRequest } from './dialogs.ts';
import { createStore } from './store.ts';

/** What closing a dialog, or leaving its page, would lose. */
export interface Loss {
  /** `input` was typed; a `secret` is shown only once; a response is `awaited`, and nothing closes before it has come. */
  readonly kind: 'input' | 'secret' | 'awaited';
  /** The question before it is lost; left out while a response is awaited. */
  readonly question?: Pick<ConfirmRequest, 'title' | 'text' | 'warning' | 'yes' | 'no'>;
}

/** A response is on its way, which nothing else would show: the dialog stays. */
export const awaited: Loss = { kind: 'awaited' };

/** As of the last rendering. */
export type OpenLoss = RefObject<{
  readonly loss: Loss | undefined;
  /** Takes the dialog away. */
  readonly close: () => void;
}>;

const open = createStore<readonly OpenLoss[]>([]);

/** What would be lost now, the newest last. */
export const openLosses = open;

/** The browser asks before a reload, another address and the end of the tab. */
function onUnload(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/** While `isOpen`, leaving the page asks: the browser before it unloads the page, the shell before another page of ours. */
export function useOpenLoss(entry: OpenLoss, isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    open.set([...open.get(), entry]);
    addEventListener('beforeunload', onUnload);
    return () => {
      open.set(open.get().filter((other) => other !== entry));
      if (open.get().length === 0) removeEventListener('beforeunload', onUnload);
    };
  }, [entry, isOpen]);
}

/** While the answer to a call is on its way that has a secret, its page stays: the secret would come to no one. */
export function useAwaitedSecret(isAwaited: boolean): void {
  const entry = useRef({ loss: awaited, close: () => undefined });
  useOpenLoss(entry, isAwaited);
}

/** Whether it may be lost: the user confirmed it. */
export async function confirmLoss({ kind, question }: Loss): Promise<boolean> {
  if (question === undefined) return false;
  return confirmAction({ ...question, effect: kind === 'secret' ? 'disruptive' : 'ordinary' });
}

/** The loss of what was typed in a dialog. */
export function useInputLoss(isTyped: boolean): Loss | undefined {
  const { t } = useTranslation();
  if (!isTyped) return undefined;
  return { kind: 'input', question: { title: t('ui.unsaved.title'), text: t('ui.unsaved.leave') } };
}

/** Ask before a form on a page drops what was typed, as leaving the page does (SHR-06). @returns whether it may be dropped */
export function useConfirmDrop(): (isTyped: boolean) => Promise<boolean> {
  const { t } = useTranslation();
  return useCallback(
    async (isTyped) =>
      !isTyped || confirmAction({ title: t('ui.unsaved.title'), text: t('ui.unsaved.leave'), effect: 'ordinary' }),
    [t],
  );
}
