import { findSameSims } from '@highline/contract';
import { Button } from '../../ui/controls/Button.tsx';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { ListStatus } from '../../api/ListStatus.tsx';
import { useAction } from '../../api/useAction.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { useRoleFor } from '../../api/session.ts';
import { formatBytes } from '../../ui/bytes.ts';
import { confirmAction } from '../../ui/dialogs.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { PageSkeleton } from '../../ui/page/Skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { formatDayBefore, formatDay } from '../../ui/time/format.ts';
import { AssignDialog } from './AssignDialog.tsx';
import { PlanDialog } from './PlanDialog.tsx';
import { UsageZone } from './UsageZone.tsx';
import { deletePlan, draftOf, type Plan, plansQuery, savePlan } from './plans.api.ts';
import './usage.css';

/** /usage/plans: data plans with their running cycle (USE-03). */
export function PlansPage(): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const mayChange = useRoleFor('usagePlans') === 'admin';
  const query = useQuery(plansQuery);
  const [edited, setEdited] = useState<Plan | 'new'>();
  const [assigned, setAssigned] = useState<Plan>();
  return (
    <div className="page">
      <PageHeader
        title={t('usage.plan.title')}
        back={<Link to="/usage">{t('usage.title')}</Link>}
        sub={<ListStatus updatedAt={query.dataUpdatedAt} />}
        actions={
          mayChange && (
            <Button variant="filled" leftSection={<IconPlus size={16} />} onClick={() => setEdited('new')}>
              {t('usage.plan.add')}
            </Button>
          )
        }
      />
      <p className="dim">{t('usage.plan.formula')}</p>
      {mayChange && <UsageZone />}
      {query.data === undefined ? (
        query.error === null ? (
          <PageSkeleton panels={2} />
        ) : (
          <ErrorState text={errorText(query.error)} onRetry={() => void query.refetch()} />
        )
      ) : query.data.length === 0 ? (
        <EmptyState text={t('usage.plan.none')} />
      ) : (
        <ul className="usage-plans">
          {query.data.map((plan) => (
            <PlanCard
              key={plan.id}
              plan={plan}
              mayChange={mayChange}
              onEdit={() => setEdited(plan)}
              onAssign={() => setAssigned(plan)}
            />
          ))}
        </ul>
      )}
      {edited !== undefined && (
        <PlanDialog
          plan={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
          onSaved={() => {
            setEdited(undefined);
            void query.refetch();
          }}
        />
      )}
      {assigned !== undefined && (
        <AssignDialog
          plan={assigned}
          onClose={() => {
            setAssigned(undefined);
            void query.refetch();
          }}
        />
      )}
    </div>
  );
}

interface CardProps {
  readonly plan: Plan;
  readonly mayChange: boolean;
  readonly onEdit: () => void;
  readonly onAssign: () => void;
}

function PlanCard({ plan, mayChange, onEdit, onAssign }: CardProps): ReactNode {
  const { t } = useTranslation();
  const query = useQuery(plansQuery);
  const { use, name, currency } = plan;
  const removal = useAction<void, void>({ run: () => deletePlan(plan), onDone: () => void query.refetch() });
  // Who saves a plan is who it acts as: the same fields, in another name.
  const takeover = useAction<void, string>({ run: () => savePlan(draftOf(plan), plan), onDone: () => void query.refetch() });
  // Ids are in the order in which plans were added.
  const first = findSameSims(plan, query.data?.filter(({ id }) => id < plan.id) ?? []);
  const isLeft = plan.notDone.some(({ reason }) => reason === 'not_allowed');
  const remove = async () => {
    const question = { title: t('usage.plan.deleting', { name }), text: t('usage.plan.deleteMeans') };
    if (await confirmAction({ ...question, yes: t('usage.plan.delete'), no: t('ui.cancel'), effect: 'permanent' })) removal.run();
  };
  const percent = (bytes: number) => (use.allowance === 0 ? 0 : Math.min(100, (bytes / use.allowance) * 100));
  const tone = use.used >= use.allowance && use.sims > 0 ? 'bad' : (use.forecast ?? 0) > use.allowance ? 'warn' : 'ok';
  const money = (amount: number) => `${amount.toFixed(2)} ${currency}`;
  return (
    <li className="card panel usage-plan" data-tone={tone}>
      <div className="usage-plan__head">
        <h2>{name}</h2>
        <span className="dim">
          {t('usage.plan.summary', { count: use.sims, from: formatDay(use.cycleFrom), until: formatDayBefore(use.cycleUntil) })}
        </span>
      </div>
      <div className="usage-plan__bar" aria-hidden="true">
        <i data-of="forecast" style={{ width: `${percent(use.forecast ?? 0)}%` }} />
        <i data-of="used" style={{ width: `${percent(use.used)}%` }} />
      </div>
      <dl>
        <div>
          <dt>{t('usage.plan.used')}</dt>
          <dd>{t('usage.plan.of', { used: formatBytes(use.used), allowance: formatBytes(use.allowance) })}</dd>
        </div>
        <div>
          <dt>{t('usage.plan.forecast')}</dt>
          <dd>{use.forecast === null ? t('usage.plan.noForecast') : formatBytes(use.forecast)}</dd>
        </div>
        <div>
          <dt>{t('usage.plan.over')}</dt>
          <dd>{use.over}</dd>
        </div>
        {use.cost !== null && (
          <div>
            <dt>{t('usage.plan.costs')}</dt>
            <dd>
              {use.costForecast === null
                ? t('usage.plan.costSoFar', { soFar: money(use.cost) })
                : t('usage.plan.costForecast', { soFar: money(use.cost), forecast: money(use.costForecast) })}
            </dd>
          </div>
        )}
        <div>
          <dt>{t('usage.plan.mailAt')}</dt>
          <dd>{plan.shares.map((share) => `${share}%`).join(t('ui.between'))}</dd>
        </div>
        <div>
          <dt>{t('usage.plan.action')}</dt>
          <dd>{t(`usage.plan.does.${plan.isPool ? 'mail' : plan.action}`)}</dd>
        </div>
      </dl>
      {first !== undefined && <p className="note note--warn">{t('usage.plan.sameSims', { name: first.name })}</p>}
      {plan.notDone.map(({ reason, sims }) => (
        <p key={reason} className="note note--warn">
          {t(`usage.plan.notDone.${reason}`, { count: sims })}
        </p>
      ))}
      {mayChange && (
        <div className="usage-plan__actions">
          {isLeft && (
            <Button loading={takeover.busy} onClick={() => takeover.run()}>
              {t('usage.plan.takeOver')}
            </Button>
          )}
          <Button onClick={onEdit}>{t('usage.plan.change')}</Button>
          <Button onClick={onAssign}>{t('usage.plan.assign')}</Button>
          <Button color="danger" loading={removal.busy} onClick={() => void remove()}>
            {t('usage.plan.delete')}
          </Button>
        </div>
      )}
    </li>
  );
}
