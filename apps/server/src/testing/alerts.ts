export { createReadingAlerts } from '../domains/alerts/index.ts';
export { createTelemetry, type Telemetry } from '../domains/router-state/index.ts';
