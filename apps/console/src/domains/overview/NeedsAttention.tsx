import type { UseQueryResult } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useId } from 'react';
import { useErrorText } from '../../api/useErrorText.ts';
import { withMessages } from '../../i18n/i18n.ts';
import { ErrorState } from '../../ui/states.tsx';
import type { Attention, OfflineSpan } from './attention.api.ts';
import { AttentionCard } from './AttentionCard.tsx';
import { NotLoaded } from './NotLoaded.tsx';

// Not needed to see what is wrong; its card keeps its height.
const load = withMessages([], () => import('./OnlineChart.tsx'));
const OnlineChart = lazy(() =>
  load().then(
    (module) => ({ default: module.OnlineChart }),
    () => ({ default: NotLoaded }),
  ),
);

export interface NeedsAttentionProps {
  readonly query: UseQueryResult<Attention>;
  readonly span: OfflineSpan;
  readonly onSpan: (span: OfflineSpan) => void;
  /** One organization of a main account. */
  readonly org?: string;
}

/** The first block of an overview: what is wrong, and the share of devices online. */
export function NeedsAttention({ query, span, onSpan, org }: NeedsAttentionProps): ReactNode {
  const errorText = useErrorText();
  const id = useId();
  const { data, error } = query;
  const scope = org === undefined ? {} : { org };
  return (
    <div className="overview__attention">
      {data !== undefined && <AttentionCard found={data} span={span} onSpan={onSpan} {...scope} />}
      {data === undefined && (
        <div className="card panel attention" aria-busy={error === null || undefined}>
          {error !== null && <ErrorState text={errorText(error)} onRetry={() => void query.refetch()} />}
        </div>
      )}
      <section className="card panel online-chart" aria-labelledby={id}>
        <Suspense>
          <OnlineChart id={id} {...scope} />
        </Suspense>
      </section>
    </div>
  );
}
