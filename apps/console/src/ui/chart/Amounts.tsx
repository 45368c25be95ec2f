import { findChartBase } from '@highline/contract';
import type { ReactNode } from 'react';
import { formatNumber } from '../time/format.ts';
import { CHART_COLORS, chartColor } from './palette.ts';
import './time-chart.css';

/** A named number. */
export interface Amount {
  readonly label: string;
  readonly value: number;
  /** Place of its colour in the palette, from 1; without it, that of its rank. */
  readonly color?: number | undefined;
}

const RADIUS = 40;
const CIRCUMFERENCE = 2 * Math.PI * RADIUS;

/** Numbers as parts of their sum, the greatest first; those after the fifth are one part. @param other its label */
export function Shares({ amounts, other }: { amounts: readonly Amount[]; other: string }): ReactNode {
  const sorted = amounts.toSorted((one, two) => two.value - one.value);
  const rest = sorted.slice(CHART_COLORS.length);
  const parts =
    rest.length === 0
      ? sorted
      : [...sorted.slice(0, CHART_COLORS.length), { label: other, value: rest.reduce((sum, { value }) => sum + value, 0) }];
  const total = parts.reduce((sum, { value }) => sum + value, 0) || 1;
  return (
    <div className="shares">
      <svg viewBox="0 0 100 100" className="drawn" aria-hidden="true">
        {parts.map(({ label, value, color }, index) => {
          const length = (value / total) * CIRCUMFERENCE;
          const before = parts.slice(0, index).reduce((sum, part) => sum + part.value, 0);
          return (
            <circle
              key={label}
              cx="50"
              cy="50"
              r={RADIUS}
              style={{ stroke: chartColor(color ?? index + 1) }}
              strokeDasharray={`${length} ${CIRCUMFERENCE - length}`}
              strokeDashoffset={-(before / total) * CIRCUMFERENCE}
              transform="rotate(-90 50 50)"
            />
          );
        })}
      </svg>
      <ul>
        {parts.map(({ label, value, color }, index) => (
          <li key={label}>
            <i style={{ background: chartColor(color ?? index + 1) }} aria-hidden="true" />
            <span>{label}</span>
            <span className="num">
              {formatNumber(value)} · {((value / total) * 100).toFixed(1)}%
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Numbers as bars in their order: from zero to the one farthest from it, or from a base below numbers that are all negative. */
export function Bars({ amounts, label }: { amounts: readonly Amount[]; label: string }): ReactNode {
  const base = findChartBase(amounts.map(({ value }) => value)) ?? 0;
  const lengthOf = ({ value }: Amount) => Math.abs(value - base);
  const most = Math.max(...amounts.map(lengthOf)) || 1;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling list must be reachable by keyboard
    <ul className="amounts" tabIndex={0} aria-label={label}>
      {amounts.map((amount, index) => (
        // Two of them may have the same label.
        <li key={`${index} ${amount.label}`}>
          <span>{amount.label}</span>
          <span className="num">{formatNumber(amount.value)}</span>
          <span className="amounts__bar" aria-hidden="true">
            <i style={{ width: `${(lengthOf(amount) / most) * 100}%` }} />
          </span>
        </li>
      ))}
    </ul>
  );
}
