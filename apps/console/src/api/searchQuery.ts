interface SearchState<Field extends string> {
  readonly search?: string | undefined;
  readonly field?: Field | undefined;
  readonly ignoreCase?: 'true' | undefined;
}

/** A list's search as its call takes it; a field without a text narrows nothing. @param first the field unless one is chosen */
export function searchQuery<Field extends string>({ search, field, ignoreCase }: SearchState<Field>, first: Field) {
  return search === undefined ? {} : { search, field: field ?? first, ...(ignoreCase === undefined ? {} : { ignoreCase }) };
}
