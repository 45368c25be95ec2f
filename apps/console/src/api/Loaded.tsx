import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { PageSkeleton } from '../ui/page/Skeleton.tsx';
import { EmptyState, ErrorState } from '../ui/states.tsx';
import { useErrorText } from './useErrorText.ts';

export interface LoadedProps<Data> {
  readonly query: UseQueryResult<Data | null>;
  /** Shown if it does not exist (null). */
  readonly gone: string;
  /** A way out below that text. */
  readonly action?: ReactNode;
  readonly skeleton?: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/** What a page is about, or that it is loading, cannot be loaded, or does not exist. */
export function Loaded<Data>({ query, gone, action, skeleton = <PageSkeleton />, children }: LoadedProps<Data>): ReactNode {
  const errorText = useErrorText();
  const { data, error } = query;
  if (data === null) return <EmptyState text={gone} action={action} />;
  if (data !== undefined) return children(data);
  return error === null ? skeleton : <ErrorState text={errorText(error)} onRetry={() => void query.refetch()} />;
}
