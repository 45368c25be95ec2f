import { createStore } from './store.ts';

export interface Toast {
  readonly id: number;
  readonly tone: 'ok' | 'bad';
  readonly text: string;
  readonly action?: ToastAction | undefined;
}

/** What can be done about it, such as Undo. */
export interface ToastAction {
  readonly label: string;
  readonly onPick: () => void;
}

const LIFETIME = 6000;
/** With something to do, a toast stays long enough to read, decide and click. */
const LIFETIME_WITH_ACTION = 15_000;
const shown = createStore<readonly Toast[]>([]);
let counter = 0;

/** Toasts on the screen; `ToastHost` draws them. */
export const shownToasts = shown;

/** Take a toast away before its time. */
export function dismissToast(id: number): void {
  shown.set(shown.get().filter((toast) => toast.id !== id));
}

/** Show briefly that something was done, or failed (SHR-09: 'Delete Success', '{msg} Save Success'). */
export function toast(text: string, tone: Toast['tone'] = 'ok', action?: ToastAction): void {
  counter += 1;
  const id = counter;
  shown.set([...shown.get(), { id, tone, text, action }]);
  setTimeout(() => dismissToast(id), action === undefined ? LIFETIME : LIFETIME_WITH_ACTION);
}
