import type { analysis } from '@highline/contract';
import { Button } from '../../ui/controls/Button.tsx';
import { IconChartArea, IconChartBar, IconChartDonut, IconChartLine, IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { saveFile } from '../../api/download.ts';
import { useAction } from '../../api/useAction.ts';
import { Hint } from '../../ui/Hint.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { useZone } from '../../ui/time/zone.ts';
import type { Chart } from './analysis.api.ts';
import type { Drawing } from './draw.ts';
import { pointsFile } from './points.ts';
import { marksOf } from './question.ts';

const icons = { line: IconChartLine, bar: IconChartBar, area: IconChartArea, arc: IconChartDonut } as const;

interface MarksProps {
  readonly chart: Chart;
  readonly mark: analysis.Mark;
  readonly onMark: (mark: analysis.Mark) => void;
}

/** The ways in which this chart can be drawn; nothing where there is one alone. */
function Marks({ chart, mark, onMark }: MarksProps): ReactNode {
  const { t } = useTranslation();
  const marks = marksOf(chart.chartType, chart.property?.type);
  if (marks.length < 2) return null;
  return (
    <div className="marks" role="group" aria-label={t('analysis.marks')}>
      {marks.map((one) => {
        const Icon = icons[one];
        return (
          <Hint key={one} text={t(`analysis.mark.${one}`)}>
            {() => (
              <button
                type="button"
                className="marks__one"
                aria-label={t(`analysis.mark.${one}`)}
                aria-pressed={one === mark}
                onClick={() => onMark(one)}
              >
                <Icon size={16} aria-hidden="true" />
              </button>
            )}
          </Hint>
        );
      })}
    </div>
  );
}

type SaveProps = Pick<ChartToolsProps, 'chart' | 'title' | 'table' | 'drawing' | 'plain'>;

/** The chart as a picture or as its values. A table and a plain chart have no picture. */
function Save({ chart, title, table, drawing, plain }: SaveProps): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  // Characters that file names must not contain.
  const name = title.replaceAll(/[\\/:*?"<>|]/gu, '-');
  const save = useAction<'png' | 'svg', Blob | undefined>({
    run: async (kind) => drawing?.[kind](),
    onDone: (file, kind) => file !== undefined && saveFile(file, `${name}.${kind}`),
  });
  const csv = () => saveFile(pointsFile(chart, zone, t), `${name}.csv`);
  const pictures = (['png', 'svg'] as const).map((kind) => ({
    id: kind,
    label: t(`analysis.saveAs.${kind}`),
    onPick: () => save.run(kind),
  }));
  return (
    <Menu
      label={t('analysis.saveAs.label')}
      align="end"
      items={[...(table || plain ? [] : pictures), { id: 'csv', label: t('analysis.saveAs.csv'), onPick: csv }]}
      trigger={(trigger) => (
        <Button variant="subtle" leftSection={<IconDownload size={16} />} {...trigger}>
          {t('analysis.saveAs.label')}
        </Button>
      )}
    />
  );
}

export interface ChartToolsProps extends MarksProps {
  readonly title: string;
  readonly table: boolean;
  readonly onTable: (table: boolean) => void;
  readonly drawing: Drawing | undefined;
  readonly plain: boolean;
  readonly records: ReactNode;
}

/** Chart tools: change the chart style, view as table, save, and open its records. */
export function ChartTools(props: ChartToolsProps): ReactNode {
  const { table, onTable, records } = props;
  const { t } = useTranslation();
  return (
    <div className="chart__tools">
      {!table && <Marks {...props} />}
      <span className="spacer" />
      {records}
      <button type="button" className="link" onClick={() => onTable(!table)}>
        {t(table ? 'analysis.asChart' : 'analysis.asTable')}
      </button>
      <Save {...props} />
    </div>
  );
}
