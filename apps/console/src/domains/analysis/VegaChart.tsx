import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from '#i18n';
import type { Drawing } from './draw.ts';

const HEIGHT = 260;

export interface VegaChartProps {
  readonly spec: Readonly<Record<string, unknown>>;
  /** Description of the chart for screen readers. */
  readonly label: string;
  /** Receives each drawing, to save it as a picture. */
  readonly onDrawn: (drawing: Drawing) => void;
}

/** Draw into a separate element, so the old chart stays until the new one is complete. */
async function drawAside(box: HTMLElement, spec: Readonly<Record<string, unknown>>) {
  // The charting library is large; it is loaded with the first chart.
  const { draw } = await import('./draw.ts');
  const style = getComputedStyle(box);
  const element = document.createElement('div');
  // The label describes the chart; without it, screen readers would read every mark.
  element.ariaHidden = 'true';
  const drawn = await draw(element, spec, {
    width: box.clientWidth,
    height: HEIGHT,
    background: style.getPropertyValue('--surface').trim(),
    font: style.fontFamily,
  });
  return { element, drawn };
}

/** A chart of Vega-Lite, as wide as its place. */
export function VegaChart({ spec, label, onDrawn }: VegaChartProps): ReactNode {
  const { t } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<'drawing' | 'drawn' | 'failed'>('drawing');
  useEffect(() => {
    const container = box.current;
    if (container === null) return undefined;
    let left = false;
    let mine: Drawing | undefined;
    const observer = new ResizeObserver(() => mine?.resize(container.clientWidth));
    const show = async () => {
      const { element, drawn } = await drawAside(container, spec);
      if (left) {
        drawn.stop();
        return;
      }
      container.replaceChildren(element);
      mine = drawn;
      onDrawn(drawn);
      setState('drawn');
      observer.observe(container);
    };
    show().catch(() => setState('failed'));
    return () => {
      left = true;
      observer.disconnect();
      mine?.stop();
    };
  }, [spec, onDrawn]);
  return (
    <>
      <div
        ref={box}
        className="vega"
        role="img"
        aria-label={label}
        aria-busy={state === 'drawing'}
        style={{ minHeight: HEIGHT }}
      />
      {state === 'failed' && (
        <p className="bad" role="alert">
          {t('analysis.notDrawn')}
        </p>
      )}
    </>
  );
}
