import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../api/useErrorText.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { PageSkeleton } from '../../ui/page/Skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { CardsForm } from './cards/CardsForm.tsx';
import { routerOfQuery } from './esims.api.ts';

/** /devices/esimsEdit?profile=…: the cards of the router that has this eSIM (SIM-09, NAV-05). */
export function EsimEdit(): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { profile: pk } = useSearch({ from: '/signed-in/devices/esimsEdit' });
  const query = useQuery({ ...routerOfQuery(pk ?? ''), enabled: pk !== undefined });
  if (pk === undefined) return <Navigate to="/devices/esimsList" search={{}} replace />;
  const back = (
    <Link to="/devices/esimsList" search={{}}>
      {t('esims.title')}
    </Link>
  );
  const router = query.data;
  return (
    <div className="page" aria-busy={query.isPending}>
      <PageHeader title={router?.serial ?? t('esims.edit.title')} back={back} />
      {query.isPending && <PageSkeleton />}
      {query.isError && <ErrorState text={errorText(query.error)} onRetry={() => void query.refetch()} />}
      {router === null && <EmptyState text={t('esims.edit.gone')} action={back} />}
      {router !== null && router !== undefined && <CardsForm router={router} open={pk} />}
    </div>
  );
}
