// The tables that this folder owns: only its files may write them (docs/decisions/0030-table-ownership.md).

declare module '../../platform/ports/tables.ts' {
  interface Tables {
    telemetry_parameters: TelemetryParametersTable;
    telemetry: TelemetryTable;
  }
}

interface TelemetryParametersTable {
  id: number;
  name: string;
  unit: string;
}

interface TelemetryTable {
  router_id: string;
  at: Date;
  parameter: number;
  value: number;
}
