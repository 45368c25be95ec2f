import type { ReactNode } from 'react';
import { formatNumber } from '../ui/time/format.ts';
import { ListStatus } from './ListStatus.tsx';

export interface ListCountProps {
  readonly list: { readonly answer: { readonly total: number } | undefined; readonly updatedAt: number };
  /** The number of rows as text. @param shown the formatted count */
  readonly text: (count: number, shown: string) => string;
}

/** The line below a list's title: how many rows it has, and how fresh they are. */
export function ListCount({ list, text }: ListCountProps): ReactNode {
  const total = list.answer?.total;
  // Reserves the space, so the layout does not shift when the answer arrives.
  if (total === undefined) return <span>&nbsp;</span>;
  return (
    <>
      {text(total, formatNumber(total))} · <ListStatus updatedAt={list.updatedAt} />
    </>
  );
}
