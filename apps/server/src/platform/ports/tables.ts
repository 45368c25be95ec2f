import type { analysis, commands, esims, notifications, properties, remoteAccess, reports, rollouts } from '@highline/contract';
import type { ColumnType, Generated } from 'kysely';

// One interface per table of migrations/. `timestamptz` is a Date, `date` an ISO day, `bigint` a number below 2^53.

type Stamp = ColumnType<Date, Date | undefined, Date>;
type NullableStamp = ColumnType<Date | null, Date | null | undefined, Date | null>;
type Json<T> = ColumnType<T, string | undefined, string>;

interface InstallationTable {
  key: string;
  value: ColumnType<unknown, string, string>;
}

interface MainAccountsTable {
  id: string;
  name: string;
  created_at: Stamp;
}

interface OrganizationsTable {
  id: string;
  main_account_id: string;
  name: string;
  phone: Generated<string>;
  address: Generated<string>;
  description: Generated<string>;
  tags: Generated<string[]>;
  version: Generated<number>;
  created_at: Stamp;
  updated_at: Stamp;
  deleted_at: NullableStamp;
  request_key: Generated<string | null>;
  purged_at: NullableStamp;
}

interface AccountsTable {
  id: string;
  main_account_id: string;
  organization_id: string | null;
  email: string;
  name: string;
  password_hash: string | null;
  roles: Generated<string[]>;
  is_contact: Generated<boolean>;
  custom_data: Json<Record<string, unknown>>;
  /** Language in which the user was invited. */
  language: 'en-US' | 'zh-TW' | null;
  signed_in_at: NullableStamp;
  version: Generated<number>;
  created_at: Stamp;
  updated_at: Stamp;
}

interface SessionsTable {
  bearer_hash: Buffer;
  account_id: string;
  created_at: Stamp;
  last_used_at: Stamp;
  expires_at: Date;
  address: string;
  user_agent: string;
}

interface MailedLinksTable {
  secret_hash: Buffer;
  account_id: string;
  purpose: 'reset-password' | 'invitation';
  created_at: Stamp;
  expires_at: Date;
  used_at: NullableStamp;
}

interface SecondFactorsTable {
  account_id: string;
  sealed_secret: Buffer;
  confirmed_at: NullableStamp;
  last_step: Generated<number>;
  created_at: Stamp;
}

interface RecoveryCodesTable {
  account_id: string;
  code_hash: Buffer;
  used_at: NullableStamp;
}

interface SetupLinksTable {
  secret_hash: Buffer;
  created_at: Stamp;
}

/** Last write of each process, so that /healthz detects failing writes. */
interface WriteProbesTable {
  process: string;
  at: Date;
}

interface RateWindowsTable {
  key: string;
  hits: number;
  ends_at: Date;
}

interface GroupsTable {
  organization_id: string;
  key: string;
  name: string;
  description: Generated<string>;
  tags: Generated<string[]>;
  version: Generated<number>;
  created_at: Stamp;
  updated_at: Stamp;
}

interface FirmwareTable {
  id: string;
  main_account_id: string;
  version: string;
  profile: string;
  note: Generated<string>;
  file_name: string;
  size: number;
  sha256: Buffer;
  signed_by: string | null;
  created_at: Stamp;
  updated_at: Stamp;
}

interface ConfigFilesTable {
  organization_id: string;
  id: string;
  name: string;
  note: Generated<string>;
  current_version: Generated<number>;
  version: Generated<number>;
  created_at: Stamp;
  updated_at: Stamp;
}

interface ConfigVersionsTable {
  organization_id: string;
  config_id: string;
  number: number;
  size: number;
  sha256: Buffer;
  sealed: Buffer;
  created_at: Stamp;
  created_by: Generated<string>;
}

interface BindingsTable {
  id: string;
  organization_id: string;
  group_key: string;
  kind: rollouts.BindingKind;
  firmware_id: string | null;
  config_id: string | null;
  config_number: number | null;
  label: string;
  schedule: rollouts.Schedule;
  postpone_until: NullableStamp;
  state: Generated<'running' | 'paused' | 'cancelled'>;
  paused_reason: 'person' | 'threshold' | null;
  failure_threshold: Generated<number>;
  canaries: Generated<number>;
  counted_from: Stamp;
  created_by: Generated<string>;
  created_at: Stamp;
  ended_at: NullableStamp;
}

interface RolloutTargetsTable {
  organization_id: string;
  binding_id: string;
  device_id: string;
  router_id: string;
  state: Generated<rollouts.TargetState>;
  reason: string | null;
  percent: Generated<number>;
  attempt: Generated<number>;
  is_canary: Generated<boolean>;
  phase: Generated<'idle' | 'sent' | 'downloaded' | 'staged' | 'applied'>;
  step_key: string | null;
  slot: string | null;
  step_begun_at: NullableStamp;
  step_sent_at: NullableStamp;
  step_taken_at: NullableStamp;
  sends: Generated<number>;
  interruptions: Generated<number>;
  due_at: NullableStamp;
  looked_at: NullableStamp;
  download_hash: Buffer | null;
  download_until: NullableStamp;
  checked_by: string | null;
  updated_at: Stamp;
}

interface BootChoicesTable {
  router_id: string;
  slot: string;
  due_at: NullableStamp;
}

/** Columns that describe the connection of a router; `routers` and `devices` both have them. */
export interface PresenceColumns {
  presence: Generated<'online' | 'offline' | 'unknown'>;
  presence_since: NullableStamp;
  presence_reason: string | null;
}

interface RoutersTable extends PresenceColumns {
  id: string;
  main_account_id: string;
  serial: string;
  mac: string;
  model: Generated<string>;
  endpoint_id: string;
  authentication: Generated<'secret' | 'certificate' | 'either' | 'both'>;
  secret_hash: Buffer;
  previous_secret_hash: Buffer | null;
  previous_secret_until: NullableStamp;
  organization_id: string | null;
  device_id: string | null;
  clock_skew_ms: number | null;
  reported: Json<Record<string, unknown>>;
  created_at: Stamp;
}

interface RouterContactsTable {
  router_id: string;
  last_contact_at: Date;
  /** dBm. */
  rssi: number | null;
}

interface MainAccountCasTable {
  main_account_id: string;
  certificate: string;
  sealed_key: Buffer;
  created_at: Date;
}

interface RouterCertificatesTable {
  id: string;
  main_account_id: string;
  router_id: string;
  serial_number: string;
  fingerprint: Buffer;
  subject: string;
  endpoint_id: string;
  created_at: Date;
  expires_at: Date;
  retires_at: NullableStamp;
  revoked_at: NullableStamp;
  last_used_at: NullableStamp;
}

interface RouterRejectionsTable {
  router_id: string;
  at: Date;
  reason: string;
  received: string | null;
  address: string;
}

interface RouterOwnershipTable {
  router_id: string;
  owned_from: Date;
  owned_until: NullableStamp;
  organization_id: string;
  device_id: string;
}

/** What a router reports, as columns of `devices` (DEV-09). Null = never reported. */
export interface ReportedColumns {
  model: string | null;
  hardware_version: string | null;
  firmware: string | null;
  config: string | null;
  /** As reported; our agent reports the beginning of the file's SHA-256. */
  config_version: string | null;
  booted_at: NullableStamp;
  carrier: string | null;
  technology: string | null;
  imei: string | null;
  imsi: string | null;
  iccid: string | null;
  mtn: string | null;
  eid: string | null;
}

interface DevicesTable extends PresenceColumns, ReportedColumns {
  organization_id: string;
  id: string;
  main_account_id: string;
  router_id: string;
  serial: string;
  mac: string;
  group_key: string;
  vehicle_number: Generated<string>;
  note: Generated<string>;
  /** ISO day. */
  started_on: string | null;
  /** ISO day. */
  expires_on: string | null;
  created_at: Stamp;
  updated_at: Stamp;
  archived_at: NullableStamp;
  version: Generated<number>;
  /** Computed: `booted_at` while online. */
  up_since: ColumnType<Date | null, never, never>;
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

interface ConnectivityTable {
  router_id: string;
  at: Date;
  kind: string;
  reason: string;
}

interface AuditEntriesTable {
  chain_id: string;
  seq: number;
  at: Date;
  actor_id: string | null;
  actor_email: string;
  actor_role: string;
  address: string;
  action: string;
  subject_kind: string;
  subject_id: string;
  detail: ColumnType<unknown, string, never>;
  previous_hash: Buffer;
  hash: Buffer;
}

interface AuditHeadsTable {
  chain_id: string;
  seq: number;
  hash: Buffer;
}

interface AuditCutsTable {
  chain_id: string;
  seq: number;
  hash: Buffer;
  at: Date;
  signature: string;
}

interface AuditDevicesTable {
  chain_id: string;
  seq: number;
  device_id: string;
  at: Date;
}

interface RouterEventsTable {
  id: ColumnType<number, never, never>;
  router_id: string;
  at: Date;
  kind: 'rollout' | 'alarm' | 'remote';
  subject: string;
  label: string;
  state: string;
  reason: string;
  rollout_id: string | null;
  remote_session_id: string | null;
}

interface RemoteSessionsTable {
  organization_id: string;
  id: string;
  main_account_id: string;
  device_id: string;
  router_id: string;
  type: remoteAccess.ConnectionType;
  node: string;
  account_id: string;
  account_email: string;
  login_hash: Buffer;
  opened_at: Stamp;
  credentials_expire_at: NullableStamp;
  ended_at: NullableStamp;
  end_reason: remoteAccess.EndReason | null;
}

interface RemoteCallsTable {
  organization_id: string;
  id: string;
  main_account_id: string;
  topic: 'remote' | 'commands';
  payload: ColumnType<unknown, string, never>;
  login_hash: Buffer;
  address: string;
  requested_at: Generated<Date>;
  claimed_at: NullableStamp;
  sealed_answer: Buffer | null;
}

interface RemoteNodesTable {
  node: string;
  seen_at: Stamp;
}

interface OutboxTable {
  xid: ColumnType<string, never, never>;
  position: ColumnType<number, never, never>;
  main_account_id: string | null;
  organization_id: string | null;
  topic: string;
  ids: string[];
  created_at: Stamp;
}

interface MailsTable {
  id: string;
  recipient: string;
  subject: string;
  plain: string;
  html: string;
  created_at: Stamp;
  next_attempt_at: NullableStamp;
  attempts: Generated<number>;
  sent_at: NullableStamp;
  last_error: string | null;
  organization_id: string | null;
  kind: Generated<MailKind>;
  sealed: Generated<Buffer | null>;
  link_hash: Generated<Buffer | null>;
}

/** The subject of a mail: an account, or an event. */
export type MailKind = 'account' | 'invitation' | 'notification';

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

interface EsimProfilesTable {
  organization_id: string;
  id: string;
  main_account_id: string;
  device_id: string;
  router_id: string;
  serial: string;
  eid: Generated<string>;
  is_preloaded: Generated<boolean>;
  sealed_code: Generated<Buffer | null>;
  sealed_confirmation: Generated<Buffer | null>;
  iccid: Generated<string>;
  apn: Generated<string>;
  apn2: Generated<string>;
  name: Generated<string>;
  carrier: Generated<string>;
  status: Exclude<esims.ProfileStatus, 'Not Purchased'>;
  reason: Generated<string>;
  priority: number;
  version: Generated<number>;
  created_at: Date;
  updated_at: Date;
  path: Generated<string | null>;
  step: Generated<'download' | 'enable' | 'delete' | null>;
  step_key: Generated<string | null>;
  step_begun_at: NullableStamp;
  step_sent_at: NullableStamp;
  step_taken_at: NullableStamp;
  sends: Generated<number>;
  due_at: NullableStamp;
  looked_at: NullableStamp;
  settings_sent: Generated<string | null>;
}

interface RouterFactsTable {
  id: ColumnType<number, never, never>;
  router_id: string;
  at: Stamp;
  fact: string;
  value: string;
}

interface SavedReportsTable {
  organization_id: string;
  account_id: string;
  id: string;
  name: string;
  question: Json<Omit<reports.SavedReport, 'id' | 'reportName' | 'projectId'>>;
  created_at: Stamp;
  updated_at: Stamp;
}

interface PinnedChartsTable {
  organization_id: string;
  account_id: string;
  id: string;
  identity: Buffer;
  chart_type: analysis.ChartType;
  arguments: Json<analysis.AnalysisArguments>;
  spec: Json<Record<string, unknown>>;
  content: Json<analysis.PinnedChart['content']>;
  created_at: Stamp;
}

interface GroupControlsTable {
  organization_id: string;
  group_key: string;
  account_id: string;
  created_at: Stamp;
}

interface CustomCommandsTable {
  organization_id: string;
  id: string;
  name: string;
  kind: commands.CommandKind;
  argument: string;
  is_pinned: boolean;
  created_at: Stamp;
}

interface CustomPropertiesTable {
  organization_id: string;
  key: string;
  name: string;
  type: properties.PropertyType;
  unit: string;
  created_at: Stamp;
}

interface DevicePropertiesTable {
  organization_id: string;
  device_id: string;
  property_key: string;
  value: ColumnType<boolean | number | string | null, string | null, string | null>;
  picture: Buffer | null;
  picture_type: properties.PictureType | null;
  picture_size: number | null;
  picture_sha256: Buffer | null;
  updated_at: Stamp;
}

export interface Tables {
  remote_sessions: RemoteSessionsTable;
  remote_nodes: RemoteNodesTable;
  remote_calls: RemoteCallsTable;
  installation: InstallationTable;
  setup_links: SetupLinksTable;
  main_accounts: MainAccountsTable;
  organizations: OrganizationsTable;
  accounts: AccountsTable;
  sessions: SessionsTable;
  mailed_links: MailedLinksTable;
  second_factors: SecondFactorsTable;
  recovery_codes: RecoveryCodesTable;
  rate_windows: RateWindowsTable;
  write_probes: WriteProbesTable;
  groups: GroupsTable;
  firmware: FirmwareTable;
  config_files: ConfigFilesTable;
  config_versions: ConfigVersionsTable;
  bindings: BindingsTable;
  rollout_targets: RolloutTargetsTable;
  boot_choices: BootChoicesTable;
  routers: RoutersTable;
  router_contacts: RouterContactsTable;
  router_rejections: RouterRejectionsTable;
  main_account_cas: MainAccountCasTable;
  router_certificates: RouterCertificatesTable;
  router_ownership: RouterOwnershipTable;
  devices: DevicesTable;
  telemetry_parameters: TelemetryParametersTable;
  telemetry: TelemetryTable;
  connectivity: ConnectivityTable;
  audit_entries: AuditEntriesTable;
  audit_heads: AuditHeadsTable;
  audit_cuts: AuditCutsTable;
  audit_devices: AuditDevicesTable;
  router_events: RouterEventsTable;
  outbox: OutboxTable;
  mails: MailsTable;
  notification_subscriptions: NotificationSubscriptionsTable;
  notification_events: NotificationEventsTable;
  notification_deliveries: NotificationDeliveriesTable;
  notification_throttles: NotificationThrottlesTable;
  router_alarms: RouterAlarmsTable;
  esim_profiles: EsimProfilesTable;
  router_facts: RouterFactsTable;
  saved_reports: SavedReportsTable;
  pinned_charts: PinnedChartsTable;
  custom_commands: CustomCommandsTable;
  custom_properties: CustomPropertiesTable;
  device_properties: DevicePropertiesTable;
  group_controls: GroupControlsTable;
}
