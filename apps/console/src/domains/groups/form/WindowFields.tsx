import { networks } from '@highline/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { geofencesQuery } from '../../../entities/geofences/geofence.api.ts';
import { Check } from '../../../ui/Check.tsx';
import { NativeSelect, TextInput } from '../../../ui/controls/TextInput.tsx';
import { ChoicesField } from '../../../ui/form/ChoicesField.tsx';
import { useZone } from '../../../ui/time/zone.ts';
import { isInRange, type WindowDraft, type WindowNumber, windowRanges } from './rollout-draft.ts';

const weekdays = [1, 2, 3, 4, 5, 6, 0] as const;
const dayTexts = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
/** The texts of the conditions that are numbers. */
export const windowTexts = {
  ignitionOffMinutes: 'ignition',
  stillMinutes: 'still',
  minVoltage: 'voltage',
  minSignal: 'signal',
} as const;

export interface WindowFieldsProps {
  readonly draft: WindowDraft;
  /** The rollout before has one. */
  readonly canKeep?: boolean;
  readonly onChange: (part: Partial<WindowDraft>) => void;
}

function Hours({ draft, onChange }: WindowFieldsProps): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  return (
    <div className="update-window__hours">
      <div className="update-window__days">
        {weekdays.map((day) => (
          <Check
            key={day}
            label={t(`rolloutOptions.window.day.${dayTexts[day]}`)}
            checked={draft.days.includes(day)}
            onChange={(checked) =>
              onChange({ days: weekdays.filter((each) => (each === day ? checked : draft.days.includes(each))) })
            }
          />
        ))}
      </div>
      <div className="safety-limits">
        <TextInput
          type="time"
          label={t('rolloutOptions.window.from')}
          value={draft.from}
          onChange={({ currentTarget }) => onChange({ from: currentTarget.value })}
        />
        <TextInput
          type="time"
          label={t('rolloutOptions.window.until')}
          value={draft.until}
          onChange={({ currentTarget }) => onChange({ until: currentTarget.value })}
        />
      </div>
      <p className="dim">{t('rolloutOptions.window.untilHint')}</p>
      <Check label={t('rolloutOptions.window.local')} checked={draft.isLocal} onChange={(isLocal) => onChange({ isLocal })} />
      <p className="dim">{t(draft.isLocal ? 'rolloutOptions.window.localHint' : 'rolloutOptions.window.zoneHint', { zone })}</p>
    </div>
  );
}

/** When routers may update: hours, parked, standing still, in a geofence, with enough voltage or signal, on an uplink (WIN-02). */
export function WindowFields({ draft, canKeep = false, onChange }: WindowFieldsProps): ReactNode {
  const { t } = useTranslation();
  const kind = canKeep && draft.keeps ? 'asBefore' : draft.isLimited ? 'only' : 'any';
  const fences = useQuery(geofencesQuery()).data ?? [];
  const number = (condition: WindowNumber) => {
    const field = t(`rolloutOptions.window.${windowTexts[condition]}`);
    const [least, most] = windowRanges[condition];
    return (
      <TextInput
        label={field}
        inputMode="decimal"
        maxLength={5}
        autoComplete="off"
        value={draft[condition]}
        error={!isInRange(condition, draft[condition]) && t('rolloutOptions.window.range', { field, least, most })}
        onChange={({ currentTarget }) => onChange({ [condition]: currentTarget.value.replaceAll(/[^\d.-]/gu, '') })}
      />
    );
  };
  return (
    <>
      <NativeSelect
        label={t('rolloutOptions.window.label')}
        value={kind}
        data={[
          ...(canKeep ? [{ value: 'asBefore', label: t('rolloutOptions.asBefore') }] : []),
          ...(['any', 'only'] as const).map((value) => ({ value, label: t(`rolloutOptions.window.${value}`) })),
        ]}
        onChange={({ currentTarget: { value } }) =>
          onChange(value === 'asBefore' ? { keeps: true } : { isLimited: value === 'only' })
        }
      />
      {kind === 'only' && (
        <fieldset className="update-window" aria-label={t('rolloutOptions.window.only')}>
          <Check
            label={t('rolloutOptions.window.hours')}
            checked={draft.hasHours}
            onChange={(hasHours) => onChange({ hasHours })}
          />
          {draft.hasHours && <Hours draft={draft} onChange={onChange} />}
          {number('ignitionOffMinutes')}
          {number('stillMinutes')}
          {(fences.length > 0 || draft.geofences.length > 0) && (
            <ChoicesField
              label={t('rolloutOptions.window.geofences')}
              data={fences.map(({ id, name }) => ({ value: id, label: name }))}
              value={draft.geofences}
              onChange={(geofences) => onChange({ geofences })}
            />
          )}
          <div className="safety-limits">
            {number('minVoltage')}
            {number('minSignal')}
          </div>
          <ChoicesField
            label={t('rolloutOptions.window.uplinks')}
            data={networks.uplinkKinds.map((kind) => ({ value: kind, label: t(`rolloutOptions.window.uplink.${kind}`) }))}
            value={draft.uplinks}
            onChange={(uplinks) => onChange({ uplinks: networks.uplinkKinds.filter((kind) => uplinks.includes(kind)) })}
          />
        </fieldset>
      )}
    </>
  );
}
