import { TextInput } from '../../ui/controls/TextInput.tsx';
import type { ReactNode } from 'react';
import type { EntityForm } from '../../api/entity-form.ts';

export interface PersonFieldsProps {
  readonly form: Pick<EntityForm<{ readonly name: string; readonly email: string }>, 'text' | 'touch'>;
  /** What happens with the address. */
  readonly hint: string;
}

/** Name and email address of a person who is invited by email. */
export function PersonFields({ form, hint }: PersonFieldsProps): ReactNode {
  const common = (field: 'name' | 'email') => ({
    autoComplete: 'off',
    onBlur: () => form.touch(field),
    ...form.text(field),
  });
  return (
    <>
      <TextInput maxLength={100} {...common('name')} />
      <TextInput type="email" description={hint} {...common('email')} />
    </>
  );
}
