export { devicesOfView } from './views.service.ts';
export { visibleViews } from './views.queries.ts';
export { viewsModule } from './module.ts';
