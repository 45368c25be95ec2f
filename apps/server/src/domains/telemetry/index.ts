export { createTelemetry, type Telemetry, type TelemetryDeps, type TelemetryStats } from './telemetry.service.ts';
export { telemetryParameters, type Sample, type TelemetryParameter } from './telemetry.parameters.ts';
export { ensureTimePartitions } from './telemetry.partitions.ts';
import './telemetry.tables.ts';
