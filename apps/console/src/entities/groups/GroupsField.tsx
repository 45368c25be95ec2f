import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useState } from 'react';
import { ChoicesField } from '../../ui/form/ChoicesField.tsx';
import { groupChoices } from './group.api.ts';

/** A group by its key. */
export interface NamedGroup {
  readonly id: string;
  readonly name: string;
}

export interface GroupsFieldProps {
  readonly label: string;
  readonly description?: string;
  readonly value: readonly NamedGroup[];
  /** The organization whose groups are offered; undefined = the user's own. */
  readonly org?: string | undefined;
  readonly onChange: (chosen: NamedGroup[]) => void;
}

/** Several groups; the server searches, however many there are, and chosen ones keep their names. */
export function GroupsField({ value, org, onChange, ...texts }: GroupsFieldProps): ReactNode {
  const [text, setText] = useState('');
  const { data } = useQuery(groupChoices(useDeferredValue(text.trim()), org));
  const offered = (data?.options ?? []).map(({ group, groupName }) => ({ id: group, name: groupName }));
  const all = [...value, ...offered.filter(({ id }) => !value.some((each) => each.id === id))];
  return (
    <ChoicesField
      {...texts}
      data={all.map(({ id, name }) => ({ value: id, label: name }))}
      value={value.map(({ id }) => id)}
      onSearch={setText}
      onChange={(ids) => onChange(all.filter(({ id }) => ids.includes(id)))}
    />
  );
}
