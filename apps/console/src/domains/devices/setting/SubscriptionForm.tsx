import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, isNetworkFault } from '../../../api/errors.ts';
import { highlight } from '../../../api/highlights.ts';
import { useShowError } from '../../../api/useAction.ts';
import { showMessage } from '../../../ui/dialogs.ts';
import { DateField } from '../../../ui/form/DateField.tsx';
import { SaveButton } from '../../../ui/form/SaveButton.tsx';
import { useUnsavedChanges } from '../../../ui/form/useUnsavedChanges.ts';
import { isoFromDay } from '../../../ui/time/format.ts';
import { toast } from '../../../ui/toasts.ts';
import { ServiceCell } from '../cells.tsx';
import { deviceQuery, type DeviceDetails, saveSubscription, type Subscription } from './device-setting.api.ts';

interface Shown {
  readonly device: DeviceDetails;
  readonly etag: string | undefined;
}

const daysOf = ({ started, expired }: DeviceDetails): Subscription => ({ started, expired });

/** First and last day of a device's subscription, for the main account to extend. */
export function SubscriptionForm({ device, etag }: Shown): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const showError = useShowError({ when: 'not_found', to: '/devices/orgList' });
  /** The values shown when the user began to type; until then the form follows what others save. */
  const [begun, setBegun] = useState<Shown>();
  const [typed, setTyped] = useState<Partial<Subscription>>({});
  const [saving, setSaving] = useState(false);
  const base = begun ?? { device, etag };
  const days = { ...daysOf(base.device), ...typed };
  const dirty = days.started !== base.device.started || days.expired !== base.device.expired;
  const isReversed = days.started !== '' && days.expired !== '' && isoFromDay(days.expired) < isoFromDay(days.started);
  const missing = (field: keyof Subscription) =>
    days[field] === '' && typed[field] !== undefined
      ? t('ui.form.required', { field: t(`deviceForms.field.${field}`) })
      : undefined;
  const fault = isReversed ? t('deviceForms.reversed') : (missing('started') ?? missing('expired'));
  const type = (change: Partial<Subscription>) => {
    setBegun(base);
    setTyped({ ...typed, ...change });
  };

  /** @returns whether it was saved */
  const save = async (): Promise<boolean> => {
    if (fault !== undefined) return false;
    setSaving(true);
    try {
      await saveSubscription(device.device, days, base.etag);
      // Saved from here on: leaving asks nothing while the page loads the stored values.
      setBegun({ device: { ...base.device, ...days }, etag: undefined });
      setTyped({});
      highlight('devices', [device.device]);
      toast(t('ui.done.edited'));
      await client.invalidateQueries({ queryKey: ['devices'] });
      setBegun(undefined);
      return true;
    } catch (error) {
      await explain(error);
      return false;
    } finally {
      setSaving(false);
    }
  };
  const explain = async (error: unknown): Promise<void> => {
    if (isNetworkFault(error)) return showError(error);
    const { queryKey } = deviceQuery(device.device);
    await client.refetchQueries({ queryKey });
    const current = client.getQueryData<Shown | null>(queryKey);
    if (!(error instanceof ApiError) || error.key !== 'conflict.stale' || current === null || current === undefined)
      return showError(error);
    // The input stays, and is now based on the current values.
    setBegun(current);
    const { started, expired } = current.device;
    await showMessage({ title: t('ui.dialog.warningTitle'), text: t('deviceForms.staleDays', { started, expired }) });
  };
  useUnsavedChanges(dirty, save);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (dirty && !saving) void save();
  };
  return (
    <form className="form" noValidate onSubmit={submit}>
      <p>
        <ServiceCell device={device} />
      </p>
      <div className="form__pair">
        <DateField
          name="started"
          label={t('deviceForms.field.started')}
          value={days.started}
          required
          error={missing('started')}
          onChange={(started) => type({ started })}
        />
        <DateField
          name="expired"
          label={t('deviceForms.field.expired')}
          value={days.expired}
          required
          error={isReversed ? t('deviceForms.reversed') : missing('expired')}
          onChange={(expired) => type({ expired })}
        />
      </div>
      <p className="dim">{t('deviceForms.utc')}</p>
      <div className="form__actions">
        <SaveButton dirty={dirty} saving={saving} reason={dirty ? fault : undefined} />
      </div>
    </form>
  );
}
