export { catalogue, findProperty, type CataloguedProperty, type ReportLanguage } from './property.catalogue.ts';
export { devicesAsked, groupsAsked, type RecordQuestion, type ValueCondition } from './record.question.ts';
export { countForWindows } from './record.count.ts';
export { sourcesOf } from './record.sql.ts';
export { nameOf, rounded } from './record.wire.ts';
export { unionOf } from './records.queries.ts';
export { registerReportRoutes, type ReportRoutesDeps } from './reports.routes.ts';
export { purgeReportsOf } from './reports.store.ts';
export { daysWithin, stretchOf, type Stretch } from './stretch.ts';
