import { useQuery } from '@tanstack/react-query';

/** Rows that the same text finds in another field. */
export interface OtherFieldOf<Field extends string> {
  readonly field: Field;
  readonly count: number;
  readonly show: () => void;
}

export interface OtherFieldsOptions<Field extends string> {
  /** A search in one field found nothing: only then is anything counted. */
  readonly enabled: boolean;
  /** The fields that were not searched. */
  readonly fields: readonly Field[];
  /** Of the list that was searched. */
  readonly queryKey: readonly unknown[];
  /** How many rows match in a field, without regard to upper and lower case. */
  readonly count: (field: Field, signal: AbortSignal) => Promise<number>;
  readonly show: (field: Field) => void;
}

const none = [] as const;

/** Where a search without matches would find something: most people do not choose a field before they type. */
export function useOtherFields<Field extends string>(options: OtherFieldsOptions<Field>): readonly OtherFieldOf<Field>[] {
  const { fields, queryKey, count, show } = options;
  const enabled = options.enabled && fields.length > 0;
  const query = useQuery({
    queryKey: [...queryKey, 'other fields'],
    queryFn: ({ signal }) => Promise.all(fields.map(async (field) => ({ field, count: await count(field, signal) }))),
    enabled,
  });
  if (!enabled || query.data === undefined) return none;
  return query.data.flatMap((found) => (found.count === 0 ? [] : [{ ...found, show: () => show(found.field) }]));
}
