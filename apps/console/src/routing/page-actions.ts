import { createStore } from '../ui/store.ts';

/** What the present page can do with what it shows, for the palette. */
export interface PageAction {
  readonly key: string;
  readonly title: string;
  readonly run: () => void;
}

const NONE: readonly PageAction[] = [];

/** Set by the page while it is open. */
export const pageActions = createStore<readonly PageAction[]>(NONE);

/** Offer actions in the palette. @returns ends it, as an effect does */
export function offerActions(actions: readonly PageAction[]): () => void {
  pageActions.set(actions);
  return () => {
    if (pageActions.get() === actions) pageActions.set(NONE);
  };
}
