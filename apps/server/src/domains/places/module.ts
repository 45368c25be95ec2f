import type { Module } from '../../platform/modules/module.ts';
import { registerPlaceRoutes } from './places.routes.ts';
import type { PlacesDeps } from './places.service.ts';

export const placesModule: Module<PlacesDeps> = { open: registerPlaceRoutes };
