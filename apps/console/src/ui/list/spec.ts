/** The values of a list's filter: one of some values, or any text (the id of a group). */
export type FilterValues = readonly string[] | 'text';

/** A list as its address describes it, with all filters, sorting and paging (UX: the address is the state). */
export interface ListSpec<
  Sort extends string = string,
  Field extends string = string,
  Filters extends Readonly<Record<string, FilterValues>> = Readonly<Record<string, FilterValues>>,
> {
  /** The key of the list in the user's preferences. */
  readonly id: string;
  readonly defaultSize: number;
  readonly sorts: readonly Sort[];
  readonly fields: readonly Field[];
  /** What is searched while no field is chosen; it is none of the choices. */
  readonly unlisted?: NoInfer<Field>;
  readonly filters: Filters;
  /** Further parts of the address that the list keeps: those of the page that it is a part of. */
  readonly keeps?: readonly string[];
}

/** A value of a filter. */
export type FilterOf<Values> = Values extends readonly (infer One extends string)[] ? One : string;

/** The list's part of the address. Absent = the default. */
export type ListSearch<Spec> =
  Spec extends ListSpec<infer Sort, infer Field, infer Filters>
    ? {
        readonly page?: number | undefined;
        readonly size?: number | undefined;
        readonly sort?: Sort | `-${Sort}` | undefined;
        readonly search?: string | undefined;
        readonly field?: Field | undefined;
        /** Upper and lower case are one in the search. */
        readonly ignoreCase?: 'true' | undefined;
        /** The saved view by which the list was opened, or 'none' (BLK-03). */
        readonly view?: string | undefined;
      } & { readonly [Name in keyof Filters]?: FilterOf<Filters[Name]> | undefined }
    : never;

/** Sort, filters and search of a list, as its calls take them. */
export type ListQuery<Spec> = Omit<ListSearch<Spec>, 'page' | 'size' | 'view'>;

/** Describe a list; the identity function only pins its types down. */
export function listSpec<
  const Sort extends string,
  const Field extends string,
  const Filters extends Readonly<Record<string, FilterValues>>,
>(spec: ListSpec<Sort, Field, Filters>): ListSpec<Sort, Field, Filters> {
  return spec;
}

const MAX_SIZE = 200;

function whole(raw: unknown, most: number): number | undefined {
  const value = typeof raw === 'number' ? raw : typeof raw === 'string' && /^\d{1,9}$/u.test(raw) ? Number(raw) : Number.NaN;
  return Number.isInteger(value) && value >= 1 && value <= most ? value : undefined;
}

function oneOf(raw: unknown, values: FilterValues): string | undefined {
  if (typeof raw !== 'string' || raw === '') return undefined;
  return values === 'text' || values.includes(raw) ? raw : undefined;
}

/**
 * Parse a list's state from an address. Addresses are typed by hand and stored in bookmarks for years: unknown values are dropped,
 * never an error.
 */
export function parseListSearch<Spec extends ListSpec>(spec: Spec, raw: Readonly<Record<string, unknown>>): ListSearch<Spec> {
  const sorts = spec.sorts.flatMap((sort) => [sort, `-${sort}`]);
  const parsed: Record<string, string | number | undefined> = {
    page: whole(raw.page, 999_999_999),
    size: whole(raw.size, MAX_SIZE),
    sort: oneOf(raw.sort, sorts),
    search: oneOf(raw.search, 'text'),
    field: oneOf(raw.field, spec.fields),
    ignoreCase: oneOf(raw.ignoreCase, ['true']),
    view: oneOf(raw.view, 'text'),
  };
  for (const [name, values] of Object.entries(spec.filters)) parsed[name] = oneOf(raw[name], values);
  return Object.fromEntries(Object.entries(parsed).filter(([, value]) => value !== undefined)) as ListSearch<Spec>;
}

/** The parameters of a list's calls: its searched field is named with its text, and filters nothing alone. */
export function queryOf<Spec extends ListSpec>(spec: Spec, state: ListSearch<Spec>): ListQuery<Spec> {
  const { page: _page, size: _size, view: _view, search, field, ignoreCase, ...rest } = state as ListSearch<ListSpec>;
  return { ...rest, ...searchQuery({ search, field, ignoreCase }, spec.fields[0]) } as ListQuery<Spec>;
}

/** True when anything narrows the list: an empty one then reads 'No matched results.' (SHR-02). */
export function isFiltered(spec: ListSpec, search: Readonly<Record<string, unknown>>): boolean {
  const narrowing = ['search', ...Object.keys(spec.filters)].filter((name) => spec.keeps?.includes(name) !== true);
  return narrowing.some((name) => search[name] !== undefined);
}

/** The same state without filters, on its first page. */
export function withoutFilters<Spec extends ListSpec>(spec: Spec, search: ListSearch<Spec>): ListSearch<Spec> {
  const dropped = new Set(['search', 'field', 'ignoreCase', 'page', ...Object.keys(spec.filters)]);
  return Object.fromEntries(Object.entries(search).filter(([name]) => !dropped.has(name))) as ListSearch<Spec>;
}

/** A change of anything but the page starts from the first page again; another text is searched case-sensitively (SHR-05). */
export function changed<Spec extends ListSpec>(search: ListSearch<Spec>, change: Partial<ListSearch<Spec>>): ListSearch<Spec> {
  const next: Record<string, unknown> = { ...search, ...('page' in change ? {} : { page: undefined }), ...change };
  if (next.page === 1) next.page = undefined;
  if (next.search !== search.search && !('ignoreCase' in change)) next.ignoreCase = undefined;
  return Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined && value !== '')) as ListSearch<Spec>;
}

interface SearchState<Field extends string> {
  readonly search?: string | undefined;
  readonly field?: Field | undefined;
  readonly ignoreCase?: 'true' | undefined;
}

/** The search of a list as query parameters; an empty text filters nothing. @param first the default field */
export function searchQuery<Field extends string>({ search, field, ignoreCase }: SearchState<Field>, first: Field | undefined) {
  return search === undefined ? {} : { search, field: field ?? first, ...(ignoreCase === undefined ? {} : { ignoreCase }) };
}
