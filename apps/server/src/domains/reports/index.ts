export { catalogue, findProperty, type CataloguedProperty, type ReportLanguage } from './property.catalogue.ts';
export { requestedDevices, requestedGroups, type RecordQuestion, type ValueCondition } from './record.question.ts';
export { countForWindows } from './record.count.ts';
export { sourcesOf } from './record.sql.ts';
export { nameOf, rounded } from './record.dto.ts';
export { unionOf } from './records.queries.ts';
export { registerReportRoutes, type ReportRoutesDeps } from './reports.routes.ts';
export { purgeReportsOf } from './reports.store.ts';
export { daysWithin, timeRangeOf, type TimeRange } from './time-range.ts';
