import type { ReactNode } from 'react';
import { Bars, Shares } from '../ui/chart/Amounts.tsx';
import { Choices } from '../ui/chart/Choices.tsx';
import { valueScale } from '../ui/chart/scale.ts';
import { TimeChart } from '../ui/chart/TimeChart.tsx';
import { ignore, OPENED_AT, Section, State, useSay } from './parts.tsx';
import { formatNumber } from '../ui/time/format.ts';

const UNTIL = Math.floor(OPENED_AT / 1000);
const FROM = UNTIL - 86_400;
/** Every ten minutes of a day, without the hours of an outage. */
const points = Array.from({ length: 144 }, (_, index) => {
  const value = -96 + 22 * Math.sin(index / 11);
  return { at: FROM + index * 600, value, low: value - 4, high: value + 4 };
}).filter((_, index) => index < 50 || index > 74);
const outage = [[FROM + 50 * 600, FROM + 75 * 600]] as const;
const scale = valueScale(points.flatMap(({ low, high }) => [low, high]));
const bands = [
  { tone: 'good', min: -95, max: scale.max },
  { tone: 'fair', min: -110, max: -95 },
  { tone: 'poor', min: scale.min, max: -110 },
] as const;

/** Charts that are drawn without a library. */
export function Charts(): ReactNode {
  const say = useSay();
  const common = {
    from: FROM,
    until: UNTIL,
    tickText: String,
    pointText: ({ value }: { value: number }) => `${formatNumber(Number(value.toFixed(1)))} dBm`,
    gap: 1_800,
  };
  const carriers = [
    { label: 'Verizon', value: 7 },
    { label: 'AT&T', value: 3 },
    { label: say('A carrier with a rather long name', '名稱相當長的電信業者'), value: 2 },
  ];
  return (
    <Section id="charts" title="Charts">
      <State name="line with its range, ratings and an outage" wide>
        <TimeChart
          {...common}
          label={say('Signal power', '訊號功率')}
          points={points}
          scale={scale}
          breaks={outage}
          bands={bands}
        />
      </State>
      <State name="area" wide>
        <TimeChart
          {...common}
          label={say('Signal power, area', '訊號功率，面積')}
          points={points}
          scale={scale}
          mark="area"
          tone="ok"
        />
      </State>
      <State name="bars over time; one value" wide>
        <TimeChart
          {...common}
          label={say('Signal power, bars', '訊號功率，長條')}
          points={points}
          scale={valueScale([0, -120])}
          mark="bar"
        />
        <TimeChart {...common} label={say('One value', '單一數值')} points={points.slice(0, 1)} scale={scale} />
      </State>
      <State name="range">
        <Choices
          label={say('Time range', '時間範圍')}
          options={[
            { value: '24h', label: '24 h' },
            { value: '7d', label: '7 d' },
          ]}
          value="24h"
          onChange={ignore}
        />
      </State>
      <State name="shares" wide>
        <Shares amounts={carriers} other={say('Others', '其他')} />
      </State>
      <State name="bars" wide>
        <Bars amounts={carriers} label={say('Routers by carrier', '各電信業者的路由器')} />
      </State>
    </Section>
  );
}
