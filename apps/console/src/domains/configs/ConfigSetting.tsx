import { Textarea, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Navigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/errors.ts';
import { highlight } from '../../api/highlights.ts';
import { useShowError } from '../../api/useAction.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { showMessage } from '../../ui/dialogs.ts';
import '../../ui/form/form.css';
import '../../ui/form/inputs.css';
import { SaveButton } from '../../ui/form/SaveButton.tsx';
import { useUnsavedChanges } from '../../ui/form/useUnsavedChanges.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { PageSkeleton } from '../../ui/page/Skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { DateTime } from '../../ui/time/RelativeTime.tsx';
import { toast } from '../../ui/toasts.ts';
import { formatKilobytes } from './config.ts';
import { type ConfigDetails, configQuery, saveConfig } from './configs.api.ts';
import './configs.css';

function EditForm({ config, etag }: { config: ConfigDetails; etag: string | undefined }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const showError = useShowError({ when: 'config.not_found', to: '/groups/config' });
  const [base, setBase] = useState({ note: config.note, etag, shown: etag });
  const [note, setNote] = useState(config.note);
  const [saving, setSaving] = useState(false);
  const dirty = note !== base.note;

  // Without input, follow what other users save. With input, keep it; Save detects the difference.
  if (!dirty && etag !== base.shown) {
    setBase({ note: config.note, etag, shown: etag });
    setNote(config.note);
  }

  /** @returns whether it was saved */
  const save = async (): Promise<boolean> => {
    setSaving(true);
    try {
      await saveConfig(config.pk, note, base.etag);
      setBase({ note, etag: undefined, shown: etag });
      highlight('profiles', [config.pk]);
      toast(t('ui.done.edited'));
      await client.invalidateQueries({ queryKey: ['configs'] });
      return true;
    } catch (error) {
      await explain(error);
      return false;
    } finally {
      setSaving(false);
    }
  };
  const explain = async (error: unknown): Promise<void> => {
    if (!(error instanceof ApiError) || error.key !== 'conflict.stale') return showError(error);
    const current = await client.fetchQuery({ ...configQuery(config.pk), staleTime: 0 });
    if (current === null) return showError(error);
    setBase({ note: current.config.note, etag: current.etag, shown: current.etag });
    const text = t('configs.setting.stale', { note: current.config.note });
    await showMessage({ title: t('ui.dialog.warningTitle'), text });
  };
  useUnsavedChanges(dirty, save);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (dirty) void save();
  };
  return (
    <form className="form" onSubmit={submit}>
      <TextInput label={t('configs.column.name')} value={config.name} readOnly />
      <Textarea
        label={t('configs.column.note')}
        value={note}
        maxLength={1000}
        rows={3}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <div className="form__actions">
        <SaveButton dirty={dirty} saving={saving} />
      </div>
    </form>
  );
}

function Facts({ config }: { config: ConfigDetails }): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <section className="card panel panel--stack" aria-labelledby="config-groups">
        <h2 id="config-groups">{t('configs.setting.boundBy')}</h2>
        {config.boundBy.length === 0 ? (
          <p className="dim">{t('configs.setting.notBound')}</p>
        ) : (
          <ul className="config-facts">
            {config.boundBy.map(({ group, groupName, version }) => (
              <li key={group}>
                <Link to="/groups/detail" search={{ group }}>
                  {groupName}
                </Link>{' '}
                <span className="dim">{t('configs.setting.version', { number: version })}</span>
              </li>
            ))}
          </ul>
        )}
      </section>
      <section className="card panel panel--stack" aria-labelledby="config-versions">
        <h2 id="config-versions">{t('configs.setting.versions')}</h2>
        <ul className="config-facts">
          {config.versions.map(({ number, size, sha256, created, by }) => (
            <li key={number}>
              <span className="strong">{t('configs.setting.version', { number })}</span> · {formatKilobytes(size)} ·{' '}
              <DateTime moment={created} /> · {t('configs.setting.by')} {by}
              <br />
              <span className="mono dim config-hash">SHA-256 {sha256}</span>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

/** /groups/configSetting?config=…: the description, versions and bound groups of a config file (CFG-03, NAV-05). */
export function ConfigSetting(): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { config: pk } = useSearch({ from: '/signed-in/groups/configSetting' });
  const query = useQuery({ ...configQuery(pk ?? ''), enabled: pk !== undefined });
  if (pk === undefined) return <Navigate to="/groups/config" search={{}} replace />;
  const back = (
    <Link to="/groups/config" search={{}}>
      {t('configs.title')}
    </Link>
  );
  const found = query.data;
  return (
    <div className="page" aria-busy={query.isPending}>
      <PageHeader title={found?.config.name ?? t('configs.setting.panel')} back={back} />
      {query.isPending && <PageSkeleton />}
      {query.isError && found === undefined && <ErrorState text={errorText(query.error)} onRetry={() => void query.refetch()} />}
      {found === null && <EmptyState text={t('configs.setting.gone')} action={back} />}
      {found !== null && found !== undefined && (
        <>
          <section className="card panel" aria-label={t('configs.setting.panel')}>
            <EditForm key={found.config.pk} config={found.config} etag={found.etag} />
          </section>
          <Facts config={found.config} />
        </>
      )}
    </div>
  );
}
