import type { reports } from '@highline/contract';

// The tables that this folder owns: only its files may write them (docs/decisions/0030-table-ownership.md).

declare module '../../platform/ports/tables.ts' {
  interface Tables {
    saved_reports: {
      organization_id: string;
      account_id: string;
      id: string;
      name: string;
      question: Json<Omit<reports.SavedReport, 'id' | 'reportName' | 'projectId'>>;
      created_at: Stamp;
      updated_at: Stamp;
    };
  }
}
