export { registerViewRoutes } from './views.routes.ts';
export { devicesOfView } from './views.service.ts';
export { purgeViewsOf } from './views.store.ts';
export { visibleViews } from './views.queries.ts';
