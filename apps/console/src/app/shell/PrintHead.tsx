import type { ReactNode } from 'react';
import { useSession } from '../../api/session.ts';
import { formatDateTime } from '../../ui/time/format.ts';
import { useNow } from '../../ui/time/now.ts';
import { useZone } from '../../ui/time/zone.ts';

/** The first line of what is printed: whose it is, and when it was so (SAY-12). */
export function PrintHead(): ReactNode {
  const { org, mainAccountName } = useSession();
  const zone = useZone();
  const now = useNow();
  return (
    <p className="print-only print-head" aria-hidden="true">
      {org?.name ?? mainAccountName} · {formatDateTime(now, zone)} {zone}
    </p>
  );
}
