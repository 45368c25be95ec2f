import { alerts, TEST_MINUTES } from '@highline/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { geofencesQuery } from '../../entities/geofences/geofence.api.ts';
import { NativeSelect, TextInput } from '../../ui/controls/TextInput.tsx';
import type { Form } from './RuleScopeFields.tsx';
import { TestFields } from './TestFields.tsx';
import { spanText, units } from './alert.ts';
import type { RuleDraft } from './empty-draft.ts';

/** The value that is compared, and how. */
export function ReadingFields({ form }: { form: Form }): ReactNode {
  const { t } = useTranslation();
  const { reading, temperatures } = form.values;
  const unit = units[reading] === '°C' ? temperatures : units[reading];
  return (
    <>
      <div className="form__pair">
        <NativeSelect
          label={t('alerts.form.reading')}
          data={alerts.comparedReadings.map((reading) => ({ value: reading, label: t(`alerts.reading.${reading}`) }))}
          value={form.values.reading}
          onChange={(event) => form.set({ reading: event.currentTarget.value as alerts.ComparedReading })}
        />
        <NativeSelect
          label={t('alerts.form.operator')}
          data={(['above', 'below'] as const).map((operator) => ({ value: operator, label: t(`alerts.form.${operator}`) }))}
          value={form.values.operator}
          onChange={(event) => form.set({ operator: event.currentTarget.value as RuleDraft['operator'] })}
        />
      </div>
      <div className="form__pair">
        <TextInput label={t('alerts.form.threshold', { unit })} inputMode="decimal" maxLength={20} {...form.text('threshold')} />
        <TextInput
          label={t('alerts.form.clear', { unit })}
          description={t('alerts.form.clearHint')}
          // Below its field, which stays next to the other one.
          descriptionBelow
          inputMode="decimal"
          maxLength={20}
          {...form.text('clear')}
        />
      </div>
    </>
  );
}

/** The geofence that is crossed, and in which direction. */
export function GeofenceFields({ form }: { form: Form }): ReactNode {
  const { t } = useTranslation();
  const { geofence, geofenceEvent } = form.values;
  const fences = useQuery(geofencesQuery()).data ?? [];
  const isGone = geofence !== '' && !fences.some(({ id }) => id === geofence);
  return (
    <div className="form__pair">
      <NativeSelect
        label={t('alerts.form.crossing')}
        data={(['left', 'entered'] as const).map((event) => ({ value: event, label: t(`alerts.form.crossings.${event}`) }))}
        value={geofenceEvent}
        onChange={(event) => form.set({ geofenceEvent: event.currentTarget.value as RuleDraft['geofenceEvent'] })}
      />
      <NativeSelect
        label={t('alerts.form.geofence')}
        description={t('alerts.form.geofenceHint')}
        data={[
          { value: '', label: t('alerts.form.anyGeofence') },
          ...fences.map(({ id: value, name: label }) => ({ value, label })),
          ...(isGone ? [{ value: geofence, label: t('alerts.rules.missing') }] : []),
        ]}
        {...form.text('geofence')}
      />
    </div>
  );
}

/** What the routers test, how often, and how slow is too slow (LIV-04). */
export function RuleTestFields({ form }: { form: Form }): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <TestFields {...form.field('test')} />
      <div className="form__pair">
        <NativeSelect
          label={t('alerts.test.every')}
          data={TEST_MINUTES.map((minutes) => ({ value: String(minutes), label: spanText(minutes * 60, t) }))}
          {...form.text('everyMinutes')}
        />
        {form.values.test.tool !== 'traceroute' && (
          <TextInput
            label={t('alerts.test.slowerThan')}
            description={t('alerts.test.slowerHint')}
            descriptionBelow
            inputMode="numeric"
            maxLength={5}
            {...form.text('slowerThan')}
          />
        )}
      </div>
      <p className="dim">{t('alerts.test.hint')}</p>
    </>
  );
}
