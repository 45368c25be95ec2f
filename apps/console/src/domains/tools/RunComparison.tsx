import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { Fact } from '../../entities/devices/Fact.tsx';
import { TimeChart } from '../../ui/chart/TimeChart.tsx';
import { valueScale } from '../../ui/chart/scale.ts';
import { formatDateTime } from '../../ui/time/format.ts';
import { useZone } from '../../ui/time/zone.ts';
import { addressesOf, measureOf, useRunTexts } from './run-texts.ts';
import type { ToolRun } from './tools.api.ts';

/** The difference to the test before. */
export function Comparison({ run, earlier }: { run: ToolRun; earlier: readonly ToolRun[] }): ReactNode {
  // Results of different hosts and DNS servers say nothing about each other.
  const targetOf = ({ input }: ToolRun) => `${'host' in input ? input.host : ''} ${'server' in input ? input.server : ''}`;
  const comparable = earlier.filter((other) => targetOf(other) === targetOf(run));
  return addressesOf(run) === undefined ? (
    <ComparedMeasure run={run} comparable={comparable} />
  ) : (
    <ComparedAddresses run={run} comparable={comparable} />
  );
}

interface ComparedProps {
  readonly run: ToolRun;
  readonly comparable: readonly ToolRun[];
}

/** Whether the way to a host, or what a name stands for, is another one than before. */
function ComparedAddresses({ run, comparable }: ComparedProps): ReactNode {
  const { t } = useTranslation();
  const { summary } = useRunTexts();
  const previous = comparable.find((other) => addressesOf(other) !== undefined);
  if (previous === undefined) return null;
  const isSame = addressesOf(previous)?.join(' ') === addressesOf(run)?.join(' ');
  return (
    <dl className="facts">
      <Fact label={t('tools.fact.before')}>
        {summary(previous)} · {t(`tools.change.${isSame ? 'same' : 'other'}`)}
      </Fact>
    </dl>
  );
}

/** The difference of the one number, and those of the tests before over time. */
function ComparedMeasure({ run, comparable }: ComparedProps): ReactNode {
  const { t } = useTranslation();
  const { measure } = useRunTexts();
  const zone = useZone();
  const own = measureOf(run);
  const previous = comparable.map(measureOf).find((value) => value !== undefined);
  if (own === undefined || previous === undefined) return null;
  const difference = own - previous;
  const direction = Math.abs(difference) < previous * 0.01 ? 'same' : difference > 0 ? 'up' : 'down';
  const points = [run, ...comparable].toReversed().flatMap((each) => {
    const value = measureOf(each);
    return value === undefined ? [] : [{ at: Math.floor(Date.parse(each.started) / 1_000), value }];
  });
  const [first, last] = [points[0]!.at, points.at(-1)!.at];
  const { tool } = run.input;
  const kind = tool === 'download' || tool === 'upload' ? tool : 'ping';
  return (
    <>
      <dl className="facts">
        <Fact label={t('tools.fact.before')}>
          {measure(run, previous)} · {t(`tools.change.${direction}`, { value: measure(run, Math.abs(difference)) })}
        </Fact>
      </dl>
      <section className="reading" aria-label={t(`tools.chart.${kind}`)}>
        <h3>{t(`tools.chart.${kind}`)}</h3>
        <TimeChart
          label={t(`tools.chart.${kind}`)}
          points={points}
          from={first}
          // Both may have begun in the same second.
          until={Math.max(last, first + 1)}
          scale={valueScale([0, ...points.map(({ value }) => value)])}
          tickText={(value) => measure(run, value)}
          pointText={({ at, value }) => `${measure(run, value)} · ${formatDateTime(at, zone)}`}
          gap={Infinity}
        />
      </section>
    </>
  );
}
