import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '#i18n';
import { ApiError } from '../../api/errors.ts';
import { showMessage } from '../../ui/dialogs.ts';
import { type DeviceProperty, showProperty } from './properties.api.ts';
import { useDisplayText } from './useDisplayText.ts';

/** The value a save is based on: the one when the user began, and after another user's save the current one. */
export function useConflictBase(
  device: string,
  property: DeviceProperty,
): {
  readonly base: DeviceProperty;
  /** Report a save that was based on an outdated value; the input stays. @returns false for any other failure */
  readonly explain: (error: unknown) => boolean;
} {
  const { t } = useTranslation();
  const client = useQueryClient();
  const shown = useDisplayText();
  const [base, setBase] = useState(property);

  const explain = (error: unknown): boolean => {
    const current = currentProperty(error);
    if (current === undefined) return false;
    setBase(current);
    void showProperty(client, device, current);
    const text = t('properties.stale', { name: current.name, value: shown(current) });
    void showMessage({ title: t('ui.dialog.warningTitle'), text });
    return true;
  };
  return { base, explain };
}

/** The current value, as the answer to a stale save contains it. */
function currentProperty(error: unknown): DeviceProperty | undefined {
  const isStale = error instanceof ApiError && error.key === 'conflict.stale';
  return isStale ? (error.detail as DeviceProperty | undefined) : undefined;
}
