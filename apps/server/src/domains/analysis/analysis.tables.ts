import type { analysis } from '@highline/contract';

// The tables that this folder owns: only its files may write them (docs/decisions/0030-table-ownership.md).

declare module '../../platform/ports/tables.ts' {
  interface Tables {
    pinned_charts: {
      organization_id: string;
      account_id: string;
      id: string;
      identity: Buffer;
      chart_type: analysis.ChartType;
      arguments: Json<analysis.AnalysisArguments>;
      spec: Json<Record<string, unknown>>;
      content: Json<analysis.PinnedChart['content']>;
      created_at: Stamp;
    };
  }
}
