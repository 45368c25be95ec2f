import '../app/catalogues.ts';
import { startTexts } from '../app/first-texts.ts';
import { type LazyNamespace, withMessages } from '../i18n/i18n.ts';

/** Get messages ready for a part of the console that is shown without its page. */
export async function loadMessages(...namespaces: readonly LazyNamespace[]): Promise<void> {
  await startTexts();
  await withMessages(namespaces, async () => undefined)();
}
