import { summaries } from '@highline/contract';
import { createStore, useStore } from '../../ui/store.ts';
import { readStored, writeStored } from '../../ui/storage.ts';

const KEY = 'highline.separator';
const stored = readStored(KEY);
const separator = createStore<summaries.Separator>(summaries.separators.find((each) => each === stored) ?? 'comma');

/** What stands between the cells of a CSV, as this browser prefers it (RPM-02). */
export const useSeparator = (): summaries.Separator => useStore(separator);

export function chooseSeparator(next: summaries.Separator): void {
  writeStored(KEY, next);
  separator.set(next);
}
