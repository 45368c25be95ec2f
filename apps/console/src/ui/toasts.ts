import { createStore } from './store.ts';

export interface Toast {
  readonly id: number;
  readonly tone: 'ok' | 'bad';
  readonly text: string;
}

const LIFETIME = 6000;
const shown = createStore<readonly Toast[]>([]);
let counter = 0;

/** Toasts on the screen; `ToastHost` draws them. */
export const shownToasts = shown;

/** Take a toast away before its time. */
export function dismissToast(id: number): void {
  shown.set(shown.get().filter((toast) => toast.id !== id));
}

/** Show briefly that something was done, or failed (SHR-09: 'Delete Success', '{msg} Save Success'). */
export function toast(text: string, tone: Toast['tone'] = 'ok'): void {
  counter += 1;
  const id = counter;
  shown.set([...shown.get(), { id, tone, text }]);
  setTimeout(() => dismissToast(id), LIFETIME);
}
