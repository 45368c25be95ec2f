import { type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from '#i18n';
import { fileText } from '../../api/file-text.ts';
import { useRoleFor } from '../../api/session.ts';
import { useAction } from '../../api/useAction.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { confirmAction } from '../../ui/dialogs.ts';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { formatNumber } from '../../ui/time/format.ts';
import { toast } from '../../ui/toasts.ts';
import { deleteSchemaFile, saveSchemaFile, type SchemaFile, schemasQuery } from './settings.api.ts';

/** A schema file is far smaller. */
const MOST_BYTES = 200_000;

/** Schema files: settings of models that the standard does not have (TPL-01). */
export function SchemaFiles({ query }: { query: UseQueryResult<readonly SchemaFile[]> }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const client = useQueryClient();
  const isAdmin = useRoleFor('settings') === 'admin';
  const input = useRef<HTMLInputElement>(null);
  const [fault, setFault] = useState('');
  const onDone = (files: readonly SchemaFile[]) => {
    client.setQueryData(schemasQuery.queryKey, [...files]);
    setFault('');
    toast(t('routerSettings.schema.stored'));
  };
  const save = useAction<SchemaFile, readonly SchemaFile[]>({ run: saveSchemaFile, onDone });
  const remove = useAction<string, readonly SchemaFile[]>({ run: deleteSchemaFile, onDone });
  const confirmRemoval = async (name: string) => {
    const question = { title: t('routerSettings.schema.deleting', { name }), text: t('routerSettings.schema.deleteMeans') };
    if (await confirmAction({ ...question, yes: t('routerSettings.remove'), no: t('ui.cancel'), effect: 'permanent' }))
      remove.run(name);
  };
  const role = isAdmin ? undefined : t('routerSettings.adminsOnly');
  const read = async (file: File | undefined) => {
    if (file === undefined) return;
    const schema = file.size > MOST_BYTES ? undefined : parseFile(await fileText(file));
    if (schema === undefined) setFault(t('routerSettings.schema.notJson', { name: file.name }));
    else save.run(schema);
  };
  return (
    <section className="card panel" aria-labelledby="setting-schemas">
      <div className="panel__head">
        <h2 id="setting-schemas">{t('routerSettings.schema.title')}</h2>
      </div>
      <p className="dim">{t('routerSettings.schema.hint')}</p>
      {query.error !== null && <ErrorState text={errorText(query.error)} onRetry={() => void query.refetch()} />}
      {query.isPending && <Skeleton lines={2} />}
      {query.data?.length === 0 && <p>{t('routerSettings.schema.none')}</p>}
      <ul className="setting-values">
        {query.data?.map(({ name, models, settings }) => (
          <li key={name} className="setting-value">
            <span className="setting-value__name">{name}</span>
            <span className="dim">
              {models.join(t('ui.between'))} ·{' '}
              {t('routerSettings.schema.settings', { count: settings.length, shown: formatNumber(settings.length) })}
            </span>
            <span>
              <ActionButton
                disabledReason={role}
                loading={remove.busy}
                label={t('routerSettings.schema.delete', { name })}
                onClick={() => void confirmRemoval(name)}
              >
                {t('routerSettings.remove')}
              </ActionButton>
            </span>
          </li>
        ))}
      </ul>
      {fault !== '' && (
        <p role="alert" className="setting-warning">
          {fault}
        </p>
      )}
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        hidden
        aria-label={t('routerSettings.schema.add')}
        onChange={({ currentTarget }) => {
          void read(currentTarget.files?.[0]);
          currentTarget.value = '';
        }}
      />
      <ActionButton disabledReason={role} loading={save.busy} onClick={() => input.current?.click()}>
        {t('routerSettings.schema.add')}
      </ActionButton>
    </section>
  );
}

/** What a file contains; the server validates it. */
function parseFile(text: string): SchemaFile | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? (parsed as SchemaFile) : undefined;
  } catch {
    return undefined;
  }
}
