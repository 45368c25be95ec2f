import type { TooltipHandler, View } from 'vega';
import { formatNumber } from '../../ui/time/format.ts';

const GAP = 12;

type Rows = readonly (readonly [name: string, text: string])[];

/** A box next to the pointer that says what it is on; without rows it is hidden. */
interface Tip {
  readonly show: (event: MouseEvent, rows: Rows) => void;
  readonly hide: () => void;
}

function contentsOf(rows: Rows): HTMLElement {
  const list = document.createElement('dl');
  for (const [name, text] of rows) {
    const [term, detail] = [document.createElement('dt'), document.createElement('dd')];
    // As text: names come from routers and users.
    term.textContent = name;
    detail.textContent = text;
    list.append(term, detail);
  }
  return list;
}

/** The table of a chart says the same to a keyboard. */
function createTip(chart: HTMLElement): Tip {
  const tip = document.createElement('div');
  tip.className = 'vega__tip';
  tip.hidden = true;
  return {
    show: (event, rows) => {
      tip.hidden = false;
      if (tip.parentElement === null) chart.append(tip);
      tip.replaceChildren(contentsOf(rows));
      const box = chart.getBoundingClientRect();
      const [x, y] = [event.clientX - box.left, event.clientY - box.top];
      // On the other side of the pointer where there is no space.
      const left = x + GAP + tip.offsetWidth > box.width ? x - GAP - tip.offsetWidth : x + GAP;
      tip.style.left = `${Math.max(0, left)}px`;
      tip.style.top = `${Math.max(0, Math.min(y, box.height - tip.offsetHeight))}px`;
    },
    hide: () => {
      tip.hidden = true;
    },
  };
}

/** Shows the name and the values of the bar or slice under the pointer. */
export function markTips(chart: HTMLElement): TooltipHandler {
  const tip = createTip(chart);
  return (_, event, __, value: unknown) => {
    if (typeof value !== 'object' || value === null) tip.hide();
    else
      tip.show(
        event,
        Object.entries(value).map(([name, text]) => [name, String(text)]),
      );
  };
}

/** A value over time, as the specification has it. */
interface Timed {
  readonly t: number;
  readonly when: string;
  readonly y: number;
}

/** The values of a chart over time, in their order; undefined for other charts. */
export function timedOf(spec: Readonly<Record<string, unknown>>): readonly Timed[] | undefined {
  const { values } = (spec['data'] ?? {}) as { readonly values?: readonly Timed[] };
  return values?.[0]?.t === undefined || typeof spec['width'] === 'number' ? undefined : values;
}

/** The value nearest to a time. */
export function nearest(values: readonly Timed[], t: number): Timed {
  return values.reduce((best, one) => (Math.abs(one.t - t) < Math.abs(best.t - t) ? one : best));
}

/** A line at the value nearest to the pointer, which need not be on its mark, and its time and number. */
export function crosshair(
  view: View,
  chart: HTMLElement,
  spec: Readonly<Record<string, unknown>>,
  values: readonly Timed[],
): void {
  const tip = createTip(chart);
  const line = document.createElement('div');
  line.className = 'vega__line';
  const { x, y } = spec['encoding'] as Readonly<Record<'x' | 'y', { readonly title: string }>>;
  const { zone } = spec['usermeta'] as { readonly zone: string };
  const show = (event: MouseEvent) => {
    const scale = view.scale('x') as { (t: number): number; invert(px: number): Date | number };
    const padding = view.padding() as number | { readonly left: number };
    const left = view.origin()[0] + (typeof padding === 'number' ? padding : padding.left);
    const at = event.clientX - chart.getBoundingClientRect().left - left;
    const value = nearest(values, Number(scale.invert(at)));
    if (line.parentElement === null) chart.append(line);
    line.hidden = false;
    line.style.left = `${left + scale(value.t)}px`;
    tip.show(event, [
      [x.title, `${value.when} (${zone})`],
      [y.title, formatNumber(Number(value.y.toFixed(2)))],
    ]);
  };
  chart.addEventListener('pointermove', show);
  chart.addEventListener('pointerleave', () => {
    line.hidden = true;
    tip.hide();
  });
}
