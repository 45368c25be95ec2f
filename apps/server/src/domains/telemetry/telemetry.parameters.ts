/** What routers measure, under the names of the table `telemetry_parameters`; their units stand there. */
export const telemetryParameters = [
  'rssi',
  'rsrp',
  'rsrq',
  'temperature',
  'voltage',
  'bytes_sent',
  'bytes_received',
  'battery',
] as const;
export type TelemetryParameter = (typeof telemetryParameters)[number];

/** One measured value. */
export interface Sample {
  /** Epoch milliseconds by our clock. */
  readonly at: number;
  readonly parameter: TelemetryParameter;
  /** In the unit of `telemetry_parameters`. */
  readonly value: number;
}
