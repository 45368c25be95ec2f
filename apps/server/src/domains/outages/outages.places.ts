import type { Language } from '@highline/contract';
import type { Scope } from '../../kernel/index.ts';
import { centerOf } from '../coverage/index.ts';
import { withPlaceTexts, type PlacesDeps } from '../places/index.ts';
import type { OutageRow, SumRow } from './outages.queries.ts';

/** An outage with the text of its last place; `''` where it is not known. */
export type PlacedOutage = OutageRow & { readonly place: string };

/** Outages with their places as text, for a file (RPM-04). */
export const withPlaces = (
  deps: PlacesDeps,
  scope: Scope,
  language: Language,
  rows: AsyncIterable<OutageRow> | Iterable<OutageRow>,
): AsyncIterable<PlacedOutage> =>
  withPlaceTexts(deps, scope, language, rows, ({ latitude, longitude }) =>
    latitude === null || longitude === null ? undefined : { latitude, longitude },
  );

/** Sums of places with the text and the coordinates of their middle as names; all others as they are. */
export async function* withPlaceNames(
  deps: PlacesDeps,
  scope: Scope,
  language: Language,
  rows: AsyncIterable<SumRow>,
): AsyncGenerator<SumRow> {
  const middleOf = ({ hexagon }: SumRow) => (hexagon === null ? undefined : centerOf(hexagon));
  for await (const row of withPlaceTexts(deps, scope, language, rows, middleOf)) {
    const middle = middleOf(row);
    const coordinates = middle && `${middle.latitude.toFixed(4)}, ${middle.longitude.toFixed(4)}`;
    const name = row.place === '' ? coordinates : `${row.place} (${coordinates})`;
    yield coordinates === undefined ? row : { ...row, name: name ?? row.name };
  }
}
