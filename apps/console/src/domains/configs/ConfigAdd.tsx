import { Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { highlight } from '../../api/highlights.ts';
import { useAction } from '../../api/useAction.ts';
import { FilePick } from '../../ui/form/FilePick.tsx';
import '../../ui/form/form.css';
import '../../ui/form/inputs.css';
import { SaveButton } from '../../ui/form/SaveButton.tsx';
import { useUnsavedChanges } from '../../ui/form/useUnsavedChanges.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { toast } from '../../ui/toasts.ts';
import { type Config, findConfig, uploadConfig } from './configs.api.ts';

/** /groups/configAdd: a file, then its description (CFG-02). */
export function ConfigAdd(): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [file, setFile] = useState<File>();
  const [note, setNote] = useState('');
  const [saved, setSaved] = useState<Config>();
  const name = file?.name ?? '';
  const known = useQuery({
    queryKey: ['configs', 'named', name],
    queryFn: async ({ signal }) => (await findConfig(name, signal)) ?? null,
    enabled: file !== undefined,
    meta: { topics: ['configs'] },
  }).data;
  const upload = useAction<{ file: File; note: string }, Config>({
    run: uploadConfig,
    onDone: (config) => {
      highlight('profiles', [config.pk]);
      toast(t('ui.done.saved', { msg: config.name }));
      setSaved(config);
    },
  });
  /** @returns whether it was uploaded */
  const save = async (): Promise<boolean> => file !== undefined && upload.attempt({ file, note });
  const leaving = useUnsavedChanges(file !== undefined && saved === undefined, save);
  useEffect(() => {
    if (saved !== undefined && !leaving.current) void navigate({ to: '/groups/config', search: {} });
  }, [saved, leaving, navigate]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save();
  };
  return (
    <div className="page">
      <PageHeader
        title={t('configs.add.title')}
        back={
          <Link to="/groups/config" search={{}}>
            {t('configs.title')}
          </Link>
        }
      />
      <section className="card panel" aria-label={t('configs.add.title')}>
        <form className="form" noValidate onSubmit={submit}>
          <FilePick label={t('configs.add.file')} endings={['']} wrongType="" file={file} onPick={setFile} />
          {file !== undefined && (
            <>
              {known !== null && known !== undefined && (
                <p className="note">{t('configs.add.next', { name, version: known.version + 1 })}</p>
              )}
              <Textarea
                label={t('configs.add.note')}
                value={note}
                maxLength={1000}
                rows={3}
                onChange={(event) => setNote(event.currentTarget.value)}
              />
            </>
          )}
          <div className="form__actions">
            <SaveButton
              dirty={file !== undefined}
              saving={upload.busy}
              label={t('configs.add.save')}
              reason={file === undefined ? t('configs.add.fileFirst') : undefined}
            />
          </div>
        </form>
      </section>
    </div>
  );
}
