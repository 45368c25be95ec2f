import type { notifications } from '@highline/contract';
import type { Generated } from 'kysely';
import type { Json, NullableStamp, Stamp } from '../../platform/ports/tables.ts';

// The tables that this folder owns: only its files may write them (docs/decisions/0030-table-ownership.md).

declare module '../../platform/ports/tables.ts' {
  interface Tables {
    notification_subscriptions: NotificationSubscriptionsTable;
    notification_events: NotificationEventsTable;
    notification_deliveries: NotificationDeliveriesTable;
    notification_throttles: NotificationThrottlesTable;
    router_alarms: RouterAlarmsTable;
  }
}

interface NotificationSubscriptionsTable {
  organization_id: string;
  mail: string;
  recipient: Generated<string>;
  events: notifications.NotificationEvent[];
  group_keys: string[] | null;
  language: 'en-US' | 'zh-TW' | null;
  zone: string | null;
  created_at: Stamp;
  updated_at: Stamp;
}

interface NotificationEventsTable {
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
}

interface NotificationDeliveriesTable {
  organization_id: string;
  event_id: string;
  mail: string;
  mail_id: string;
}

interface NotificationThrottlesTable {
  organization_id: string;
  event: notifications.NotificationEvent;
  until: Date;
  seconds: number;
}

interface RouterAlarmsTable {
  router_id: string;
  alarm: string;
  device_id: string;
  state: string;
  changed_at: Date;
}
