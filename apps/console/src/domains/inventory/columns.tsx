import { countedPresence } from '@highline/contract';
import { ActionIcon, Button } from '../../ui/controls/Button.tsx';
import { IconPencil } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { Copyable } from '../../ui/CopyButton.tsx';
import { StatusDot } from '../../ui/StatusDot.tsx';
import type { Column } from '../../ui/table/column.ts';
import { DateTime } from '../../ui/time/RelativeTime.tsx';
import { presenceTones } from '../../entities/devices/device.ts';
import type { Router } from './inventory.api.ts';
import './inventory.css';

interface RowActions {
  readonly onRotate: (router: Router) => void;
  readonly onEndpoint: (router: Router) => void;
}

/** Whether it is connected, and a link to the reason if a connection was rejected. */
function Presence({ router: { id, presence, last_seen: lastSeen, rejection } }: { router: Router }): ReactNode {
  const { t } = useTranslation();
  const connection = countedPresence(presence, lastSeen);
  return (
    <span className="presence-cell">
      <StatusDot tone={presenceTones[connection]}>{t(`devices.presence.${connection}`)}</StatusDot>
      {rejection !== null && (
        <StatusDot tone="warn">
          <Link to="/inventory/router" search={{ router: id }} title={t('deviceForms.rejection.title')}>
            {t('inventory.rejected')}
          </Link>
        </StatusDot>
      )}
    </span>
  );
}

function Endpoint({ router, onChange }: { router: Router; onChange: (() => void) | undefined }): ReactNode {
  const { t } = useTranslation();
  return (
    <span className="endpoint-cell">
      <Copyable text={router.endpointId} label={t('inventory.column.endpoint')}>
        <span className="mono">{router.endpointId}</span>
      </Copyable>
      {onChange !== undefined && (
        <ActionIcon
          aria-label={`${t('inventory.endpoint.change')} ${router.serial_number}`}
          title={t('inventory.endpoint.change')}
          onClick={onChange}
        >
          <IconPencil size={14} />
        </ActionIcon>
      )}
    </span>
  );
}

/** The columns of /inventory. @param actions undefined for those who change nothing there */
export function inventoryColumns(t: TFunction, actions: RowActions | undefined): readonly Column<Router>[] {
  const secret: readonly Column<Router>[] =
    actions === undefined
      ? []
      : [
          {
            id: 'secret',
            header: t('inventory.column.secret'),
            width: 150,
            cell: (router) => (
              <Button
                variant="subtle"
                aria-label={`${t('inventory.secret.rotate')} ${router.serial_number}`}
                onClick={() => actions.onRotate(router)}
              >
                {t('inventory.secret.rotateShort')}
              </Button>
            ),
          },
        ];
  return [
    {
      id: 'serial',
      header: t('inventory.column.serial'),
      width: 190,
      sort: 'serial',
      pinned: true,
      phone: 'title',
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
      // "Never connected" and the link next to it.
      width: 230,
      sort: 'presence',
      phone: 'state',
      cell: (router) => <Presence router={router} />,
    },
    {
      id: 'organization',
      header: t('inventory.column.organization'),
      sort: 'organization',
      phone: 'line',
      width: 240,
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
      phone: 'aside',
      header: t('inventory.column.model'),
      width: 130,
      sort: 'model',
      cell: ({ model }) => (model === '' ? <span className="dim">--</span> : model),
    },
    {
      id: 'mac',
      header: t('inventory.column.mac'),
      width: 180,
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
      width: 290,
      cell: (router) => <Endpoint router={router} onChange={actions && (() => actions.onEndpoint(router))} />,
    },
    {
      id: 'created',
      header: t('inventory.column.created'),
      width: 190,
      sort: 'created',
      optional: true,
      cell: ({ created }) => <DateTime moment={created} />,
    },
    ...secret,
  ];
}
