/** The parameters that routers measure, by their names in the table `telemetry_parameters`, which also has their units. */
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
