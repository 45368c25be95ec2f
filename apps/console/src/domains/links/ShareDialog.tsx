import { DEFAULT_GROUP_KEY } from '@highline/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useState } from 'react';
import { useTranslation } from '#i18n';
import { EntityDialog } from '../../api/EntityForm.tsx';
import { useEntityForm } from '../../api/useEntityForm.ts';
import { useSession } from '../../api/session.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { deviceQuery } from '../../entities/devices/device.api.ts';
import { GroupSelect, useChosenGroup } from '../../entities/groups/GroupSelect.tsx';
import { Check } from '../../ui/Check.tsx';
import { NativeSelect, TextInput } from '../../ui/controls/TextInput.tsx';
import { PickField } from '../../ui/form/PickField.tsx';
import { OptionList } from '../../ui/OptionList.tsx';
import { createLink, type NewLink, vehicleChoices } from './links.api.ts';

const HOURS = [1, 8, 24, 72, 168, 720] as const;

interface Draft {
  readonly kind: 'vehicle' | 'group';
  /** Id of a device; '' = none yet. */
  readonly device: string;
  readonly group: string;
  /** '' = not chosen yet: how long is a decision of a person. */
  readonly hours: string;
  readonly note: string;
  readonly showsNames: boolean;
}

const empty: Draft = {
  kind: 'vehicle',
  device: '',
  group: DEFAULT_GROUP_KEY,
  hours: '',
  note: '',
  showsNames: false,
};

export interface ShareDialogProps {
  /** What is shared, where a page has chosen it. */
  readonly device: string | undefined;
  readonly group: string | undefined;
  readonly onClose: () => void;
  readonly onCreated: (created: NewLink) => void;
}

/** What a new link shows, and for how long (RPM-06). */
export function ShareDialog({ device, group, onClose, onCreated }: ShareDialogProps): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const isMain = useSession().role === 'main';
  const isChosen = device !== undefined || group !== undefined;
  const start = { ...empty, kind: group === undefined ? ('vehicle' as const) : ('group' as const) };
  const [stored] = useState({ values: { ...start, device: device ?? '', group: group ?? empty.group } });
  const form = useEntityForm<Draft, NewLink>({
    stored,
    leave: 'free',
    normalize: (draft) => ({ ...draft, note: draft.note.trim() }),
    required: { hours: t('links.add.hours') },
    validate: ({ kind, device: chosen }) =>
      kind === 'vehicle' && chosen === '' ? { device: t('links.add.vehicleMissing') } : {},
    fieldOf: ({ key }) => (key === 'not_found' ? { device: t('links.add.gone') } : undefined),
    async save({ kind, device: id, group: key, note, showsNames, hours }) {
      const rest = { note, showsNames, hours: Number(hours) };
      if (kind === 'group') return createLink({ group: key, ...rest });
      // The main account says whose vehicle it is.
      const owner = isMain ? await client.fetchQuery(deviceQuery(id)) : null;
      return createLink({ device: id, ...rest, ...(owner === null ? {} : { org: owner.device.org }) });
    },
    refresh: ['links'],
    onSaved: onCreated,
  });
  const { values } = form;
  const isVehicle = values.kind === 'vehicle';
  const vehicle = useQuery({ ...deviceQuery(values.device), enabled: isVehicle && values.device !== '' });
  const chosenGroup = useChosenGroup(values.group, undefined, !isVehicle);
  const name = vehicle.data === null ? t('links.add.gone') : (vehicle.data?.device.device_name ?? '…');
  return (
    <EntityDialog form={form} title={t('links.add.title')} submit={t('links.add.submit')} onClose={onClose}>
      {!isChosen && (
        <NativeSelect
          label={t('links.add.kind')}
          data={[
            { value: 'vehicle', label: t('links.add.vehicle') },
            { value: 'group', label: t('links.add.group') },
          ]}
          {...form.text('kind')}
        />
      )}
      {isVehicle &&
        (isChosen ? (
          <TextInput label={t('links.add.vehicle')} value={name} error={form.field('device').error} readOnly />
        ) : (
          <VehicleSelect
            value={values.device}
            name={values.device === '' ? t('links.add.choose') : name}
            error={form.field('device').error}
            onChange={(chosen) => form.set({ device: chosen })}
          />
        ))}
      {!isVehicle && (
        <GroupSelect
          label={t('links.add.group')}
          value={chosenGroup}
          fixed={isChosen}
          onChange={(chosen) => form.set({ group: chosen })}
        />
      )}
      <NativeSelect
        label={t('links.add.hours')}
        data={[
          { value: '', label: t('links.add.choose') },
          ...HOURS.map((hours) => ({ value: String(hours), label: t(`links.add.for.h${hours}`) })),
        ]}
        {...form.text('hours')}
      />
      <TextInput
        label={t('links.add.note')}
        description={t('links.add.noteHint')}
        maxLength={120}
        autoComplete="off"
        {...form.text('note')}
      />
      <Check label={t('links.add.names')} checked={values.showsNames} onChange={(showsNames) => form.set({ showsNames })} />
    </EntityDialog>
  );
}

interface VehicleSelectProps {
  readonly value: string;
  /** As the closed field says it. */
  readonly name: string;
  readonly error: string | undefined;
  readonly onChange: (device: string) => void;
}

/** A vehicle of the organization; the server searches, however many there are. */
function VehicleSelect({ value, name, error, onChange }: VehicleSelectProps): ReactNode {
  const { t } = useTranslation();
  return (
    <PickField label={t('links.add.vehicle')} shown={name} empty={value === ''} error={error} required>
      {(close) => (
        <VehicleOptions
          value={value}
          onPick={(device) => {
            close();
            onChange(device);
          }}
        />
      )}
    </PickField>
  );
}

function VehicleOptions({ value, onPick }: { value: string; onPick: (device: string) => void }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [text, setText] = useState('');
  const { data, error } = useQuery(vehicleChoices(useDeferredValue(text.trim())));
  const options = (data?.options ?? []).map(({ device, device_name: label, serial_number: serial }) => ({
    value: device,
    label,
    ...(label === serial ? {} : { hint: serial }),
  }));
  return (
    <>
      <OptionList
        label={t('links.add.vehicle')}
        options={options}
        selected={value}
        searchable
        onSearch={setText}
        onPick={onPick}
      />
      {error !== null && (
        <p className="bad pick-field__more" role="alert">
          {errorText(error)}
        </p>
      )}
      {(data?.total ?? 0) > options.length && <p className="dim pick-field__more">{t('links.add.more')}</p>}
    </>
  );
}
