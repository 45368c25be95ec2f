import { ActionIcon, Button } from '@mantine/core';
import { IconPencil, IconPlus, IconUpload } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DownloadButton } from '../../api/DownloadButton.tsx';
import { ListCount } from '../../api/ListCount.tsx';
import { useDeletion } from '../../api/useDeletion.tsx';
import { ListTools } from '../../api/ListTools.tsx';
import { type List, tableOf, useList } from '../../api/useList.ts';
import { Copyable } from '../../ui/CopyButton.tsx';
import { DeleteMode } from '../../ui/list/DeleteMode.tsx';
import { type Selection, useSelection } from '../../ui/list/useSelection.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { StatusDot } from '../../ui/StatusDot.tsx';
import type { Column } from '../../ui/table/column.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { DateTime } from '../../ui/time/RelativeTime.tsx';
import { useZone } from '../../ui/time/zone.ts';
import { presenceTones } from '../devices/device.ts';
import { AddDialog } from './AddDialog.tsx';
import { EndpointDialog } from './EndpointDialog.tsx';
import { ImportRoutersDialog } from './ImportRoutersDialog.tsx';
import { deleteRouters, fetchRouters, fetchRoutersFile, type Router } from './inventory.api.ts';
import { inventoryList } from './inventory.lists.ts';
import { useNewSecret } from './useNewSecret.tsx';

type Routers = List<typeof inventoryList, Router>;

const idOf = (router: Router) => router.id;

interface RowActions {
  readonly onRotate: (router: Router) => void;
  readonly onEndpoint: (router: Router) => void;
}

function inventoryColumns(t: TFunction, { onRotate, onEndpoint }: RowActions): readonly Column<Router>[] {
  return [
    {
      id: 'serial',
      header: t('inventory.column.serial'),
      sort: 'serial',
      pinned: true,
      cell: ({ id, serial_number: serial }) => (
        <Copyable text={serial} label={t('inventory.column.serial')}>
          <Link to="/inventory/router" search={{ router: id }} className="mono strong">
            {serial}
          </Link>
        </Copyable>
      ),
    },
    {
      id: 'presence',
      header: t('inventory.column.presence'),
      sort: 'presence',
      cell: ({ id, presence, rejection }) => (
        <span className="presence-cell">
          <StatusDot tone={presenceTones[presence]}>{t(`devices.presence.${presence}`)}</StatusDot>
          {rejection !== null && (
            <StatusDot tone="warn">
              <Link to="/inventory/router" search={{ router: id }} title={t('deviceForms.rejection.title')}>
                {t('inventory.rejected')}
              </Link>
            </StatusDot>
          )}
        </span>
      ),
    },
    {
      id: 'organization',
      header: t('inventory.column.organization'),
      sort: 'organization',
      clip: 240,
      cell: ({ org }) =>
        org === null ? (
          <span className="dim">{t('inventory.inStock')}</span>
        ) : (
          <Link to="/devices/orgList" search={{ org: org.id }}>
            {org.name}
          </Link>
        ),
    },
    {
      id: 'model',
      header: t('inventory.column.model'),
      sort: 'model',
      cell: ({ model }) => (model === '' ? <span className="dim">--</span> : model),
    },
    {
      id: 'mac',
      header: t('inventory.column.mac'),
      sort: 'mac',
      cell: ({ mac }) => (
        <Copyable text={mac} label={t('inventory.column.mac')}>
          <span className="mono">{mac}</span>
        </Copyable>
      ),
    },
    {
      id: 'endpoint',
      header: t('inventory.column.endpoint'),
      cell: (router) => (
        <span className="endpoint-cell">
          <Copyable text={router.endpointId} label={t('inventory.column.endpoint')}>
            <span className="mono">{router.endpointId}</span>
          </Copyable>
          <ActionIcon
            variant="subtle"
            aria-label={`${t('inventory.endpoint.change')} ${router.serial_number}`}
            title={t('inventory.endpoint.change')}
            onClick={() => onEndpoint(router)}
          >
            <IconPencil size={14} />
          </ActionIcon>
        </span>
      ),
    },
    {
      id: 'created',
      header: t('inventory.column.created'),
      sort: 'created',
      optional: true,
      cell: ({ created }) => <DateTime moment={created} />,
    },
    {
      id: 'secret',
      header: t('inventory.column.secret'),
      cell: (router) => (
        <Button
          variant="subtle"
          aria-label={`${t('inventory.secret.rotate')} ${router.serial_number}`}
          onClick={() => onRotate(router)}
        >
          {t('inventory.secret.rotateShort')}
        </Button>
      ),
    },
  ];
}

function Tools({ list, columns }: { list: Routers; columns: readonly Column<Router>[] }): ReactNode {
  const { t } = useTranslation();
  const { search } = list.state;
  return (
    <ListTools
      spec={inventoryList}
      list={list}
      columns={columns}
      fieldLabel={(field) => t(`inventory.field.${field}`)}
      filters={[
        {
          name: 'claimed',
          label: t('inventory.claimed.label'),
          value: search.claimed,
          options: [
            { value: '', label: t('inventory.claimed.all') },
            { value: 'claimed', label: t('inventory.claimed.claimed') },
            { value: 'unclaimed', label: t('inventory.claimed.unclaimed') },
          ],
        },
      ]}
    />
  );
}

/** Deletes the picked routers out of the stock. */
function DeleteRouters({ selection, reload }: { selection: Selection<Router>; reload: () => void }): ReactNode {
  const { t } = useTranslation();
  const deletion = useDeletion({
    selection,
    reload,
    question: t('inventory.remove.question'),
    nameOf: (router) => router.serial_number,
    yes: t('inventory.remove.enter'),
    run: (picked) => deleteRouters(picked.map((router) => idOf(router))),
  });
  return (
    <DeleteMode
      selection={selection}
      enter={t('inventory.remove.enter')}
      count={(number) => t('inventory.remove.count', { number })}
      deletion={deletion}
    />
  );
}

/** /inventory: the routers a main account sells, in stock and claimed (DECISIONS, Inventory and claiming). */
export function InventoryList(): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  const [dialog, setDialog] = useState<'add' | 'import'>();
  const [renamed, setRenamed] = useState<Router>();
  const secret = useNewSecret();
  const { confirm: confirmRotate } = secret;
  const columns = useMemo(
    () => inventoryColumns(t, { onRotate: (router) => void confirmRotate(router), onEndpoint: setRenamed }),
    [t, confirmRotate],
  );
  const reasonNotToDelete = useCallback(
    (router: Router) => (router.org === null ? undefined : t('inventory.remove.claimed')),
    [t],
  );
  const selection = useSelection(idOf, reasonNotToDelete);
  const list: Routers = useList({
    spec: inventoryList,
    topics: ['inventory', 'devices'],
    fetchPage: fetchRouters,
  });

  return (
    <div className="page page--list">
      <PageHeader
        title={t('inventory.title')}
        sub={<ListCount list={list} text={(count, shown) => t('inventory.count', { count, shown })} />}
        actions={
          <>
            <DownloadButton
              fileName="Inventory_export.csv"
              fetchFile={(language) => fetchRoutersFile({ ...list.state.query, zone, language })}
            />
            <Button leftSection={<IconUpload size={16} />} onClick={() => setDialog('import')}>
              {t('inventory.import')}
            </Button>
            <DeleteRouters selection={selection} reload={list.reload} />
            <Button variant="filled" leftSection={<IconPlus size={16} />} onClick={() => setDialog('add')}>
              {t('inventory.add')}
            </Button>
          </>
        }
      />
      <DataTable
        {...tableOf(inventoryList, list)}
        caption={t('inventory.caption')}
        columns={columns}
        rowId={idOf}
        selection={selection}
        tools={<Tools list={list} columns={columns} />}
      />
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
    </div>
  );
}
