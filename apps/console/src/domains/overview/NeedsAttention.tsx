import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { useSession } from '../../api/session.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { ErrorState } from '../../ui/states.tsx';
import type { Attention, Fleet, OfflineSpan } from './attention.api.ts';
import { AttentionCard } from './AttentionCard.tsx';
import { OnlineChart } from './OnlineChart.tsx';
import { adminTargets, fleetTargets, targetsOf } from './targets.ts';

export interface NeedsAttentionProps {
  readonly query: UseQueryResult<Attention>;
  readonly span: OfflineSpan;
  readonly onSpan: (span: OfflineSpan) => void;
  /** One organization of a main account. */
  readonly org?: string;
  /** All organizations of a main account. */
  readonly fleet?: UseQueryResult<Fleet>;
}

/** The first block of an overview: what is wrong, and the share of devices online of who sees all of them (IAM-04). */
export function NeedsAttention({ query, span, onSpan, org, fleet }: NeedsAttentionProps): ReactNode {
  const { limitedTo } = useSession();
  const errorText = useErrorText();
  const id = useId();
  const { data } = query;
  const error = query.error ?? fleet?.error ?? null;
  const retry = () => {
    void query.refetch();
    void fleet?.refetch();
  };
  const scope = org === undefined ? {} : { org };
  const targets = org === undefined ? (fleet === undefined ? adminTargets : fleetTargets) : targetsOf(org);
  const whole = fleet?.data;
  return (
    <div className="overview__attention">
      {data !== undefined && (fleet === undefined || whole !== undefined) ? (
        <AttentionCard
          found={data}
          span={span}
          onSpan={onSpan}
          targets={targets}
          {...(whole === undefined ? {} : { fleet: whole })}
        />
      ) : (
        <div className="card panel attention" aria-busy={error === null || undefined}>
          {error !== null && <ErrorState text={errorText(error)} onRetry={retry} />}
        </div>
      )}
      {limitedTo === null && (
        <section className="card panel online-chart" aria-labelledby={id}>
          <OnlineChart id={id} {...scope} />
        </section>
      )}
    </div>
  );
}
