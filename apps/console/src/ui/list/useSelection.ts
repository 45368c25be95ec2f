import { useCallback, useMemo, useState } from 'react';
import { usePauseRefresh } from '../refresh.ts';

/** Picked rows, kept while a person pages through the list. */
export interface Selection<Row> {
  /** In a mode of picking: a click on a row picks it. */
  readonly active: boolean;
  /** Rows can be picked by their checkboxes outside of the mode, too (BLK-01). */
  readonly always?: boolean;
  readonly selected: ReadonlyMap<string, Row>;
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
  const [selected, setSelected] = useState<ReadonlyMap<string, Row>>(new Map());
  usePauseRefresh(active);
  const reasonNow = always && !active ? anyRow : reason;

  const setMany = useCallback(
    (rows: readonly Row[], picked: boolean) => {
      setSelected((before) => {
        const next = new Map(before);
        for (const row of rows) {
          if (!picked) next.delete(rowId(row));
          else if (reasonNow(row) === undefined) next.set(rowId(row), row);
        }
        return next;
      });
    },
    [rowId, reasonNow],
  );
  const toggle = useCallback((row: Row) => setMany([row], !selected.has(rowId(row))), [rowId, selected, setMany]);
  const enter = useCallback(() => {
    setActive(true);
    setSelected((before) => new Map([...before].filter(([, row]) => reason(row) === undefined)));
  }, [reason]);
  const leave = useCallback(() => {
    setActive(false);
    setSelected(new Map());
  }, []);
  const blocked = useMemo(() => [...selected.values()].map(reason).find((why) => why !== undefined), [selected, reason]);

  return useMemo(
    () => ({ active, always, selected, enter, leave, toggle, setMany, reason: reasonNow, blocked, rowId, nameOf }),
    [active, always, selected, enter, leave, toggle, setMany, reasonNow, blocked, rowId, nameOf],
  );
}
