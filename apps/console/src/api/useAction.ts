import { useMutation } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { showMessage } from '../ui/dialogs.ts';
import { ApiError, endsSession } from './errors.ts';
import { useErrorText } from './useErrorText.ts';

/** Show a failure in the dialog titled 'Error Message' (SHR-01); what comes after the await happens on its OK. */
export function useShowError(): (error: unknown) => Promise<void> {
  const { t } = useTranslation();
  const errorText = useErrorText();
  return useCallback(
    async (error: unknown) => {
      // The page is being left for the sign-in page; a dialog would only flash.
      if (error instanceof ApiError && endsSession(error.message)) return;
      const reason = error instanceof ApiError && error.reason !== undefined ? { warning: error.reason } : {};
      await showMessage({ title: t('ui.dialog.errorTitle'), text: errorText(error), ...reason });
    },
    [t, errorText],
  );
}

/** Something a person does that changes data. */
export interface Action<Input> {
  readonly run: (input: Input) => void;
  readonly busy: boolean;
}

/** Run a change once, tell of its failure in the error dialog, and go on after its success. */
export function useAction<Input, Output>(options: {
  readonly run: (input: Input) => Promise<Output>;
  readonly onDone: (output: Output, input: Input) => void;
  /** Handles the failures it knows; false = show the dialog. */
  readonly onError?: (error: unknown) => boolean;
}): Action<Input> {
  const showError = useShowError();
  const mutation = useMutation({
    mutationFn: options.run,
    onSuccess: options.onDone,
    onError: (error) => {
      if (options.onError?.(error) !== true) void showError(error);
    },
  });
  return { run: (input) => mutation.mutate(input), busy: mutation.isPending };
}
