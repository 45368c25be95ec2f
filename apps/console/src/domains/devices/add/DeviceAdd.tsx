import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { highlight } from '../../../api/highlights.ts';
import { useSession } from '../../../app/session/session.ts';
import '../../../ui/form/form.css';
import '../../../ui/form/inputs.css';
import { PageHeader } from '../../../ui/page/PageHeader.tsx';
import { toast } from '../../../ui/toasts.ts';
import { organizationsChoice } from './device-add.api.ts';
import './device-add.css';
import { BatchForm } from './BatchForm.tsx';
import { ImportForm } from './ImportForm.tsx';
import { ManualForm } from './ManualForm.tsx';

/** The organization for which the main account adds (DEV-05). */
function OrganizationPick({
  org,
  missing,
  onPick,
}: {
  org: string | undefined;
  missing: boolean;
  onPick: (id: string | undefined) => void;
}): ReactNode {
  const { t } = useTranslation();
  const organizations = useQuery(organizationsChoice(true)).data ?? [];
  return (
    <div className="form">
      <NativeSelect
        name="org"
        label={t('deviceForms.field.org')}
        withAsterisk
        aria-required
        error={missing && t('deviceForms.selectOrg')}
        value={org ?? ''}
        data={[
          { value: '', label: t('deviceForms.chooseOrg') },
          ...organizations.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={(event) => onPick(event.currentTarget.value === '' ? undefined : event.currentTarget.value)}
      />
    </div>
  );
}

/** /devices/add: claim routers of the inventory, one by hand, many from a CSV (DEV-05, DEV-06), or a batch from the stock (OLD-04). */
export function DeviceAdd(): ReactNode {
  const { t } = useTranslation();
  const { role } = useSession();
  const navigate = useNavigate();
  const search = useSearch({ from: '/signed-in/devices/add' });
  const [missing, setMissing] = useState(false);
  const isMain = role === 'main';
  const back = isMain ? '/devices/orgList' : '/devices/list';
  // Who takes routers out of the stock without holding them in hand owns the stock.
  const methods = (['import', 'manual', 'batch'] as const).filter((choice) => isMain || choice !== 'batch');
  const method = methods.find((choice) => choice === search.method) ?? 'import';
  const change = (part: Partial<typeof search>) =>
    void navigate({ to: '/devices/add', search: { ...search, ...part }, replace: true });

  const done = (ids: readonly string[], leaving = false) => {
    highlight('devices', ids);
    if (ids.length > 0) toast(t('ui.done.saved', { msg: t('deviceForms.device') }));
    if (leaving) return;
    void navigate(isMain && search.org !== undefined ? { to: back, search: { org: search.org } } : { to: back, search: {} });
  };
  const shared = { org: isMain ? search.org : undefined, needsOrg: isMain, onMissingOrg: () => setMissing(true) };

  return (
    <div className="page">
      <PageHeader
        title={t('deviceForms.addTitle')}
        back={
          <Link to={back} search={{}}>
            {t('ui.back')}
          </Link>
        }
      />
      <section className="card panel form">
        {isMain && (
          <OrganizationPick
            org={search.org}
            missing={missing && search.org === undefined}
            onPick={(org) => {
              setMissing(false);
              change({ org });
            }}
          />
        )}
        <fieldset className="method">
          <legend>{t('deviceForms.method')}</legend>
          {methods.map((choice) => (
            <label key={choice}>
              <input type="radio" name="method" checked={method === choice} onChange={() => change({ method: choice })} />
              {t(`deviceForms.methods.${choice}`)}
            </label>
          ))}
        </fieldset>
        {method === 'import' && <ImportForm {...shared} onClosed={done} />}
        {method === 'manual' && <ManualForm {...shared} onAdded={done} />}
        {method === 'batch' && <BatchForm org={shared.org} onMissingOrg={shared.onMissingOrg} onAdded={done} />}
      </section>
    </div>
  );
}
