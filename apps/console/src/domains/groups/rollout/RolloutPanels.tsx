import type { rollouts } from '@highline/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useErrorText } from '../../../api/useErrorText.ts';
import { EmptyState, ErrorState } from '../../../ui/states.tsx';
import { useDelayed } from '../../../ui/useDelayed.ts';
import { RolloutPanel } from './RolloutPanel.tsx';
import { rolloutsQuery } from './rollouts.api.ts';

interface RolloutPanelsProps {
  readonly group: string;
  readonly isReadOnly: boolean;
  /** Begin the cancelled rollout of a file again; undefined for who may not. */
  readonly onAgain: ((kind: rollouts.BindingKind) => void) | undefined;
}

/** The rollouts of the group, live: a panel each for firmware, config file and settings (GRP-10). */
export function RolloutPanels({ group, isReadOnly, onAgain }: RolloutPanelsProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const navigate = useNavigate({ from: '/groups/detail' });
  const search = useSearch({ from: '/signed-in/groups/detail' });
  const query = useQuery(rolloutsQuery(group));
  const skeleton = useDelayed(query.isPending);
  if (query.data === undefined) {
    return (
      <div className="rollouts" aria-busy={query.isPending}>
        {query.isError && (
          <section className="card">
            <ErrorState text={errorText(query.error)} onRetry={() => void query.refetch()} />
          </section>
        )}
        {skeleton && <section className="card panel rollout-skeleton" aria-hidden="true" />}
      </div>
    );
  }
  return (
    <div className="rollouts">
      {query.data.map((rollout) => (
        <RolloutPanel
          key={rollout.id}
          rollout={rollout}
          state={search[rollout.kind]}
          isReadOnly={isReadOnly}
          {...(onAgain === undefined ? {} : { onAgain })}
          onState={(next) =>
            void navigate({ to: '.', search: { ...search, [rollout.kind]: next }, replace: true, resetScroll: false })
          }
        />
      ))}
      {query.data.length === 0 && (
        <section className="card">
          <EmptyState text={t('rollouts.none')} detail={t('rollouts.noneHint')} />
        </section>
      )}
    </div>
  );
}
