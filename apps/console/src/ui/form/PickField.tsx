import { IconChevronDown } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { Popup } from '../Popup.tsx';
import './form.css';

export interface PickFieldProps {
  readonly label: string;
  /** The label of the choice while the field is closed. */
  readonly shown: string;
  /** Nothing is chosen: `shown` is the placeholder. */
  readonly empty: boolean;
  readonly error?: string | undefined;
  /** Below the field: details of the choice. */
  readonly note?: ReactNode;
  readonly required?: boolean;
  /** The choices, drawn only while open. */
  readonly children: (close: () => void) => ReactNode;
}

/** A form field with too many choices for a select: a button that opens a list searched by the server. */
export function PickField({ label, shown, empty, error, note, required = false, children }: PickFieldProps): ReactNode {
  const id = useId();
  const about = `${error === undefined ? '' : `${id}-error`} ${note === undefined ? '' : `${id}-note`}`.trim();
  return (
    <div className="pick-field">
      <span id={`${id}-label`} className="field-label">
        {label}
        {required && (
          <span className="pick-field__star" aria-hidden="true">
            {' *'}
          </span>
        )}
      </span>
      <Popup
        className="pick-field__popup"
        trigger={(trigger) => (
          <button
            type="button"
            className="pick-field__button"
            aria-labelledby={`${id}-label ${id}-value`}
            aria-describedby={about === '' ? undefined : about}
            data-invalid={error !== undefined || undefined}
            {...trigger}
          >
            <span id={`${id}-value`} className={empty ? 'dim' : undefined}>
              {shown}
            </span>
            <IconChevronDown size={16} aria-hidden="true" />
          </button>
        )}
      >
        {children}
      </Popup>
      {note !== undefined && (
        <p id={`${id}-note`} className="dim">
          {note}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} className="bad" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
