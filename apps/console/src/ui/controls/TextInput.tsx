import type { ComponentProps, ReactNode } from 'react';
import { Field, type FieldProps, splitField } from './Field.tsx';

export type TextInputProps = FieldProps &
  Omit<ComponentProps<'input'>, keyof FieldProps | 'children'> & {
    /** Within the field, at its end: a button or an icon. */
    readonly rightSection?: ReactNode;
  };

/** A line of text. */
export function TextInput({ rightSection, ...props }: TextInputProps): ReactNode {
  const { field, input } = splitField(props);
  return (
    <Field {...field} id={input.id}>
      {(named) => (
        <span className="input" data-with-section={rightSection !== undefined || undefined}>
          <input type="text" {...input} {...named} className="input__field" />
          {rightSection !== undefined && <span className="input__section">{rightSection}</span>}
        </span>
      )}
    </Field>
  );
}

export type TextareaProps = FieldProps & Omit<ComponentProps<'textarea'>, keyof FieldProps | 'children'>;

/** Several lines of text. */
export function Textarea(props: TextareaProps): ReactNode {
  const { field, input } = splitField(props);
  return (
    <Field {...field} id={input.id}>
      {(named) => (
        <span className="input">
          <textarea {...input} {...named} className="input__field" />
        </span>
      )}
    </Field>
  );
}

export interface SelectChoice {
  readonly value: string;
  readonly label: string;
  readonly disabled?: boolean;
}

export type NativeSelectProps = FieldProps &
  Omit<ComponentProps<'select'>, keyof FieldProps | 'children'> & {
    readonly data: readonly (SelectChoice | string)[];
  };

/** A choice of the browser's own list. A value that is not in it, since the list is still loading, does not look like the first choice. */
export function NativeSelect({ data, ...props }: NativeSelectProps): ReactNode {
  const { field, input } = splitField(props);
  const { value: chosen } = input;
  const isListed =
    typeof chosen !== 'string' || data.some((choice) => (typeof choice === 'string' ? choice : choice.value) === chosen);
  return (
    <Field {...field} id={input.id}>
      {(named) => (
        <span className="input input--select">
          <select {...input} {...named} className="input__field">
            {!isListed && (
              <option value={chosen} hidden>
                …
              </option>
            )}
            {data.map((choice) => {
              const { value, label, disabled } =
                typeof choice === 'string' ? { value: choice, label: choice, disabled: false } : choice;
              return (
                <option key={value} value={value} disabled={disabled}>
                  {label}
                </option>
              );
            })}
          </select>
        </span>
      )}
    </Field>
  );
}
