import { DEFAULT_GROUP_KEY } from '@highline/contract';
import { TextInput } from '../../ui/controls/TextInput.tsx';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useState } from 'react';
import { useTranslation } from '#i18n';
import { useErrorText } from '../../api/useErrorText.ts';
import { PickField } from '../../ui/form/PickField.tsx';
import { OptionList } from '../../ui/OptionList.tsx';
import { groupChoices, groupQuery } from './group.api.ts';

/** A group by its key, as a form names it. */
export interface ChosenGroup {
  readonly group: string;
  readonly name: string;
}

/** The default group of every organization; its name cannot be changed. */
const home: ChosenGroup = { group: DEFAULT_GROUP_KEY, name: 'default' };

/**
 * The chosen group; the default group if it does not belong to this organization.
 * @param org chosen by the main account; undefined = the user's own
 */
export function useChosenGroup(group: string, org: string | undefined, enabled: boolean): ChosenGroup {
  const shouldFetch = enabled && group !== DEFAULT_GROUP_KEY;
  const { data, isError } = useQuery({ ...groupQuery(group, org), enabled: shouldFetch });
  if (!shouldFetch || data === null) return home;
  return { group, name: data?.group.groupName ?? (isError ? group : '') };
}

function Choices({
  label,
  org,
  value,
  onPick,
}: Pick<GroupSelectProps, 'label' | 'org' | 'value'> & { onPick: (group: string) => void }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [text, setText] = useState('');
  const { data, error } = useQuery(groupChoices(useDeferredValue(text.trim()), org));
  const options = (data?.options ?? []).map(({ group, groupName }) => ({ value: group, label: groupName }));
  return (
    <>
      <OptionList label={label} options={options} selected={value.group} searchable onSearch={setText} onPick={onPick} />
      {error !== null && (
        <p className="bad pick-field__more" role="alert">
          {errorText(error)}
        </p>
      )}
      {(data?.total ?? 0) > options.length && <p className="dim pick-field__more">{t('devices.filter.moreGroups')}</p>}
    </>
  );
}

export interface GroupSelectProps {
  readonly label: string;
  readonly value: ChosenGroup;
  /** The organization whose groups are offered; undefined = the user's own. */
  readonly org?: string | undefined;
  readonly error?: string | undefined;
  readonly required?: boolean;
  /** It can be read and not changed: by this person, or before there is an organization to choose from. */
  readonly fixed?: boolean;
  readonly onChange: (group: string) => void;
}

/** The group of a device; the server searches, however many there are. */
export function GroupSelect({ onChange, fixed = false, ...props }: GroupSelectProps): ReactNode {
  const { label, value, error, required = false } = props;
  if (fixed) return <TextInput label={label} value={value.name} error={error} readOnly />;
  return (
    <PickField label={label} shown={value.name} empty={false} error={error} required={required}>
      {(close) => (
        <Choices
          {...props}
          onPick={(group) => {
            close();
            onChange(group);
          }}
        />
      )}
    </PickField>
  );
}
