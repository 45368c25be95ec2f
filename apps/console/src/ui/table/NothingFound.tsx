import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { EmptyState } from '../states.tsx';
import { formatNumber } from '../time/format.ts';
import { OtherFields } from './OtherFields.tsx';
import type { DataTableProps, OtherCase } from './props.ts';

/** Shows rows that differ in case only. */
function OtherCaseButton({ count, show }: OtherCase): ReactNode {
  const { t } = useTranslation();
  return (
    <button type="button" className="link" onClick={show}>
      {t('ui.table.otherCase', { count, shown: formatNumber(count) })}
    </button>
  );
}

export function Nothing<Row>({
  filtered,
  onClearFilters,
  otherCase,
  otherFields = [],
  emptyAction,
}: DataTableProps<Row>): ReactNode {
  const { t } = useTranslation();
  if (filtered !== true) return <EmptyState text={t('ui.table.noRecords')} action={emptyAction} />;
  return (
    <EmptyState
      text={t('ui.table.noMatch')}
      action={
        <>
          {otherCase !== undefined && <OtherCaseButton {...otherCase} />}
          <OtherFields found={otherFields} />
          {onClearFilters !== undefined && (
            <button type="button" className="link" onClick={onClearFilters}>
              {t('ui.filter.clearAll')}
            </button>
          )}
        </>
      }
    />
  );
}
