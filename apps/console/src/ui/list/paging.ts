/** Sizes that every table offers besides its own default (SHR-02). */
const COMMON_SIZES = [5, 10, 20, 30, 40, 50];

/** From this many pages on there is a field to type a page into (SHR-02: above 5). */
const GO_TO_PAGE_ABOVE = 5;

/** The sizes a list offers: the common ones and its own, in order. */
export function pageSizes(defaultSize: number): readonly number[] {
  return [...new Set([...COMMON_SIZES, defaultSize])].toSorted((a, b) => a - b);
}

/** Up to this many rows can be shown at once. */
export const ALL_ROWS_MOST = 50;

/** True when a list offers to show all of its rows: they are few, and some are not on this page. */
export function offersAll(total: number, size: number): boolean {
  return total > size && total <= ALL_ROWS_MOST;
}

/** Number of pages; an empty list has one. */
export function pageCount(total: number, size: number): number {
  return Math.max(1, Math.ceil(total / size));
}

/** The page of a row, counted from 1. */
export function pageOfOffset(offset: number, size: number): number {
  return Math.floor(offset / size) + 1;
}

/** True when the table shows a field to go to a page (SHR-02). */
export function hasGoToPage(total: number, size: number): boolean {
  return pageCount(total, size) > GO_TO_PAGE_ABOVE;
}

/** First and last row number of a page; both 0 when there are none. */
export function rowRange(page: number, size: number, shown: number): readonly [number, number] {
  return shown === 0 ? [0, 0] : [(page - 1) * size + 1, (page - 1) * size + shown];
}

/** From this many pages on their numbers collapse around the open one (RPT-02: above 6). */
const COLLAPSE_ABOVE = 6;

/** The page numbers of a numbered pager; null marks a gap between two of them. */
export function shownPages(page: number, pages: number): readonly (number | null)[] {
  if (pages <= COLLAPSE_ABOVE) return Array.from({ length: pages }, (_, index) => index + 1);
  const near = [1, page - 1, page, page + 1, pages].filter((one) => one >= 1 && one <= pages);
  const numbers = [...new Set(near)].toSorted((a, b) => a - b);
  return numbers.flatMap((one, index) => {
    const before = numbers[index - 1];
    return before !== undefined && one - before > 1 ? [null, one] : [one];
  });
}
