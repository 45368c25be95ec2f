import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/errors.ts';
import { showMessage } from '../../ui/dialogs.ts';
import { type DeviceProperty, showProperty } from './properties.api.ts';
import { useDisplayText } from './useDisplayText.ts';

/** What a save is based on: what stood there when somebody began, and once somebody else saved in the meantime what stands now. */
export function useConflictBase(
  device: string,
  property: DeviceProperty,
): {
  readonly base: DeviceProperty;
  /** Tell of a save that was based on what is no more; what was typed stays. @returns false for any other failure */
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
    // A choice is saved as it is made: nothing waits to be saved again.
    const messageKey = current.type === 'bool' ? 'properties.staleChoice' : 'properties.stale';
    const text = t(messageKey, { name: current.name, value: shown(current) });
    void showMessage({ title: t('ui.dialog.warningTitle'), text });
    return true;
  };
  return { base, explain };
}

/** What stands, as a stale save is answered. */
function currentProperty(error: unknown): DeviceProperty | undefined {
  const isStale = error instanceof ApiError && error.key === 'conflict.stale';
  return isStale ? (error.detail as DeviceProperty | undefined) : undefined;
}
