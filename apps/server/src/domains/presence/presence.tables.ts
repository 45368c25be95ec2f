// The tables that this folder owns: only its files may write them (docs/decisions/0030-table-ownership.md).

declare module '../../platform/ports/tables.ts' {
  interface Tables {
    router_contacts: RouterContactsTable;
    connectivity: ConnectivityTable;
  }
}

interface RouterContactsTable {
  router_id: string;
  last_contact_at: Date;
  /** dBm. */
  rssi: number | null;
}

interface ConnectivityTable {
  router_id: string;
  at: Date;
  kind: string;
  reason: string;
}
