import type { views } from '@highline/contract';
import type { Generated } from 'kysely';

// The tables that this folder owns: only its files may write them (docs/decisions/0030-table-ownership.md).

declare module '../../platform/ports/tables.ts' {
  interface Tables {
    saved_views: {
      id: string;
      main_account_id: string;
      /** Null: of the main account itself. */
      organization_id: string | null;
      /** Null: the account was deleted, and the view is shared. */
      account_id: string | null;
      list: views.ViewList;
      name: string;
      is_shared: Generated<boolean>;
      content: Json<views.ViewContent>;
      version: Generated<number>;
      created_at: Stamp;
      updated_at: Stamp;
    };
    default_views: {
      account_id: string;
      organization_id: string | null;
      list: views.ViewList;
      view_id: string;
    };
  }
}
