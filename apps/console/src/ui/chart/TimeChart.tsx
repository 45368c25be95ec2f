import { type PointerEvent, type ReactNode, useState } from 'react';
import { useZone } from '../time/zone.ts';
import { nearest, runsOf, type Span, type TimePoint } from './points.ts';
import { timeTicks, type ValueScale } from './scale.ts';
import './time-chart.css';

/** A range of values with a meaning. */
export interface Band extends Pick<ValueScale, 'min' | 'max'> {
  readonly tone: 'good' | 'fair' | 'poor';
}

export interface TimeChartProps<Point extends TimePoint = TimePoint> {
  /** Its accessible name. */
  readonly label: string;
  /** In order of time, at least one. */
  readonly points: readonly Point[];
  /** Epoch seconds of the left and the right edge. */
  readonly from: number;
  readonly until: number;
  readonly scale: ValueScale;
  /** A value of the axis as text. */
  readonly tickText: (value: number) => string;
  /** A point as text: its value and time. */
  readonly pointText: (point: Point) => string;
  /** More seconds than this between two points break the line. */
  readonly gap: number;
  /** Times in which there was nothing to measure: shaded, and the line is broken. */
  readonly breaks?: readonly Span[];
  readonly bands?: readonly Band[];
  readonly mark?: 'line' | 'area' | 'bar';
  readonly tone?: 'accent' | 'ok';
  /** The time (epoch seconds) that is shown while neither a pointer nor the keyboard names a point. */
  readonly shownAt?: number | undefined;
  /** A pointer or the keyboard named the point of this time. */
  readonly onChoose?: (at: number) => void;
}

const WIDTH = 600;
const HEIGHT = 100;

type Place = (value: number) => number;

/** The points of a run as a path; one alone is a short line, so that it is visible. */
function pathOf(run: readonly TimePoint[], x: Place, y: Place, value = (point: TimePoint) => point.value): string {
  const steps = run.map((point) => `${x(point.at).toFixed(1)} ${y(value(point)).toFixed(1)}`);
  return `M${steps.join('L')}${steps.length === 1 ? 'h0.01' : ''}`;
}

function Run({ run, mark, x, y }: { run: readonly TimePoint[]; mark: TimeChartProps['mark']; x: Place; y: Place }): ReactNode {
  const hasRange = run.some(({ low, high }) => low !== high);
  const upper = pathOf(run, x, y, ({ value, high = value }) => high);
  const lower = pathOf(run.toReversed(), x, y, ({ value, low = value }) => low).replace(/^M/u, 'L');
  const [first, last] = [run[0]!, run.at(-1)!];
  return (
    <>
      {hasRange && run.length > 1 && <path className="time-chart__range" d={`${upper}${lower}Z`} />}
      {mark === 'area' && run.length > 1 && (
        <path
          className="time-chart__range"
          d={`${pathOf(run, x, y)}L${x(last.at).toFixed(1)} ${HEIGHT}L${x(first.at).toFixed(1)} ${HEIGHT}Z`}
        />
      )}
      <path className="time-chart__line" d={pathOf(run, x, y)} />
    </>
  );
}

function Plot({
  points,
  from,
  until,
  scale,
  gap,
  breaks = [],
  bands = [],
  mark = 'line',
  named,
}: Omit<TimeChartProps, 'pointText'> & { named: TimePoint | undefined }): ReactNode {
  const x: Place = (at) => Math.min(WIDTH, Math.max(0, ((at - from) / (until - from)) * WIDTH));
  const y: Place = (value) => Math.min(HEIGHT, Math.max(0, ((scale.max - value) / (scale.max - scale.min)) * HEIGHT));
  // Bars of negative values stand on the least value of the scale: the greatest is the longest.
  const base = points.some(({ value }) => value >= 0) ? 0 : scale.min;
  return (
    <svg className="time-chart__plot drawn" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {bands.map(({ min, max, tone }) => (
        <rect
          key={tone}
          className="time-chart__band"
          data-tone={tone}
          x="0"
          width={WIDTH}
          y={y(max)}
          height={Math.max(0, y(min) - y(max))}
        />
      ))}
      {breaks.map(([start, end]) => (
        <rect
          key={start}
          className="time-chart__break"
          x={x(start)}
          width={Math.max(0, x(end) - x(start))}
          y="0"
          height={HEIGHT}
        />
      ))}
      {scale.ticks.map((tick) => (
        <line key={tick} className="time-chart__grid" x1="0" x2={WIDTH} y1={y(tick)} y2={y(tick)} />
      ))}
      {mark === 'bar'
        ? points.map((point) => (
            <line key={point.at} className="time-chart__bar" x1={x(point.at)} x2={x(point.at)} y1={y(base)} y2={y(point.value)} />
          ))
        : runsOf(points, gap, breaks).map((run) => <Run key={run[0]!.at} run={run} mark={mark} x={x} y={y} />)}
      {named !== undefined && (
        <>
          <line className="time-chart__cursor" x1={x(named.at)} x2={x(named.at)} y1="0" y2={HEIGHT} />
          <path className="time-chart__dot" d={`M${x(named.at)} ${y(named.value)}h0.01`} />
        </>
      )}
    </svg>
  );
}

function Axis({ scale, tickText }: Pick<TimeChartProps, 'scale' | 'tickText'>): ReactNode {
  return (
    <div className="time-chart__axis num" aria-hidden="true">
      {scale.ticks.toReversed().map((tick) => (
        <span key={tick} style={{ top: `${((scale.max - tick) / (scale.max - scale.min)) * 100}%` }}>
          {tickText(tick)}
        </span>
      ))}
      <i>{scale.ticks.map(tickText).reduce((longest, text) => (text.length > longest.length ? text : longest), '')}</i>
    </div>
  );
}

/**
 * Values over time. A pointer or the arrow keys name a point by a line through it and the text above the chart; without either that text is
 * about the last one. Drawn without a library: a page with charts stays light.
 */
export function TimeChart<Point extends TimePoint>(props: TimeChartProps<Point>): ReactNode {
  const { label, points, from, until, scale, tickText, pointText, tone = 'accent', shownAt, onChoose } = props;
  const zone = useZone();
  const [chosen, setChosen] = useState<number>();
  const last = points.length - 1;
  const named = chosen ?? (shownAt === undefined ? undefined : nearest(points, shownAt));
  const at = named === undefined ? undefined : Math.min(named, last);
  const shown = points[at ?? last];
  const text = shown === undefined ? '' : pointText(shown);
  const choose = (index: number) => {
    setChosen(index);
    const point = points[index];
    if (point !== undefined) onChoose?.(point.at);
  };
  const onPointer = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    choose(nearest(points, from + ((clientX - left) / width) * (until - from)));
  };
  return (
    <div className="time-chart" data-tone={tone}>
      <p className="time-chart__text num">{text}</p>
      <div className="time-chart__body">
        <Axis scale={scale} tickText={tickText} />
        <div className="time-chart__area" onPointerMove={onPointer} onPointerLeave={() => setChosen(undefined)}>
          <Plot {...props} named={at === undefined ? undefined : shown} />
          <input
            type="range"
            className="time-chart__keys"
            aria-label={label}
            aria-valuetext={text}
            min={0}
            max={last}
            value={at ?? last}
            onFocus={() => setChosen(at ?? last)}
            onBlur={() => setChosen(undefined)}
            onChange={({ target }) => choose(Number(target.value))}
          />
        </div>
        <div className="time-chart__times num" aria-hidden="true">
          {timeTicks(from, until, zone).map(({ at: tick, text: time }) => {
            const place = (tick - from) / (until - from);
            return (
              <span
                key={tick}
                style={{ left: `${place * 100}%` }}
                data-edge={place < 0.05 ? 'start' : place > 0.95 ? 'end' : undefined}
              >
                {time}
              </span>
            );
          })}
        </div>
      </div>
    </div>
  );
}
