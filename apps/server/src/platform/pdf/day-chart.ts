import type { DocumentBlock, Shape } from './document.ts';
import { DRAWING_WIDTH } from './drawing.ts';

const HEIGHT = 110;

/** A bar for each day. @param days ISO days in their order @param values by day; a day without one is 0 @param text a value of the axis */
export function drawDays(
  days: readonly string[],
  values: ReadonlyMap<string, number>,
  text: (value: number) => string,
): DocumentBlock {
  const most = Math.max(Number.MIN_VALUE, ...values.values());
  const [left, foot, height] = [48, HEIGHT - 14, HEIGHT - 24];
  const width = (DRAWING_WIDTH - left) / days.length;
  const bars = days.flatMap((day, index): Shape[] => {
    const tall = ((values.get(day) ?? 0) / most) * height;
    const x = left + index * width;
    return tall === 0 ? [] : [{ path: `M${x} ${foot}v${-tall}h${width * 0.8}v${tall}Z`, fill: 'accent' }];
  });
  const every = Math.ceil(days.length / 10);
  const names = days.flatMap((day, index): Shape[] =>
    index % every === 0 ? [{ text: `${day.slice(5, 7)}/${day.slice(8)}`, x: left + index * width, y: foot + 2 }] : [],
  );
  const lines = [0, 0.5, 1].flatMap((part): Shape[] => [
    { path: `M${left} ${foot - part * height}H${DRAWING_WIDTH}`, stroke: 'line', width: 0.5 },
    { text: values.size === 0 ? '' : text(part * most), x: left - 4, y: foot - part * height - 5, align: 'right' },
  ]);
  return { kind: 'drawing', height: HEIGHT, shapes: [...lines, ...bars, ...names] };
}
