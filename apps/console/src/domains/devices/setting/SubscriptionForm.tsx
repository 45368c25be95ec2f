import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { PageForm } from '../../../api/EntityForm.tsx';
import { highlight } from '../../../api/highlights.ts';
import { reload, useEntityForm } from '../../../api/useEntityForm.ts';
import { useNotAllowed } from '../../../api/useNotAllowed.ts';
import { DateField } from '../../../ui/form/DateField.tsx';
import { TwelveMonths } from '../../../ui/form/TwelveMonths.tsx';
import { formatDay, isoFromDay } from '../../../ui/time/format.ts';
import { ServiceCell } from '../../../entities/devices/cells.tsx';
import { saveSubscription, type Subscription } from './device-setting.api.ts';
import { deviceQuery, type DeviceDetails } from '../../../entities/devices/device.api.ts';

const isReversed = ({ started, expired }: Subscription) =>
  started !== '' && expired !== '' && isoFromDay(expired) < isoFromDay(started);

/** First and last day of a device's subscription, for the main account to extend. */
export function SubscriptionForm({ device, etag }: { device: DeviceDetails; etag: string | undefined }): ReactNode {
  const { t } = useTranslation();
  const id = device.device;
  const notAllowed = useNotAllowed('devices.saveSubscription');
  const labels = { started: t('deviceForms.field.started'), expired: t('deviceForms.field.expired') };
  const form = useEntityForm<Subscription>({
    stored: { values: { started: device.started, expired: device.expired }, etag },
    required: labels,
    blocked: (days) => notAllowed ?? (isReversed(days) ? t('deviceForms.reversed') : undefined),
    save: (days, base) => saveSubscription(id, days, base.etag),
    onSaved: () => highlight('devices', [id]),
    done: t('ui.done.edited'),
    refresh: ['devices'],
    stale: reload(deviceQuery(id), (current) => {
      const { started, expired: until } = current.device;
      const values = { started, expired: until };
      return {
        values,
        etag: current.etag,
        text: t('deviceForms.staleDays', { started: formatDay(started), expired: formatDay(until) }),
      };
    }),
    gone: { when: 'not_found', to: '/devices/orgList' },
    draft: `subscription-${id}`,
  });
  const expired = form.field('expired');
  return (
    <PageForm form={form}>
      <p>
        <ServiceCell device={device} />
      </p>
      <div className="form__pair">
        <DateField label={labels.started} required {...form.field('started')} />
        <DateField
          label={labels.expired}
          required
          {...expired}
          error={isReversed(form.values) ? t('deviceForms.reversed') : expired.error}
        />
      </div>
      <TwelveMonths started={form.values.started} stored={device.expired} onPick={form.set} />
      <p className="dim">{t('deviceForms.utc')}</p>
    </PageForm>
  );
}
