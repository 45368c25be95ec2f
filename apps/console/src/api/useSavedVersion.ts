import { useState } from 'react';
import { useTranslation } from '#i18n';
import { showMessage } from '../ui/dialogs.ts';
import { ApiError } from './errors.ts';

/**
 * The version that the save of a dialog without an entity form is based on: the one when it was opened. A stale save keeps the input and
 * says so; saving again replaces what another user saved.
 * @param name of what is saved, for the message
 */
export function useSavedVersion({ version }: { readonly version: string }, name: string) {
  const { t } = useTranslation();
  const [base, setBase] = useState(version);
  const onError = (error: unknown): boolean => {
    if (!(error instanceof ApiError) || error.key !== 'conflict.stale' || error.detail === undefined) return false;
    setBase((error.detail as { readonly version: string }).version);
    void showMessage({ title: t('ui.dialog.warningTitle'), text: t('ui.form.stale', { name }) });
    return true;
  };
  return { etag: `"${base}"`, onError };
}
