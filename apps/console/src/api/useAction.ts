import type { FailureKey } from '@highline/contract';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { useTranslation } from '#i18n';
import { showMessage } from '../ui/dialogs.ts';
import { ApiError, endsSession, explanationOf } from './errors.ts';
import { useErrorText } from './useErrorText.ts';

/** Where the error dialog's OK leads after one certain failure: the page is about something that is no more. */
export interface Redirect {
  readonly when: FailureKey;
  readonly to: '/devices/list' | '/devices/orgList' | '/groups/list' | '/groups/config' | '/organization' | '/users';
}

/**
 * Show a failure in the dialog titled 'Error Message', whose OK redirects if a redirect is set (SHR-01). The promise resolves after
 * the user clicks OK.
 */
export function useShowError(redirect?: Redirect): (error: unknown) => Promise<void> {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const navigate = useNavigate();
  const { when, to } = redirect ?? {};
  return useCallback(
    async (error: unknown) => {
      // The page is being left for the sign-in page; a dialog would only flash.
      if (error instanceof ApiError && endsSession(error.message)) return;
      // Nothing failed: a second person decides.
      const waits = error instanceof ApiError && error.key === 'approval.waiting';
      await showMessage({
        title: t(waits ? 'ui.dialog.waitsTitle' : 'ui.dialog.errorTitle'),
        text: errorText(error),
        warning: explanationOf(error),
      });
      // The input can no longer be saved, so there is nothing to confirm.
      if (to !== undefined && error instanceof ApiError && error.key === when)
        await navigate({ to, search: {}, ignoreBlocker: true });
    },
    [t, errorText, navigate, when, to],
  );
}

/** Something a person does that changes data. */
export interface Action<Input> {
  readonly run: (input: Input) => void;
  /** The same for callers that await it. @returns whether it succeeded; a failure was shown */
  readonly attempt: (input: Input) => Promise<boolean>;
  readonly busy: boolean;
}

/** Run a change once, show a failure in the error dialog, and continue after success. */
export function useAction<Input, Output>(options: {
  readonly run: (input: Input) => Promise<Output>;
  readonly onDone: (output: Output, input: Input) => void;
  /** Handles the failures it knows; false = show the dialog. */
  readonly onError?: (error: unknown, input: Input) => boolean;
}): Action<Input> {
  const showError = useShowError();
  const mutation = useMutation({
    mutationFn: options.run,
    onSuccess: options.onDone,
    onError: (error, input) => {
      if (options.onError?.(error, input) !== true) void showError(error);
    },
  });
  const attempt = (input: Input) =>
    mutation.mutateAsync(input).then(
      () => true,
      () => false,
    );
  return { run: (input) => mutation.mutate(input), attempt, busy: mutation.isPending };
}
