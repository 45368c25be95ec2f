import { useCallback, useMemo, useState } from 'react';
import { usePauseRefresh } from '../refresh.ts';

/** Picked rows, kept while a person pages through the list. */
export interface Selection<Row> {
  /** In a mode of picking: a click on a row picks it. */
  readonly active: boolean;
  /** Rows can be picked by their checkboxes outside of the mode, too (BLK-01). */
  readonly always?: boolean;
  readonly selected: ReadonlyMap<string, Row>;
  /** Another one whenever other rows are picked; the same while picked rows only change. */
  readonly choice: unknown;
  /** The table shows these rows: picked ones among them are from now on as they are here. Absent: they stay as they were picked. */
  readonly renew?: (rows: readonly Row[]) => void;
  readonly enter: () => void;
  /** Leave the mode and clear the selection. */
  readonly leave: () => void;
  readonly toggle: (row: Row) => void;
  /** Select or deselect several rows: a page, a range. */
  readonly setMany: (rows: readonly Row[], picked: boolean) => void;
  /** Why a row cannot be picked now; undefined when it can. */
  readonly reason: (row: Row) => string | undefined;
  /** Outside of the mode: why the picked rows cannot be deleted, for the first that cannot. */
  readonly blocked: string | undefined;
  /** The name of a row, for its checkbox. */
  readonly nameOf: (row: Row) => string;
  readonly rowId: (row: Row) => string;
}

const anyRow = () => undefined;

/**
 * The selection of rows (SHR-07). In a mode, the list does not refresh (SHR-03).
 * @param reason why a row cannot be picked in the mode
 * @param mode active from the start, or `always` with checkboxes outside of it, where every row can be picked
 */
export function useSelection<Row>(
  rowId: (row: Row) => string,
  reason: (row: Row) => string | undefined = anyRow,
  mode: boolean | 'always' = false,
  nameOf: (row: Row) => string,
): Selection<Row> {
  const [active, setActive] = useState(mode === true);
  const always = mode === 'always';
  const [{ selected, choice }, setPicked] = useState<Pick<Selection<Row>, 'selected' | 'choice'>>({
    selected: new Map(),
    choice: {},
  });
  usePauseRefresh(active);
  const reasonNow = always && !active ? anyRow : reason;

  const setMany = useCallback(
    (rows: readonly Row[], picked: boolean) => {
      setPicked((before) => {
        const next = new Map(before.selected);
        for (const row of rows) {
          if (!picked) next.delete(rowId(row));
          else if (reasonNow(row) === undefined) next.set(rowId(row), row);
        }
        return { selected: next, choice: {} };
      });
    },
    [rowId, reasonNow],
  );
  const renew = useCallback(
    (rows: readonly Row[]) => {
      setPicked((before) => {
        const changed = rows.filter((row) => (before.selected.get(rowId(row)) ?? row) !== row);
        if (changed.length === 0) return before;
        return { ...before, selected: new Map([...before.selected, ...changed.map((row) => [rowId(row), row] as const)]) };
      });
    },
    [rowId],
  );
  const toggle = useCallback((row: Row) => setMany([row], !selected.has(rowId(row))), [rowId, selected, setMany]);
  const enter = useCallback(() => {
    setActive(true);
    setPicked((before) => ({
      selected: new Map([...before.selected].filter(([, row]) => reason(row) === undefined)),
      choice: {},
    }));
  }, [reason]);
  const leave = useCallback(() => {
    setActive(false);
    setPicked({ selected: new Map(), choice: {} });
  }, []);
  const blocked = useMemo(() => [...selected.values()].map(reason).find((why) => why !== undefined), [selected, reason]);

  return useMemo(
    () => ({ active, always, selected, choice, renew, enter, leave, toggle, setMany, reason: reasonNow, blocked, rowId, nameOf }),
    [active, always, selected, choice, renew, enter, leave, toggle, setMany, reasonNow, blocked, rowId, nameOf],
  );
}
