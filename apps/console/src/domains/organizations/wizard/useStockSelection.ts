import { useMemo } from 'react';
import { useTranslation } from '#i18n';
import type { Selection } from '../../../ui/list/useSelection.ts';
import { usePauseRefresh } from '../../../ui/refresh.ts';
import { formatNumber } from '../../../ui/time/format.ts';
import { MOST_CHOSEN, type StockRouter } from './stock.ts';

const rowId = ({ id }: StockRouter) => id;
const nameOf = ({ serial_number: serial }: StockRouter) => serial;
/** Only what the draft keeps. */
const kept = ({ id, serial_number, mac, model }: StockRouter): StockRouter => ({ id, serial_number, mac, model });

/** The checkboxes of the stock. The draft holds the choice, so that it survives the other steps and a reload. */
export function useStockSelection(
  routers: readonly StockRouter[],
  onChoose: (routers: readonly StockRouter[]) => void,
): Selection<StockRouter> {
  const { t } = useTranslation();
  usePauseRefresh(true);
  return useMemo(() => {
    const selected = new Map(routers.map((router) => [router.id, router]));
    const setMany = (rows: readonly StockRouter[], picked: boolean) => {
      const next = new Map(selected);
      for (const row of rows) {
        if (!picked) next.delete(row.id);
        else if (next.size < MOST_CHOSEN) next.set(row.id, kept(row));
      }
      onChoose([...next.values()]);
    };
    const full = selected.size >= MOST_CHOSEN ? t('wizard.stock.full', { shown: formatNumber(MOST_CHOSEN) }) : undefined;
    return {
      active: true,
      selected,
      choice: selected,
      enter: () => undefined,
      leave: () => onChoose([]),
      toggle: (row) => setMany([row], !selected.has(row.id)),
      setMany,
      reason: (row) => (selected.has(row.id) ? undefined : full),
      blocked: undefined,
      nameOf,
      rowId,
    };
  }, [routers, onChoose, t]);
}
