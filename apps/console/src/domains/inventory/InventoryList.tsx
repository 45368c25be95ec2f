import { inventory } from '@highline/contract';
import { Button } from '../../ui/controls/Button.tsx';
import { IconClock, IconPlus, IconUpload } from '@tabler/icons-react';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { useTranslation } from '#i18n';
import type { ListFile } from '../../api/DownloadButton.tsx';
import { type DeleteProps, DeleteRows } from '../../api/useDeletion.tsx';
import { ListBar, MOST_IN_JOB, ListDownload } from '../../api/ListBar.tsx';
import { ListPage } from '../../api/ListPage.tsx';
import { filterOf } from '../../api/ListTools.tsx';
import { useRoleFor } from '../../api/session.ts';
import { useList } from '../../api/useList.ts';
import { useNotAllowed } from '../../api/useNotAllowed.ts';
import { useSelection } from '../../ui/list/useSelection.ts';
import { useZone } from '../../ui/time/zone.ts';
import { useRemoval } from '../../entities/jobs/useRemoval.ts';
import { AddDialog } from './AddDialog.tsx';
import { inventoryColumns } from './columns.tsx';
import { EndpointDialog } from './EndpointDialog.tsx';
import { ImportRoutersDialog } from './ImportRoutersDialog.tsx';
import { deleteRouters, fetchRouters, fetchRoutersFile, type Router } from './inventory.api.ts';
import { inventoryList } from './inventory.lists.ts';
import { ModelSettingsDialog } from './ModelSettingsDialog.tsx';
import { useNewSecret } from './useNewSecret.tsx';

const idOf = (router: Router) => router.id;
const nameOf = (router: Router) => router.serial_number;

/** Deletes the picked routers out of the stock. */
function DeleteRouters({ selection, reload, inBar }: DeleteProps<Router>): ReactNode {
  const { t } = useTranslation();
  const remove = useRemoval('inventory');
  const notAllowed = useNotAllowed('inventory.delete');
  return (
    <DeleteRows
      inBar={inBar}
      notAllowed={notAllowed}
      selection={selection}
      reload={reload}
      question={t('inventory.remove.question')}
      nameOf={(router) => router.serial_number}
      yes={t('inventory.remove.enter')}
      job={(picked) => remove(picked.map(idOf))}
      run={(picked) => deleteRouters(picked.map((router) => idOf(router)))}
      count={(number) => t('inventory.remove.count', { number })}
    />
  );
}

/** /inventory: the routers a main account sells, in stock and claimed (DECISIONS, Inventory and claiming). */
export function InventoryList(): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  const mayChange = useRoleFor('inventory') === 'main';
  const [dialog, setDialog] = useState<'add' | 'import' | 'models'>();
  const [renamed, setRenamed] = useState<Router>();
  const secret = useNewSecret();
  const { confirm: confirmRotate } = secret;
  const columns = useMemo(
    () =>
      inventoryColumns(t, mayChange ? { onRotate: (router) => void confirmRotate(router), onEndpoint: setRenamed } : undefined),
    [t, mayChange, confirmRotate],
  );
  const reasonNotToDelete = useCallback(
    (router: Router) => (router.org === null ? undefined : t('inventory.remove.claimed')),
    [t],
  );
  const selection = useSelection(idOf, reasonNotToDelete, 'always', nameOf);
  const list = useList({
    spec: inventoryList,
    topics: ['inventory', 'devices'],
    fetchPage: fetchRouters,
  });

  const file: ListFile<typeof list.spec> = {
    name: 'Inventory_export.csv',
    columns: { id: inventoryList.id, columns, known: inventory.routerColumns },
    fetch: (query) => fetchRoutersFile({ ...query, zone }),
  };
  return (
    <ListPage
      list={list}
      title={t('inventory.title')}
      count={(count, shown) => t('inventory.count', { count, shown })}
      actions={
        <>
          <ListDownload list={list} file={file} />
          {mayChange && (
            <>
              <Button leftSection={<IconClock size={16} />} onClick={() => setDialog('models')}>
                {t('inventory.models.enter')}
              </Button>
              <Button leftSection={<IconUpload size={16} />} onClick={() => setDialog('import')}>
                {t('inventory.import')}
              </Button>
            </>
          )}
          <DeleteRouters selection={selection} reload={list.reload} />
          {mayChange && (
            <Button variant="filled" leftSection={<IconPlus size={16} />} onClick={() => setDialog('add')}>
              {t('inventory.add')}
            </Button>
          )}
        </>
      }
      caption={t('inventory.caption')}
      emptyAction={
        mayChange && (
          <>
            <Button onClick={() => setDialog('add')}>{t('inventory.first')}</Button>
            <Button onClick={() => setDialog('import')}>{t('inventory.firstFile')}</Button>
          </>
        )
      }
      columns={columns}
      rowId={idOf}
      bar={
        <ListBar list={list} selection={selection} most={MOST_IN_JOB} file={file}>
          <DeleteRouters selection={selection} reload={list.reload} inBar />
        </ListBar>
      }
      selection={selection}
      fieldLabel={(field) => t(`inventory.field.${field}`)}
      filters={[
        filterOf(list, 'claimed', {
          label: t('inventory.claimed.label'),
          all: t('inventory.claimed.all'),
          of: (claimed) => t(`inventory.claimed.${claimed}`),
        }),
      ]}
    >
      {dialog === 'add' && (
        <AddDialog
          onClose={() => setDialog(undefined)}
          onAdded={(router) => {
            setDialog(undefined);
            secret.show(router);
            list.reload();
          }}
        />
      )}
      {dialog === 'models' && <ModelSettingsDialog onClose={() => setDialog(undefined)} />}
      {dialog === 'import' && (
        <ImportRoutersDialog
          onClose={(changed) => {
            setDialog(undefined);
            if (changed) list.reload();
          }}
        />
      )}
      {renamed !== undefined && (
        <EndpointDialog
          router={renamed}
          onClose={() => setRenamed(undefined)}
          onSaved={() => {
            setRenamed(undefined);
            list.reload();
          }}
        />
      )}
      {secret.dialog}
    </ListPage>
  );
}
