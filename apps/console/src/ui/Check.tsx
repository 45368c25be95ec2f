import type { ReactNode } from 'react';
import './check.css';

export interface CheckProps {
  /** The accessible name; also shown next to the box unless `bare`. */
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly bare?: boolean;
  /** Some of the items it represents are selected. */
  readonly partly?: boolean;
  readonly disabled?: boolean;
  /** Looks and reads disabled but stays focusable, so that its reason can be reached. */
  readonly blocked?: boolean;
  readonly describedBy?: string | undefined;
}

/** A checkbox: the browser's own, in our accent colour. */
export function Check(props: CheckProps): ReactNode {
  const { label, checked, onChange, bare = false, partly = false, disabled = false, blocked = false, describedBy } = props;
  const box = (
    <input
      type="checkbox"
      className="check"
      ref={(element) => {
        if (element !== null) element.indeterminate = partly;
      }}
      aria-label={bare ? label : undefined}
      aria-disabled={blocked || undefined}
      aria-describedby={describedBy}
      checked={checked}
      disabled={disabled}
      onChange={(event) => {
        if (!blocked) onChange(event.currentTarget.checked);
      }}
    />
  );
  if (bare) return box;
  return (
    <label className="check-line">
      {box}
      {label}
    </label>
  );
}
