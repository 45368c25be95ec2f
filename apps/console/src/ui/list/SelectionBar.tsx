import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { IconButton } from '../ActionButton.tsx';
import { formatNumber } from '../time/format.ts';
import './selection-bar.css';

export interface SelectionBarProps {
  /** What is selected: 'Selected devices'. */
  readonly label: string;
  readonly count: number;
  readonly onClear: () => void;
  /** All that match, and how to select them; absent: they are selected, or cannot be. */
  readonly all?: { readonly count: number; readonly select: () => void } | undefined;
  /** More rows are being selected: no action until then, for it would take the rows from before. */
  readonly busy?: boolean;
  /** The actions that fit the list. */
  readonly children: ReactNode;
}

/** How many rows are selected and what can be done with them (BLK-01). */
export function SelectionBar({ label, count, onClear, all, busy = false, children }: SelectionBarProps): ReactNode {
  const { t } = useTranslation();
  return (
    <div className="selection-bar" role="toolbar" aria-label={label}>
      <span className="strong" role="status">
        {t('ui.selection.selected', { count, shown: formatNumber(count) })}
      </span>
      <IconButton label={t('ui.selection.clear')} icon={<IconX size={16} />} onClick={onClear} />
      {all !== undefined && (
        <button type="button" className="link" onClick={all.select}>
          {t('ui.selection.all', { count: all.count, shown: formatNumber(all.count) })}
        </button>
      )}
      <span className="spacer" />
      <fieldset className="selection-bar__actions" disabled={busy} aria-busy={busy}>
        {children}
      </fieldset>
    </div>
  );
}
