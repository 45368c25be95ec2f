import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from '#i18n';
import { useAction } from '../../../api/useAction.ts';
import { useErrorText } from '../../../api/useErrorText.ts';
import { useOtherCase } from '../../../api/useOtherCase.ts';
import { FilterBar } from '../../../ui/filter/FilterBar.tsx';
import { useLetterCase } from '../../../ui/filter/useLetterCase.ts';
import type { Selection } from '../../../ui/list/useSelection.ts';
import { usePreferredSize } from '../../../ui/preferences.ts';
import type { Column } from '../../../ui/table/column.ts';
import { DataTable } from '../../../ui/table/DataTable.tsx';
import { formatNumber } from '../../../ui/time/format.ts';
import { countStock, fetchAllStock, stockFields, stockQuery, type StockView } from './stock.api.ts';
import { MOST_CHOSEN, type StockRouter } from './stock.ts';

const PAGE = 10;
const start = { page: 1, sort: undefined, field: 'serial', search: undefined, ignoreCase: undefined } as const;

function useColumns(): readonly Column<StockRouter>[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        id: 'serial',
        header: t('wizard.stock.column.serial'),
        width: 170,
        sort: 'serial',
        pinned: true,
        cell: (router) => <span className="mono strong">{router.serial_number}</span>,
      },
      {
        id: 'model',
        header: t('wizard.stock.column.model'),
        sort: 'model',
        width: 150,
        cell: ({ model }) => (model === '' ? <span className="dim">--</span> : model),
      },
      {
        id: 'mac',
        header: t('wizard.stock.column.mac'),
        width: 170,
        cell: ({ mac }) => <span className="mono">{mac}</span>,
      },
    ],
    [t],
  );
}

interface ChooseAllProps {
  readonly view: StockView;
  /** How many routers match. */
  readonly total: number;
  readonly selection: Selection<StockRouter>;
}

/** Chooses every router that matches, not only those of this page; earlier choices stay. */
function ChooseAll({ view, total, selection }: ChooseAllProps): ReactNode {
  const { t } = useTranslation();
  const choose = useAction<void, readonly StockRouter[]>({
    run: () => fetchAllStock(view),
    onDone: (routers) => selection.setMany(routers, true),
  });
  if (total <= view.size || total > MOST_CHOSEN) return null;
  return (
    <button type="button" className="link" disabled={choose.busy} onClick={() => choose.run()}>
      {t('wizard.stock.chooseAll', { shown: formatNumber(total) })}
    </button>
  );
}

/** The routers in stock with a checkbox each, sorted, searched and paged by the server: a stock may have 100,000. */
export function StockTable({ selection }: { selection: Selection<StockRouter> }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const preferred = usePreferredSize();
  const [view, setView] = useState<StockView>({ ...start, size: preferred ?? PAGE });
  const query = useQuery(stockQuery(view));
  const columns = useColumns();
  const change = (part: Partial<StockView>) => setView((before) => ({ ...before, page: 1, ...part }));
  const search = (field: StockView['field'], text: string) =>
    change({ field, search: text === '' ? undefined : text, ...(text === view.search ? {} : { ignoreCase: undefined }) });
  const clear = () => change({ search: undefined, ignoreCase: undefined });
  const found = query.isPlaceholderData ? undefined : query.data?.total;
  const otherCase = useOtherCase({
    enabled: view.search !== undefined && view.ignoreCase === undefined && found === 0,
    queryKey: ['inventory', 'stock', view],
    count: (signal) => countStock({ ...view, ignoreCase: 'true' }, signal),
    show: () => change({ ignoreCase: 'true' }),
  });
  return (
    <DataTable
      id="wizard-stock"
      caption={t('wizard.stock.caption')}
      columns={columns}
      rowId={selection.rowId}
      source={{
        rows: query.data?.rows,
        total: query.data?.total,
        fetching: query.isFetching,
        error: query.error === null ? undefined : errorText(query.error),
        retry: () => void query.refetch(),
      }}
      view={view}
      defaultSize={PAGE}
      onView={(part) => change(part as Partial<StockView>)}
      filtered={view.search !== undefined}
      onClearFilters={clear}
      otherCase={otherCase}
      emptyAction={<p className="dim">{t('wizard.stock.empty')}</p>}
      selection={selection}
      tools={
        <FilterBar
          search={{
            fields: stockFields.map((field) => ({ value: field, label: t(`wizard.stock.column.${field}`) })),
            field: view.field,
            value: view.search,
            onSearch: (field, text) => search(stockFields.find((one) => one === field) ?? 'serial', text),
          }}
          filters={[useLetterCase(view.ignoreCase)]}
          onFilter={() => change({ ignoreCase: undefined })}
          onClear={clear}
        >
          {query.data !== undefined && <ChooseAll view={view} total={query.data.total} selection={selection} />}
        </FilterBar>
      }
    />
  );
}
