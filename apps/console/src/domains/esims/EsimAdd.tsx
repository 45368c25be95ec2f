import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { lastSearch } from '../../ui/list/last-search.ts';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import '../../ui/form/form.css';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { ImportForm } from './add/ImportForm.tsx';
import { ManualForm } from './add/ManualForm.tsx';
import '../../entities/imports/imports.css';
import './add/add.css';

/** /devices/esimsAdd: many eSIMs from a CSV, or those of one router by hand; the method is part of the address (SIM-04, SIM-06). */
export function EsimAdd(): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { method = 'import', serial, eid } = useSearch({ from: '/signed-in/devices/esimsAdd' });
  const router = serial === undefined || eid === undefined ? undefined : { serial, eid };
  const choose = (choice: 'import' | 'manual') =>
    void navigate({ to: '/devices/esimsAdd', search: { method: choice }, replace: true });

  return (
    <div className="page">
      <PageHeader
        title={t('esims.addTitle')}
        back={
          <Link to="/devices/esimsList" search={lastSearch('/devices/esimsList')}>
            {t('esims.title')}
          </Link>
        }
      />
      <section className={method === 'import' ? 'card panel form' : 'card panel'} aria-label={t('esims.method')}>
        <fieldset className="method">
          <legend>{t('esims.method')}</legend>
          {(['import', 'manual'] as const).map((choice) => (
            <label key={choice}>
              <input type="radio" name="method" checked={method === choice} onChange={() => choose(choice)} />
              {t(`esims.methods.${choice}`)}
            </label>
          ))}
        </fieldset>
        {method === 'import' && <ImportForm />}
      </section>
      {method === 'manual' && <ManualForm key={`${serial}/${eid}`} checked={router} />}
    </div>
  );
}
