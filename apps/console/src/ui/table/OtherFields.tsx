import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { formatNumber } from '../time/format.ts';
import type { OtherField } from './props.ts';

/** Shows what the same text finds in other fields. */
export function OtherFields({ found }: { found: readonly OtherField[] }): ReactNode {
  const { t } = useTranslation();
  return found.map(({ label, count, show }) => (
    <button key={label} type="button" className="link" onClick={show}>
      {t('ui.table.otherField', { count, shown: formatNumber(count), field: label })}
    </button>
  ));
}
