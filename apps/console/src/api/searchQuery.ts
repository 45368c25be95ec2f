interface SearchState<Field extends string> {
  readonly search?: string | undefined;
  readonly field?: Field | undefined;
  readonly ignoreCase?: 'true' | undefined;
}

/** The search of a list as query parameters; an empty text filters nothing. @param first the default field */
export function searchQuery<Field extends string>({ search, field, ignoreCase }: SearchState<Field>, first: Field) {
  return search === undefined ? {} : { search, field: field ?? first, ...(ignoreCase === undefined ? {} : { ignoreCase }) };
}
