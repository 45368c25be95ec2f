import type { Module } from '../../platform/modules/module.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import { registerPlaceRoutes } from './places.routes.ts';
import { createStreetFinder } from './streets.ts';

type PlacesModuleDeps = Pick<Deps, 'reader' | 'log'> & { readonly settings: Pick<Settings, 'baseMap'> };

export const placesModule: Module<PlacesModuleDeps> = {
  open(routes, { reader, log, settings }) {
    const paths = settings.baseMap.tiles.map(({ path }) => path);
    registerPlaceRoutes(routes, { reader, findStreet: createStreetFinder(paths, log) });
  },
};
