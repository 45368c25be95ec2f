import '../app/catalogues.ts';
import { type LazyNamespace, startI18n, withMessages } from '../i18n/i18n.ts';

/** Get messages ready for a part of the console that is shown without its page. */
export async function loadMessages(...namespaces: readonly LazyNamespace[]): Promise<void> {
  await startI18n();
  await withMessages(namespaces, async () => undefined)();
}
