import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { networks } from '@highline/contract';
import { useTranslation } from '#i18n';
import { useErrorText } from '../../api/useErrorText.ts';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { StatusDot } from '../../ui/StatusDot.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { type DeviceNetworks, networksQuery } from './networks.api.ts';

/** Whether what is shown was just read from the router, or when it was reported. */
export function Age({ found }: { found: DeviceNetworks | undefined }): ReactNode {
  const { t } = useTranslation();
  if (found === undefined || found.readAt === null) return null;
  if (found.live) return <StatusDot tone="ok">{t('networks.live')}</StatusDot>;
  return (
    <span className="dim">
      {t('networks.reported')} <RelativeTime moment={found.readAt} />
    </span>
  );
}

/** A part of the networks with its loading, empty and error states. */
export function NetworkPart({
  device,
  part,
  search,
  children,
}: {
  device: string;
  part: networks.NetworkPart;
  search?: string;
  children: (found: DeviceNetworks) => ReactNode;
}): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const query = useQuery(networksQuery(device, part, search));
  const found = query.data;
  if (query.isPending) return <Skeleton lines={4} />;
  if (found === undefined) return <ErrorState text={errorText(query.error)} onRetry={() => void query.refetch()} />;
  if (found.readAt === null) return <EmptyState text={t('networks.never')} />;
  return children(found);
}

/** A table that scrolls by itself where it is too wide. */
export function PartTable({
  label,
  columns,
  children,
}: {
  label: string;
  columns: readonly { readonly id: string; readonly label: string; readonly isNumber?: boolean }[];
  children: ReactNode;
}): ReactNode {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard
    <div className="device-table" tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {columns.map(({ id, label: title, isNumber }) => (
              <th key={id} scope="col" className={isNumber === true ? 'num' : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
