import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useSession } from '../../api/session.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { StatusDot } from '../../ui/StatusDot.tsx';
import { setUpQuery, type Step, type StepId } from './setup.api.ts';
import './setup.css';

type Path = NonNullable<LinkProps['to']>;

/** Where a step is taken; a connection is made at the router, so its link shows the devices. */
const mainTargets: Partial<Record<StepId, Path>> = {
  stock: '/inventory',
  organization: '/organization/add',
  admin: '/organization',
  device: '/devices/add',
  connected: '/devices/orgList',
};
const adminTargets: Partial<Record<StepId, Path>> = {
  device: '/devices/add',
  connected: '/devices/list',
  person: '/users/add',
  rule: '/alerts/rules',
  geofence: '/geofences',
};

function StepRow({ step: { id, isDone }, isNext }: { step: Step; isNext: boolean }): ReactNode {
  const { t } = useTranslation();
  const to = (useSession().role === 'main' ? mainTargets : adminTargets)[id] ?? '/setup';
  return (
    <li className="setup__step" data-done={isDone || undefined}>
      <div>
        <h2>{t(`setup.step.${id}.title`)}</h2>
        <p className="dim">{t(`setup.step.${id}.why`)}</p>
      </div>
      <StatusDot tone={isDone ? 'ok' : 'unknown'}>{t(isDone ? 'setup.done' : 'setup.open')}</StatusDot>
      <Button variant={isNext ? 'filled' : 'default'} renderRoot={(props) => <Link to={to} search={{} as never} {...props} />}>
        {t(isDone ? 'setup.look' : `setup.step.${id}.button`)}
      </Button>
    </li>
  );
}

/** /setup: the steps of a new installation, or of a new organization, each with its state and where it is taken (SAY-13). */
export function SetupPage(): ReactNode {
  const { t } = useTranslation();
  const { role } = useSession();
  const errorText = useErrorText();
  const query = useQuery(setUpQuery(role));
  const steps = query.data;
  const done = steps?.filter(({ isDone }) => isDone).length ?? 0;
  const next = steps?.find(({ isDone }) => !isDone);
  return (
    <div className="page" aria-busy={query.isPending}>
      <PageHeader
        title={t('setup.title')}
        sub={steps === undefined ? <span>&nbsp;</span> : t('setup.progress', { done, all: steps.length })}
      />
      {steps !== undefined ? (
        <ol className="card setup">
          {steps.map((step) => (
            <StepRow key={step.id} step={step} isNext={step === next} />
          ))}
        </ol>
      ) : query.error === null ? (
        <Skeleton lines={5} />
      ) : (
        <ErrorState text={errorText(query.error)} onRetry={() => void query.refetch()} />
      )}
    </div>
  );
}
