import { places } from '@highline/contract';
import type { Routes } from '../../platform/calls/index.ts';
import { describePlaces, type PlacesDeps } from './places.service.ts';

/** Registers the descriptions of places (SAY-07). */
export function registerPlaceRoutes(routes: Routes, deps: PlacesDeps): void {
  routes.on(places.describePlaces, async ({ scope, query }) => ({ result: await describePlaces(deps, scope, query.at) }));
}
