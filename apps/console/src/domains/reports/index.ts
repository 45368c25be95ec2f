export { DaysFields } from './DaysFields.tsx';
export { useDeviceName, useGroupName } from './names.ts';
export { DeviceField, GroupField, PropertyField } from './pickers.tsx';
export { useProperties, usePropertyUnit } from './useProperties.ts';
export { comparedValue, propertyName } from './property.ts';
export { type Days, daysOfInstants, isSingleDay, timeRangeOf, wholeDays } from './range.ts';
export type { Property, ReportSearch } from './reports.api.ts';
