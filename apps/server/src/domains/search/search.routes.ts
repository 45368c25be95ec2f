import { search } from '@highline/contract';
import type { Routes } from '../../platform/calls/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { findEverywhere } from './search.service.ts';

/** Registers the search of the palette (BLK-04). */
export function registerSearchRoutes(routes: Routes, { reader }: Pick<Deps, 'reader'>): void {
  routes.on(search.find, async ({ scope, actor, query }) => ({ result: await findEverywhere(reader, scope, actor, query.text) }));
}
