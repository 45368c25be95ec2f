import { type Loader, None, parse, View } from 'vega';
import { expressionInterpreter } from 'vega-interpreter';
import { compile, type TopLevelSpec } from 'vega-lite';
import { crosshair, markTips, timedOf } from './tip.ts';

/** How the page around a chart looks. */
export interface Look {
  readonly width: number;
  readonly height: number;
  readonly background: string;
  readonly font: string;
}

/** A chart on the page. */
export interface Drawing {
  readonly resize: (width: number) => void;
  readonly svg: () => Promise<Blob>;
  /** Twice as fine as on the screen. */
  readonly png: () => Promise<Blob>;
  readonly stop: () => void;
}

const rejectLoading = () => Promise.reject(new Error('A chart loads nothing: its values are inside.'));
const nothing: Loader = { load: rejectLoading, sanitize: rejectLoading, http: rejectLoading, file: rejectLoading };

function fitted(spec: Readonly<Record<string, unknown>>, { width, height, background, font }: Look): TopLevelSpec {
  const config = typeof spec['config'] === 'object' ? spec['config'] : {};
  return {
    ...spec,
    // A pie is as wide as it needs to be for its legend to stand next to it.
    width: typeof spec['width'] === 'number' ? Math.min(width, spec['width']) : width,
    height,
    background,
    autosize: { type: 'fit', contains: 'padding' },
    config: { ...config, font },
  } as unknown as TopLevelSpec;
}

/**
 * Draw a Vega-Lite specification as SVG into an element. Expressions are interpreted, because our content policy allows
 * no code made from text.
 */
export async function draw(element: HTMLElement, spec: Readonly<Record<string, unknown>>, look: Look): Promise<Drawing> {
  const runtime = parse(compile(fitted(spec, look)).spec, undefined, { ast: true });
  const view = new View(runtime, { expr: expressionInterpreter, loader: nothing, logLevel: None, renderer: 'svg' });
  const timed = timedOf(spec);
  if (timed === undefined) view.tooltip(markTips(element));
  else crosshair(view, element, spec, timed);
  view.initialize(element);
  await view.runAsync();
  return {
    resize: (width) => {
      if (typeof spec['width'] !== 'number') void view.width(width).runAsync();
    },
    svg: async () => new Blob([await view.toSVG()], { type: 'image/svg+xml' }),
    png: async () => {
      const canvas = await view.toCanvas(2);
      return new Promise((resolve, reject) => {
        canvas.toBlob((blob) => (blob === null ? reject(new Error('The picture is empty.')) : resolve(blob)), 'image/png');
      });
    },
    stop: () => void view.finalize(),
  };
}
