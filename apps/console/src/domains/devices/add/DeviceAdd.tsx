import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useDeferredValue, useState } from 'react';
import { useTranslation } from '#i18n';
import { highlight } from '../../../api/highlights.ts';
import { useErrorText } from '../../../api/useErrorText.ts';
import { useSession } from '../../../api/session.ts';
import { lastSearch } from '../../../ui/list/last-search.ts';
import '../../../ui/form/form.css';
import { PickField } from '../../../ui/form/PickField.tsx';
import { OptionList } from '../../../ui/OptionList.tsx';
import { PageHeader } from '../../../ui/page/PageHeader.tsx';
import { toast } from '../../../ui/toasts.ts';
import { organizationChoices } from './device-add.api.ts';
import { organizationQuery } from '../../../entities/organizations/organization.api.ts';
import '../../../entities/imports/imports.css';
import { BatchForm } from './BatchForm.tsx';
import { ImportForm } from './ImportForm.tsx';
import { ManualForm } from './ManualForm.tsx';

/** The organizations that the server finds. */
function OrganizationChoices({ label, org, onPick }: { label: string; org: string | undefined; onPick: (id: string) => void }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [text, setText] = useState('');
  const { data, error } = useQuery(organizationChoices(useDeferredValue(text.trim())));
  const options = (data?.options ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <>
      <OptionList label={label} options={options} selected={org} searchable onSearch={setText} onPick={onPick} />
      {error !== null && (
        <p className="bad pick-field__more" role="alert">
          {errorText(error)}
        </p>
      )}
      {(data?.total ?? 0) > options.length && <p className="dim pick-field__more">{t('devices.filter.moreGroups')}</p>}
    </>
  );
}

interface OrganizationPickProps {
  readonly org: string | undefined;
  readonly missing: boolean;
  readonly onPick: (id: string) => void;
}

/** The organization for which the main account adds (DEV-05); however many there are, the server finds them. */
function OrganizationPick({ org, missing, onPick }: OrganizationPickProps): ReactNode {
  const { t } = useTranslation();
  const name = useQuery(organizationQuery(org)).data?.name;
  const label = t('deviceForms.field.org');
  return (
    <div className="form">
      <PickField
        label={label}
        shown={org === undefined ? t('deviceForms.chooseOrg') : (name ?? '')}
        empty={org === undefined}
        error={missing ? t('deviceForms.selectOrg') : undefined}
        required
      >
        {(close) => (
          <OrganizationChoices
            label={label}
            org={org}
            onPick={(picked) => {
              close();
              onPick(picked);
            }}
          />
        )}
      </PickField>
    </div>
  );
}

/** /devices/add: claim routers of the inventory, one by hand, many from a CSV (DEV-05, DEV-06), or a batch from the stock (OLD-04). */
export function DeviceAdd(): ReactNode {
  const { t } = useTranslation();
  const { role, org: own } = useSession();
  const navigate = useNavigate();
  const search = useSearch({ from: '/signed-in/devices/add' });
  const [missing, setMissing] = useState(false);
  const isMain = role === 'main';
  const back = isMain ? '/devices/orgList' : '/devices/list';
  // Only the owner of the stock may take routers from it without knowing their MAC addresses.
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
  const named = useQuery(organizationQuery(isMain ? search.org : undefined)).data?.name;
  const shared = { org: isMain ? search.org : undefined, needsOrg: isMain, onMissingOrg: () => setMissing(true) };

  return (
    <div className="page">
      <PageHeader
        title={t('deviceForms.addTitle')}
        back={
          <Link to={back} search={lastSearch(back)}>
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
        {method === 'import' && <ImportForm {...shared} orgName={isMain ? named : own?.name} onClosed={done} />}
        {method === 'manual' && <ManualForm {...shared} onAdded={done} />}
        {method === 'batch' && <BatchForm org={shared.org} onMissingOrg={shared.onMissingOrg} onAdded={done} />}
      </section>
    </div>
  );
}
