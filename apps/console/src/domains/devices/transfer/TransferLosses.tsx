import type { organizations } from '@highline/contract';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { formatNumber } from '../../../ui/time/format.ts';

const kinds = ['values', 'pictures', 'settings', 'commands'] as const;

/** What the transfer deletes or cancels for good, each kind with its number; nothing where there is none of it. */
export function TransferLosses({ lost }: { readonly lost: organizations.TransferLosses }): ReactNode {
  const { t } = useTranslation();
  const some = kinds.filter((kind) => lost[kind] > 0);
  if (some.length === 0) return null;
  return (
    <div className="transfer__impact" role="status">
      <p>{t('transfer.lost')}</p>
      <ul className="dialog__items">
        {some.map((kind) => (
          <li key={kind}>{t(`transfer.losses.${kind}`, { count: lost[kind], shown: formatNumber(lost[kind]) })}</li>
        ))}
      </ul>
    </div>
  );
}
