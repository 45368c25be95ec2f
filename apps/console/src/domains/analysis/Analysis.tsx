import type { analysis } from '@highline/contract';
import { IconX } from '@tabler/icons-react';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { useTranslation } from '#i18n';
import { useSession } from '../../api/session.ts';
import { IconButton } from '../../ui/ActionButton.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { useNow } from '../../ui/time/now.ts';
import { useZone } from '../../ui/time/zone.ts';
import { useProperties, wholeDays } from '../reports/index.ts';
import { type AnalysisSearch, chartsOf, type Fields } from './address.ts';
import { ChartCard } from './ChartCard.tsx';
import { useLabels } from './labels.ts';
import { Pin } from './Pin.tsx';
import { argumentsOf, type ChartInput, faultsOf, keyOf } from './question.ts';
import { QuestionForm } from './QuestionForm.tsx';
import { recordsSearch } from './records.ts';
import './analysis.css';

/** A chart on the page; its number names it. */
interface Drawn extends ChartInput {
  readonly number: number;
}

const cardId = ({ number }: Drawn) => `chart-${number}`;

function DrawnChart({ drawn, onRemove }: { drawn: Drawn; onRemove: () => void }): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  const { chartType, fields } = drawn;
  const seesAll = useSession().limitedTo === null;
  const labels = useLabels(fields);
  const properties = useProperties();
  // A date range is stored as instants, which depend on the time zone only.
  const input = useMemo(() => argumentsOf(fields, zone), [fields, zone]);
  return (
    <ChartCard
      id={cardId(drawn)}
      chartType={chartType}
      input={input}
      labels={labels}
      actions={(chart, title) => (
        <>
          {chart !== undefined && seesAll && <Pin chart={chart} input={input} title={title} labels={labels} />}
          <IconButton label={t('analysis.remove', { title })} icon={<IconX size={16} />} onClick={onRemove} />
        </>
      )}
      records={
        <Link to="/reports/list/$type" params={{ type: 'goto' }} search={recordsSearch(fields, properties)}>
          {t('analysis.records')}
        </Link>
      }
    />
  );
}

/** The charts on the page: those in the address first, then each requested chart once (ANA-01). */
function useDrawn({ charts, ...fields }: AnalysisSearch) {
  const [drawn, setDrawn] = useState<readonly Drawn[]>(() =>
    chartsOf(charts).map((chartType, number) => ({ number, chartType, fields })),
  );
  const [goTo, setGoTo] = useState<{ readonly id: string }>();
  useEffect(() => {
    const card = goTo === undefined ? null : document.querySelector(`#${goTo.id}`);
    card?.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true });
    card?.scrollIntoView({ block: 'nearest' });
  }, [goTo]);
  const add = (input: ChartInput): readonly Drawn[] => {
    const known = drawn.find((one) => keyOf(one) === keyOf(input));
    const one = known ?? { ...input, number: Math.max(-1, ...drawn.map(({ number }) => number)) + 1 };
    const next = known === undefined ? [...drawn, one] : drawn;
    setDrawn(next);
    setGoTo({ id: cardId(one) });
    return next;
  };
  const remove = (one: Drawn): readonly Drawn[] => {
    const next = drawn.filter((other) => other !== one);
    setDrawn(next);
    return next;
  };
  return { drawn, add, remove };
}

/** The charts of one question, as the address names them. */
function chartsIn(drawn: readonly Drawn[], fields: Fields): string | undefined {
  const same = drawn.filter((one) => keyOf(one) === keyOf({ chartType: one.chartType, fields }));
  return same.length === 0 ? undefined : same.map(({ chartType }) => chartType).join('.');
}

/** /reports/analysis: six kinds of charts of what routers reported (ANA-01 … 03). */
export function Analysis(): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  const now = useNow();
  const search = useSearch({ from: '/signed-in/reports/analysis' });
  const navigate = useNavigate({ from: '/reports/analysis' });
  const { charts: _charts, ...fields } = search;
  const { drawn, add, remove } = useDrawn(search);
  const [tried, setTried] = useState<analysis.ChartType>();
  const [tries, setTries] = useState(0);
  const property = useProperties().find(({ property_id }) => property_id === fields.property)?.property_type;
  const faults = tried === undefined ? [] : faultsOf({ chartType: tried, fields }, property);
  const noDays = wholeDays(fields, zone, now) === undefined;
  const keep = (next: Fields, charts: readonly Drawn[]) =>
    void navigate({
      to: '.',
      search: Object.fromEntries(
        Object.entries({ ...next, charts: chartsIn(charts, next) }).filter(([, value]) => value !== undefined && value !== ''),
      ),
      replace: true,
      resetScroll: false,
    });
  const draw = (chartType: analysis.ChartType, typed: Fields) => {
    const input = { chartType, fields: typed };
    if (noDays || faultsOf(input, property).length > 0) {
      setTried(chartType);
      setTries(tries + 1);
      keep(typed, drawn);
      return;
    }
    setTried(undefined);
    keep(typed, add(input));
  };
  return (
    <div className="page">
      <PageHeader title={t('analysis.heading')} sub={t('analysis.sub')} />
      <QuestionForm
        fields={fields}
        faults={faults}
        daysFault={tried !== undefined && noDays}
        tries={tries}
        onChange={(next) => keep(next, drawn)}
        onDraw={draw}
      />
      {drawn.length === 0 ? (
        <div className="card">
          <EmptyState text={t('analysis.none')} detail={t('analysis.noneHint')} />
        </div>
      ) : (
        <div className="charts">
          {drawn.map((one) => (
            <DrawnChart key={one.number} drawn={one} onRemove={() => keep(fields, remove(one))} />
          ))}
        </div>
      )}
    </div>
  );
}
