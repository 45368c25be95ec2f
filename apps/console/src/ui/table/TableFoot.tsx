import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { IconButton } from '../ActionButton.tsx';
import { ALL_ROWS_MOST, hasGoToPage, offersAll, pageCount, pageSizes, rowRange, shownPages } from '../list/paging.ts';
import { storePageSize, usePreferredSize } from '../preferences.ts';
import { formatNumber } from '../time/format.ts';
import type { Pager } from './props.ts';
import type { TableView } from './source.ts';

interface TableFootProps {
  /** The caption of the table. */
  readonly caption: string;
  readonly view: TableView;
  readonly shown: number;
  readonly total: number | undefined;
  readonly defaultSize: number;
  readonly pager?: Pager | undefined;
  readonly onView: (change: { page?: number; size?: number }) => void;
}

/** A field that opens a page by its number, above 5 pages (SHR-02). */
function GoToPage({ page, pages, onPage }: { page: number; pages: number; onPage: (page: number) => void }): ReactNode {
  const { t } = useTranslation();
  // Undefined while the user is not typing: the field then shows the page.
  const [typed, setTyped] = useState<string>();
  const go = (event: FormEvent) => {
    event.preventDefault();
    const requested = Number(typed);
    setTyped(undefined);
    if (Number.isInteger(requested) && requested >= 1) onPage(Math.min(requested, pages));
  };
  return (
    <form onSubmit={go} className="table-foot__go">
      <label>
        {t('ui.table.page')}
        <input
          className="table-foot__page"
          inputMode="numeric"
          aria-label={t('ui.table.goToPage')}
          value={typed ?? String(page)}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onBlur={() => setTyped(undefined)}
          style={{ width: `${Math.max(2, String(pages).length) + 3}ch` }}
        />
      </label>
      {t('ui.table.ofPages', { pages: formatNumber(pages) })}
    </form>
  );
}

function SizeSelect({
  size,
  sizes,
  onSize,
}: {
  size: number;
  sizes: readonly number[];
  onSize: (size: number) => void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <label className="table-foot__size">
      {t('ui.table.rows')}
      <select aria-label={t('ui.table.rows')} value={size} onChange={(event) => onSize(Number(event.currentTarget.value))}>
        {[...new Set([...sizes, size])]
          .toSorted((a, b) => a - b)
          .map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
      </select>
    </label>
  );
}

/** Pages to click by their numbers, collapsed around the open one. */
function Numbers({ page, pages, onPage }: { page: number; pages: number; onPage: (page: number) => void }): ReactNode {
  const { t } = useTranslation();
  return shownPages(page, pages).map((number, index) =>
    number === null ? (
      // At most two gaps, each with its own key.
      <span key={`gap-${index}`} aria-hidden="true">
        …
      </span>
    ) : (
      <button
        key={number}
        type="button"
        className="table-foot__number"
        aria-label={t('ui.table.toPage', { page: formatNumber(number) })}
        aria-current={number === page ? 'page' : undefined}
        onClick={() => onPage(number)}
      >
        {formatNumber(number)}
      </button>
    ),
  );
}

/** The default pager of a list: arrows, and above 5 pages a field. */
function Steps({ page, pages, onPage }: { page: number; pages: number; onPage: (page: number) => void }): ReactNode {
  const { t } = useTranslation();
  return hasGoToPage(pages, 1) ? (
    <GoToPage page={page} pages={pages} onPage={onPage} />
  ) : (
    <span>{t('ui.table.pageOf', { page, pages })}</span>
  );
}

/** Which rows of how many, the page size, and the ways to other pages. */
export function TableFoot({ caption, view, shown, total, defaultSize, pager, onView }: TableFootProps): ReactNode {
  const { t } = useTranslation();
  const { page, size } = view;
  const preferred = usePreferredSize();
  const pages = pageCount(total ?? 0, size);
  const [first, last] = rowRange(page, size, shown);
  const onPage = (next: number) => onView({ page: next });
  const numbered = pager !== undefined && !pager.beyond;
  return (
    <nav className="table-foot" aria-label={t('ui.table.pages', { caption })}>
      <span className="table-foot__range">
        {t(pager?.uncounted === true ? 'ui.table.rangeOfMore' : 'ui.table.range', {
          first: formatNumber(first),
          last: formatNumber(last),
          total: formatNumber(total ?? shown),
        })}
      </span>
      {pager?.uncounted !== true && offersAll(total ?? 0, size) && (
        // For this list and this visit only: the select applies to all lists.
        <button type="button" className="link" onClick={() => onView({ size: ALL_ROWS_MOST })}>
          {t('ui.table.showAll', { total: formatNumber(total ?? 0) })}
        </button>
      )}
      {size === ALL_ROWS_MOST && preferred === undefined && pager === undefined && (
        <button type="button" className="link" onClick={() => storePageSize(ALL_ROWS_MOST)}>
          {t('ui.table.everywhere', { size: ALL_ROWS_MOST })}
        </button>
      )}
      <span className="spacer" />
      <SizeSelect
        size={size}
        sizes={pager?.sizes ?? pageSizes(defaultSize)}
        onSize={(next) => {
          storePageSize(next);
          onView({ size: next });
        }}
      />
      {numbered && pages > 1 && <GoToPage page={page} pages={pages} onPage={onPage} />}
      <span className="table-foot__pages">
        <IconButton
          label={t('ui.table.previous')}
          icon={<IconChevronLeft size={18} />}
          disabled={page <= 1}
          onClick={() => onPage(page - 1)}
        />
        {numbered && <Numbers page={page} pages={pages} onPage={onPage} />}
        {pager === undefined && <Steps page={page} pages={pages} onPage={onPage} />}
        {pager?.onContinue === undefined ? (
          <IconButton
            label={t('ui.table.next')}
            icon={<IconChevronRight size={18} />}
            disabled={page >= pages}
            onClick={() => onPage(page + 1)}
          />
        ) : (
          <button
            type="button"
            className="link"
            aria-disabled={pager.waiting}
            onClick={pager.waiting ? undefined : pager.onContinue}
          >
            {t('ui.table.continue')}
          </button>
        )}
      </span>
    </nav>
  );
}
