import { type ReactNode, useId } from 'react';
import './inputs.css';

/** What every field of a form has around its input. */
export interface FieldProps {
  readonly label?: ReactNode;
  /** What is to be entered, above the input. */
  readonly description?: ReactNode;
  /** The description stands below the input. */
  readonly descriptionBelow?: boolean | undefined;
  readonly error?: ReactNode;
  /** Marks a field that has to be filled. */
  readonly withAsterisk?: boolean | undefined;
  readonly className?: string | undefined;
}

/** The attributes by which an input is named and described by its field. */
export interface FieldInput {
  readonly id: string;
  readonly 'aria-invalid': true | undefined;
  readonly 'aria-describedby': string | undefined;
}

/** A label, a description and an error around an input. @param id of the input; minted when left out */
export function Field(props: FieldProps & { id?: string | undefined; children: (input: FieldInput) => ReactNode }): ReactNode {
  const minted = useId();
  const { id = minted, label, description, descriptionBelow = false, error, withAsterisk = false, className = '' } = props;
  const isInvalid = Boolean(error);
  const note = Boolean(description) && (
    <p id={`${id}-description`} className="field__note">
      {description}
    </p>
  );
  const describedBy = [isInvalid && error !== true && `${id}-error`, note !== false && `${id}-description`]
    .filter(Boolean)
    .join(' ');
  return (
    <div className={`field ${className}`.trim()} data-invalid={isInvalid || undefined}>
      {Boolean(label) && (
        <label className="field__label" htmlFor={id} id={`${id}-label`}>
          {label}
          {withAsterisk && (
            <span className="field__star" aria-hidden="true">
              {' *'}
            </span>
          )}
        </label>
      )}
      {!descriptionBelow && note}
      {props.children({
        id,
        'aria-invalid': isInvalid || undefined,
        'aria-describedby': describedBy === '' ? undefined : describedBy,
      })}
      {descriptionBelow && note}
      {isInvalid && error !== true && (
        <p id={`${id}-error`} className="field__error">
          {error}
        </p>
      )}
    </div>
  );
}

/** The parts of a field's props, and what is left for its input. */
export function splitField<Props extends FieldProps>(
  props: Props,
): { readonly field: FieldProps; readonly input: Omit<Props, keyof FieldProps> } {
  const { label, description, descriptionBelow, error, withAsterisk, className, ...input } = props;
  return { field: { label, description, descriptionBelow, error, withAsterisk, className }, input };
}
