import { NativeSelect } from '../../ui/controls/TextInput.tsx';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useState } from 'react';
import { useTranslation } from '#i18n';
import { useErrorText } from '../../api/useErrorText.ts';
import { PickField } from '../../ui/form/PickField.tsx';
import { OptionList } from '../../ui/OptionList.tsx';
import { groupChoices } from '../../entities/groups/group.api.ts';
import { useDeviceName, useGroupName } from './names.ts';
import { deviceChoices } from './reports.api.ts';
import { propertyName } from './property.ts';
import { useProperties } from './useProperties.ts';

interface PickerProps {
  /** Empty for no choice. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The label for no choice. */
  readonly none: string;
  readonly error?: string | undefined;
  readonly required?: boolean;
}

interface OfferProps {
  readonly label: string;
  readonly none: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string; readonly hint?: string }[];
  readonly more: boolean;
  readonly error: Error | null;
  readonly text: string;
  readonly onSearch: (text: string) => void;
  readonly onPick: (value: string) => void;
}

/** The search results of the server, with an option for no choice, and a hint if there are more. */
function Offer({ label, none, value, options, more, error, text, onSearch, onPick }: OfferProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  return (
    <>
      <OptionList
        label={label}
        options={text === '' ? [{ value: '', label: none }, ...options] : options}
        selected={value}
        searchable
        onSearch={onSearch}
        onPick={onPick}
      />
      {error !== null && (
        <p className="bad pick-field__more" role="alert">
          {errorText(error)}
        </p>
      )}
      {more && <p className="dim pick-field__more">{t('reports.more')}</p>}
    </>
  );
}

type ChoicesProps = Pick<PickerProps, 'value' | 'none'> & {
  readonly label: string;
  readonly onPick: (value: string) => void;
};

function GroupChoices(props: ChoicesProps): ReactNode {
  const [text, setText] = useState('');
  const { data, error } = useQuery(groupChoices(useDeferredValue(text.trim())));
  const options = (data?.options ?? []).map(({ group, groupName }) => ({ value: group, label: groupName }));
  return (
    <Offer {...props} text={text} options={options} more={(data?.total ?? 0) > options.length} error={error} onSearch={setText} />
  );
}

function DeviceChoices({ group, ...props }: ChoicesProps & { group: string }): ReactNode {
  const [text, setText] = useState('');
  const { data, error } = useQuery(deviceChoices(group === '' ? undefined : group, useDeferredValue(text.trim())));
  const options = (data?.options ?? []).map((device) => ({
    value: device.device_id,
    label: device.device_name,
    hint: device.device_type_name,
  }));
  return (
    <Offer {...props} text={text} options={options} more={(data?.total ?? 0) > options.length} error={error} onSearch={setText} />
  );
}

/** A group of the organization; however many there are, the server finds them. */
export function GroupField({ value, onChange, none, error, required = false }: PickerProps): ReactNode {
  const { t } = useTranslation();
  const name = useGroupName(value);
  const label = t('reports.field.group');
  return (
    <PickField label={label} shown={value === '' ? none : name} empty={value === ''} error={error} required={required}>
      {(close) => (
        <GroupChoices
          label={label}
          none={none}
          value={value}
          onPick={(group) => {
            close();
            onChange(group);
          }}
        />
      )}
    </PickField>
  );
}

/** A device of the organization, of one group where one is chosen. */
export function DeviceField({ value, onChange, none, error, group }: PickerProps & { group: string }): ReactNode {
  const { t } = useTranslation();
  const name = useDeviceName(value);
  const label = t('reports.field.device');
  return (
    <PickField label={label} shown={value === '' ? none : name} empty={value === ''} error={error}>
      {(close) => (
        <DeviceChoices
          label={label}
          none={none}
          value={value}
          group={group}
          onPick={(device) => {
            close();
            onChange(device);
          }}
        />
      )}
    </PickField>
  );
}

/** One of the values routers report over time, with its unit. @param shownUnit of a stored one, left out: the stored one */
export function PropertyField({
  value,
  onChange,
  none,
  error,
  required = false,
  shownUnit = (unit) => unit,
}: PickerProps & { readonly shownUnit?: (stored: string) => string }): ReactNode {
  const { t } = useTranslation();
  const properties = useProperties();
  const known = properties.map(({ property_id, property_name, unit }) => {
    const name = propertyName(property_id, property_name, t);
    return { value: property_id, label: unit === '' ? name : t('reports.withUnit', { name, unit: shownUnit(unit) }) };
  });
  const chosen = value === '' || known.some((one) => one.value === value) ? [] : [{ value, label: value }];
  return (
    <NativeSelect
      label={t('reports.field.property')}
      value={value}
      data={[{ value: '', label: none }, ...known, ...chosen]}
      error={error}
      withAsterisk={required}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
