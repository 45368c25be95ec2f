import type { analysis } from '@highline/contract';
import { useShownScheme } from '../../ui/scheme.ts';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from '#i18n';
import { useErrorText } from '../../api/useErrorText.ts';
import { useLanguage } from '../../ui/language.ts';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { useZone } from '../../ui/time/zone.ts';
import { useTemperatureUnit } from '../../ui/units.ts';
import { type Chart, chartQuery, type Viewer } from './analysis.api.ts';
import { ChartTable } from './ChartTable.tsx';
import { ChartTools } from './ChartTools.tsx';
import type { Drawing } from './draw.ts';
import { PlainChart } from './PlainChart.tsx';
import { figuresOf, summaryOf, titleOf, valueText } from './title.ts';
import { VegaChart } from './VegaChart.tsx';
import './chart.css';

export interface ChartCardProps {
  readonly chartType: analysis.ChartType;
  readonly input: analysis.AnalysisArguments;
  /** Description: the group, days and condition. */
  readonly labels: readonly string[];
  /** Where it begins; a person may choose another. */
  readonly mark?: analysis.Mark | undefined;
  /** Shown as the title until the response arrives. */
  readonly waiting?: string;
  /** Names the card, so that the page can lead to it. */
  readonly id?: string;
  /** Actions besides saving: pin, unpin, remove. */
  readonly actions: (chart: Chart | undefined, title: string) => ReactNode;
  /** The way to the records behind it. */
  readonly records: ReactNode;
  /** Drawn without the charting library, and not as a picture to save. */
  readonly plain?: boolean;
}

function useViewer(): Viewer {
  const zone = useZone();
  const language = useLanguage();
  const theme = useShownScheme();
  const temperature = useTemperatureUnit();
  return { zone, theme, language, temperature };
}

function Body({
  chart,
  title,
  table,
  plain,
  onDrawn,
}: {
  chart: Chart;
  title: string;
  table: boolean;
  plain: boolean;
  onDrawn: (drawing: Drawing) => void;
}): ReactNode {
  const { t } = useTranslation();
  if (chart.spec === null || chart.points.length === 0)
    return <EmptyState text={t('analysis.noData')} detail={t('analysis.noDataHint')} />;
  if (table) return <ChartTable chart={chart} title={title} />;
  if (plain) return <PlainChart chart={chart} title={title} />;
  const figures = figuresOf(chart);
  return (
    <>
      {figures.length > 0 && (
        <dl className="chart__figures">
          {figures.map(([name, value]) => (
            <div key={name}>
              <dt>{t(`analysis.figure.${name}`)}</dt>
              <dd>{valueText(chart, value, t)}</dd>
            </div>
          ))}
        </dl>
      )}
      <VegaChart spec={chart.spec} label={`${title}. ${summaryOf(chart, t)}`} onDrawn={onDrawn} />
    </>
  );
}

/** One query as a chart or a table, refetched every 60 s (ANA-02, OVW-08). */
export function ChartCard(props: ChartCardProps): ReactNode {
  const { chartType, input, labels, waiting, id, actions, records, plain = false } = props;
  const { t } = useTranslation();
  const errorText = useErrorText();
  const heading = useId();
  const [drawing, setDrawing] = useState<Drawing>();
  const [mark, setMark] = useState(props.mark);
  const [table, setTable] = useState(false);
  const query = useQuery(chartQuery(chartType, input, mark, useViewer()));
  const chart = query.data;
  const title = chart === undefined ? (waiting ?? t(`analysis.type.${chartType}`)) : titleOf(chart, t);
  return (
    <section
      id={id}
      className={`card panel chart${plain ? ' chart--plain' : ''}`}
      aria-labelledby={`${heading} ${heading}-about`}
    >
      <div className="chart__head">
        <div className="chart__titles">
          <h2 id={heading} tabIndex={-1}>
            {title}
          </h2>
          <p id={`${heading}-about`} className="dim">
            {labels.join(' · ')}
          </p>
        </div>
        <div className="chart__actions">{actions(chart, title)}</div>
      </div>
      {chart !== undefined && chart.spec !== null && (
        <ChartTools
          chart={chart}
          title={title}
          mark={mark ?? chart.mark}
          onMark={setMark}
          table={table}
          onTable={setTable}
          drawing={drawing}
          plain={plain}
          records={records}
        />
      )}
      {chart !== undefined && <Body chart={chart} title={title} table={table} plain={plain} onDrawn={setDrawing} />}
      {chart === undefined && query.error !== null && (
        <ErrorState text={errorText(query.error)} onRetry={() => void query.refetch()} />
      )}
      {chart === undefined && query.error === null && <div className="chart__waiting bar" aria-busy="true" />}
      {chart !== undefined && query.error !== null && (
        <p className="bad" role="status">
          {errorText(query.error)}
        </p>
      )}
    </section>
  );
}
