import type { ReactNode } from 'react';
import { formatNumber } from '../ui/time/format.ts';
import { ListStatus } from './ListStatus.tsx';

export interface ListCountProps {
  readonly list: { readonly answer: { readonly total: number } | undefined; readonly updatedAt: number };
  /** How many there are, in words. @param shown the count as it is written */
  readonly text: (count: number, shown: string) => string;
}

/** The line below a list's title: how many rows it has, and how fresh they are. */
export function ListCount({ list, text }: ListCountProps): ReactNode {
  const total = list.answer?.total;
  // Holds the place, so that nothing moves when the answer comes.
  if (total === undefined) return <span>&nbsp;</span>;
  return (
    <>
      {text(total, formatNumber(total))} · <ListStatus updatedAt={list.updatedAt} />
    </>
  );
}
