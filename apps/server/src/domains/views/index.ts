export { devicesOfView } from './view-devices.ts';
export { visibleViews } from './views.queries.ts';
export { viewsModule } from './module.ts';
