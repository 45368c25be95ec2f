import { TextInput, Textarea } from '../../ui/controls/TextInput.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { PageForm } from '../../api/EntityForm.tsx';
import { highlight } from '../../api/highlights.ts';
import { Loaded } from '../../api/Loaded.tsx';
import { reload, useEntityForm } from '../../api/useEntityForm.ts';
import { GroupLink } from '../../entities/groups/GroupLink.tsx';
import { lastSearch } from '../../ui/list/last-search.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { type ConfigDetails, configQuery, saveConfig } from './configs.api.ts';
import { Versions } from './Versions.tsx';
import './configs.css';

function EditForm({ config, etag }: { config: ConfigDetails; etag: string | undefined }): ReactNode {
  const { t } = useTranslation();
  const { pk } = config;
  const form = useEntityForm({
    stored: { values: { note: config.note }, etag },
    save: ({ note }, base) => saveConfig(pk, note, base.etag),
    onSaved: () => highlight('profiles', [pk]),
    done: t('ui.done.edited'),
    refresh: ['configs'],
    stale: reload(configQuery(pk), ({ config: { note }, etag: tag }) => ({
      values: { note },
      etag: tag,
      text: t('configs.setting.stale', { note }),
    })),
    gone: { when: 'config.not_found', to: '/groups/config' },
    draft: `config-${pk}`,
  });
  return (
    <PageForm form={form}>
      <TextInput label={t('configs.column.name')} value={config.name} readOnly />
      <Textarea label={t('configs.column.note')} maxLength={1000} rows={3} {...form.text('note')} />
    </PageForm>
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
                <GroupLink group={group}>{groupName}</GroupLink>{' '}
                <span className="dim">{t('configs.setting.version', { number: version })}</span>
              </li>
            ))}
          </ul>
        )}
      </section>
      <Versions config={config} />
    </>
  );
}

/** /groups/configSetting?config=…: the description, versions and bound groups of a config file (CFG-03). */
export function ConfigSetting(): ReactNode {
  const { t } = useTranslation();
  const { config: pk = '' } = useSearch({ from: '/signed-in/groups/configSetting' });
  const query = useQuery(configQuery(pk));
  const back = (
    <Link to="/groups/config" search={lastSearch('/groups/config')}>
      {t('configs.title')}
    </Link>
  );
  return (
    <div className="page" aria-busy={query.isPending}>
      <PageHeader title={query.data?.config.name ?? t('configs.setting.panel')} back={back} />
      <Loaded query={query} gone={t('configs.setting.gone')} action={back}>
        {({ config, etag }) => (
          <>
            <section className="card panel" aria-label={t('configs.setting.panel')}>
              <EditForm key={config.pk} config={config} etag={etag} />
            </section>
            <Facts config={config} />
          </>
        )}
      </Loaded>
    </div>
  );
}
