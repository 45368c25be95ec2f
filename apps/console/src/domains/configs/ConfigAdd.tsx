import { Textarea } from '../../ui/controls/TextInput.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { PageForm } from '../../api/EntityForm.tsx';
import { highlight } from '../../api/highlights.ts';
import { useEntityForm } from '../../api/useEntityForm.ts';
import { lastSearch } from '../../ui/list/last-search.ts';
import { FilePick } from '../../ui/form/FilePick.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { toast } from '../../ui/toasts.ts';
import { type Config, findConfig, uploadConfig } from './configs.api.ts';

interface Values {
  readonly file: File | undefined;
  readonly note: string;
}

/** /groups/configAdd: a file, then its description (CFG-02). */
export function ConfigAdd(): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const form = useEntityForm<Values, Config>({
    stored: { values: { file: undefined, note: '' } },
    blocked: ({ file }) => (file === undefined ? t('configs.add.fileFirst') : undefined),
    save: ({ file, note }) => uploadConfig({ file: file!, note }),
    onSaved: ({ pk, name }, leaving) => {
      highlight('profiles', [pk]);
      toast(t('ui.done.saved', { msg: name }));
      if (!leaving) void navigate({ to: '/groups/config', search: {} });
    },
  });
  const { file } = form.values;
  const name = file?.name ?? '';
  const known = useQuery({
    queryKey: ['configs', 'named', name],
    queryFn: async ({ signal }) => (await findConfig(name, signal)) ?? null,
    enabled: file !== undefined,
    meta: { topics: ['configs'] },
  }).data;
  const back = (
    <Link to="/groups/config" search={lastSearch('/groups/config')}>
      {t('configs.title')}
    </Link>
  );
  return (
    <div className="page">
      <PageHeader title={t('configs.add.title')} back={back} />
      <section className="card panel" aria-label={t('configs.add.title')}>
        <PageForm form={form} submit={t('configs.add.save')}>
          <FilePick
            label={t('configs.add.file')}
            endings={['']}
            wrongType=""
            file={file}
            onPick={(picked) => form.set({ file: picked })}
          />
          {file !== undefined && (
            <>
              {known !== null && known !== undefined && (
                <p className="note">{t('configs.add.next', { name, version: known.version + 1 })}</p>
              )}
              <Textarea label={t('configs.add.note')} maxLength={1000} rows={3} {...form.text('note')} />
            </>
          )}
        </PageForm>
      </section>
    </div>
  );
}
