import { useQuery } from '@tanstack/react-query';
import type { OtherCase } from '../ui/table/props.ts';

export interface OtherCaseOptions {
  /** A case-sensitive search found nothing: only then is anything counted. */
  readonly enabled: boolean;
  /** Of the list that was searched. */
  readonly queryKey: readonly unknown[];
  /** How many rows match without regard to upper and lower case. */
  readonly count: (signal: AbortSignal) => Promise<number>;
  readonly show: () => void;
}

/** How many rows a search without matches would find if it ignored case; undefined = none. */
export function useOtherCase({ enabled, queryKey, count, show }: OtherCaseOptions): OtherCase | undefined {
  const query = useQuery({ queryKey: [...queryKey, 'other case'], queryFn: ({ signal }) => count(signal), enabled });
  return enabled && query.data !== undefined && query.data > 0 ? { count: query.data, show } : undefined;
}
