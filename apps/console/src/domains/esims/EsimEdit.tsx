import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { Loaded } from '../../api/Loaded.tsx';
import { lastSearch } from '../../ui/list/last-search.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { CardsForm } from './cards/CardsForm.tsx';
import { routerOfQuery } from './esims.api.ts';

/** /devices/esimsEdit?profile=…: the cards of the router that has this eSIM (SIM-09). */
export function EsimEdit(): ReactNode {
  const { t } = useTranslation();
  const { profile: pk = '' } = useSearch({ from: '/signed-in/devices/esimsEdit' });
  const query = useQuery(routerOfQuery(pk));
  const back = (
    <Link to="/devices/esimsList" search={lastSearch('/devices/esimsList')}>
      {t('esims.title')}
    </Link>
  );
  return (
    <div className="page" aria-busy={query.isPending}>
      <PageHeader title={query.data?.serial ?? t('esims.edit.title')} back={back} />
      <Loaded query={query} gone={t('esims.edit.gone')} action={back}>
        {(router) => <CardsForm router={router} open={pk} />}
      </Loaded>
    </div>
  );
}
