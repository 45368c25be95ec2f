import type { ReactNode } from 'react';
import './time-chart.css';

export interface ChoicesProps<Value extends string> {
  /** What is chosen. */
  readonly label: string;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** One of a few values, each a button: the range of a chart. */
export function Choices<Value extends string>({ label, options, value, onChange }: ChoicesProps<Value>): ReactNode {
  return (
    <div className="choices" role="group" aria-label={label}>
      {options.map((option) => (
        <button key={option.value} type="button" aria-pressed={option.value === value} onClick={() => onChange(option.value)}>
          {option.label}
        </button>
      ))}
    </div>
  );
}
