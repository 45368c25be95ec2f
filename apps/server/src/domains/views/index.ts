export { devicesOfView } from './views.service.ts';
export { purgeViewsOf } from './views.store.ts';
export { visibleViews } from './views.queries.ts';
export { viewsModule } from './module.ts';
