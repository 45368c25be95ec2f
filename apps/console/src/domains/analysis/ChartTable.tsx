import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { formatNumber } from '../../ui/time/format.ts';
import { useZone } from '../../ui/time/zone.ts';
import type { Chart } from './analysis.api.ts';
import { pointLabels } from './points.ts';
import { columnsOf } from './title.ts';

/** The values of a chart as a table, for screen readers and for exact values. */
export function ChartTable({ chart, title }: { chart: Chart; title: string }): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  const [label, value] = columnsOf(chart, t);
  const labelOf = pointLabels(chart, zone, t);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard
    <div className="chart__table" tabIndex={0} role="region" aria-label={title}>
      <table>
        <thead>
          <tr>
            <th scope="col">{label}</th>
            <th scope="col" className="num">
              {value}
            </th>
          </tr>
        </thead>
        <tbody>
          {chart.points.map((point) => (
            <tr key={`${point.x} ${point.label ?? ''}`}>
              <td>{labelOf(point)}</td>
              <td className="num">{formatNumber(point.y)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
