import type { notifications } from '@highline/contract';
import type { Generated } from 'kysely';

// The tables that this folder owns: only its files may write them (docs/decisions/0030-table-ownership.md).

declare module '../../platform/ports/tables.ts' {
  interface Tables {
    notification_subscriptions: {
      organization_id: string;
      mail: string;
      recipient: Generated<string>;
      events: notifications.NotificationEvent[];
      group_keys: string[] | null;
      language: 'en-US' | 'zh-TW' | null;
      zone: string | null;
      created_at: Stamp;
      updated_at: Stamp;
    };
    notification_events: {
      organization_id: string;
      id: string;
      event: notifications.NotificationEvent;
      key: string;
      group_key: string | null;
      detail: Json<Record<string, unknown>>;
      times: Generated<number>;
      happened_at: Date;
      created_at: Stamp;
      notified_at: NullableStamp;
    };
    notification_deliveries: {
      organization_id: string;
      event_id: string;
      mail: string;
      mail_id: string;
    };
    notification_throttles: {
      organization_id: string;
      event: notifications.NotificationEvent;
      until: Date;
      seconds: number;
    };
    router_alarms: {
      router_id: string;
      alarm: string;
      device_id: string;
      state: string;
      changed_at: Date;
    };
  }
}
