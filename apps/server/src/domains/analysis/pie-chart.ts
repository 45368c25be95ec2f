import type { Drawable } from './analysis.service.ts';
import { type ChartInput, type Spec, type Category, categoriesOf, valueTitle, timesOf } from './chart-parts.ts';
import { chartMessages } from './chart.messages.ts';

/** A pie has at most this many slices; the rest is one slice. */
const MOST_SLICES = 12;

/** A pie and its legend, pixels. */
const PIE_WIDTH = 520;

export function pieChart(responded: Drawable, { chartType, language }: ChartInput): Spec {
  const { property, points } = responded;
  const all =
    typeof points[0]!.x === 'number'
      ? timesOf(responded).map(({ when, y }) => ({ label: when, y }))
      : categoriesOf(responded, language);
  const messages = chartMessages[language];
  const title = valueTitle(responded, chartType, language);
  return {
    description: `${messages.charts[chartType]}: ${property.names[language]}`,
    // The legend stands next to the pie, not at the far edge of a wide card.
    width: PIE_WIDTH,
    data: { values: slices(all, messages.other) },
    mark: { type: 'arc', innerRadius: 56, padAngle: 0.01, cornerRadius: 3 },
    encoding: {
      theta: { field: 'y', type: 'quantitative', stack: true },
      order: { field: 'y', type: 'quantitative', sort: 'descending' },
      color: { field: 'named', type: 'nominal', sort: null, title: property.names[language], legend: { labelLimit: 260 } },
      tooltip: [
        { field: 'label', type: 'nominal', title: property.names[language] },
        { field: 'y', type: 'quantitative', title },
        { field: 'share', type: 'nominal', title: messages.share },
      ],
    },
  };
}

/** A slice with its share, which the legend shows with its name. */
interface Slice extends Category {
  readonly share: string;
  readonly named: string;
}

function slices(all: readonly Category[], other: string): Slice[] {
  const total = all.reduce((sum, { y }) => sum + y, 0);
  const rest = all.slice(MOST_SLICES - 1);
  const shown =
    all.length <= MOST_SLICES
      ? all
      : [...all.slice(0, MOST_SLICES - 1), { label: other, y: rest.reduce((sum, { y }) => sum + y, 0) }];
  return shown.map((slice) => {
    const share = total === 0 ? '' : `${((slice.y / total) * 100).toFixed(1)}%`;
    return { ...slice, share, named: share === '' ? slice.label : `${slice.label} · ${share}` };
  });
}
