// Generated from the migrated database by schema.test.ts; `vitest run -u` writes it again.
import type { ColumnType, Generated } from 'kysely';
import type { Declared, Json } from './column-types.ts';

/** Every table of migrations/. */
export interface Tables {
  account_limit_groups: {
    account_id: string; organization_id: string; group_key: string;
  };
  account_limits: {
    account_id: string; organization_id: string; tags: string[]; updated_at: Date;
  };
  account_own_roles: {
    account_id: string; role_id: string;
  };
  accounts: {
    id: string; main_account_id: string; organization_id: string | null; email: string; name: string;
    password_hash: string | null; roles: Generated<string[]>; is_contact: Generated<boolean>;
    custom_data: Json<Declared<'accounts.custom_data'>>; version: Generated<number>; created_at: Generated<Date>;
    updated_at: Generated<Date>; language: 'en-US' | 'zh-TW' | null; signed_in_at: Date | null;
  };
  alert_actions: {
    organization_id: string; id: string; rule_id: string; rule_name: string; alert_id: string; device_id: string;
    serial: string; vehicle_number: string; action: Json<Declared<'alert_actions.action'>>;
    state: 'waiting' | 'started' | 'dry-run' | 'skipped'; reason: Declared<'alert_actions.reason'> | null;
    created_at: Date; decided_at: Date | null;
  };
  alert_bursts: {
    organization_id: string; rule_id: string; kind: Declared<'alert_bursts.kind'>; next_at: Date; seconds: number;
    storm_id: string | null; storm_at: Date | null; deleted_rule: Json<unknown> | null;
  };
  alert_changes: {
    xid: Generated<string>; id: ColumnType<number, never, never>; organization_id: string | null;
    router_ids: Generated<string[]>; at: Generated<Date>;
  };
  alert_notices: {
    organization_id: string; alert_id: string; kind: 'fired' | 'escalated' | 'ended'; rule_id: string; due_at: Date;
  };
  alert_people: {
    organization_id: string; mail: string; severities: Declared<'alert_people.severities'>;
    hours: Json<Declared<'alert_people.hours'>> | null; channels: Declared<'alert_people.channels'>;
    language: Declared<'alert_people.language'>; zone: string; updated_at: Date;
  };
  alert_rule_versions: {
    organization_id: string; version: number;
  };
  alert_rules: {
    organization_id: string; id: string; main_account_id: string; name: string; is_enabled: boolean;
    severity: 'critical' | 'warning' | 'info'; kind: Declared<'alert_rules.kind'>;
    condition: Json<Declared<'alert_rules.condition'>>; for_seconds: number; scope_kind: 'all' | 'group' | 'tag' | 'view';
    scope_key: string | null; hours: Json<Declared<'alert_rules.hours'>> | null;
    channels: Json<Declared<'alert_rules.channels'>>; version: Generated<number>; revision: Generated<number>;
    created_at: Date; updated_at: Date; is_duplicate_name: Generated<boolean>;
    action: Json<Declared<'alert_rules.action'>> | null; action_actor: Json<Declared<'alert_rules.action_actor'>> | null;
  };
  alert_states: {
    organization_id: string; rule_id: string; device_id: string; router_id: string; kind: Declared<'alert_states.kind'>;
    revision: number; since: Date; due_at: Date; value: number | null; cleared_at: Date | null;
    resolution: Generated<Declared<'alert_states.resolution'>>; alert_id: string | null;
  };
  alert_tests: {
    organization_id: string; rule_id: string; device_id: string; is_once: boolean; due_at: Date; revision: number;
    run_id: string | null; former_run_id: string | null;
  };
  alerts: {
    organization_id: string; id: string; main_account_id: string; rule_id: string; rule_name: string;
    severity: Declared<'alerts.severity'>; kind: Declared<'alerts.kind'>; reading: string | null; device_id: string;
    serial: string; vehicle_number: string; group_key: string; carrier: string | null;
    state: 'firing' | 'acknowledged' | 'resolved'; value: number | null; since: Date; fired_at: Date;
    acknowledged_at: Date | null; acknowledged_by: Generated<string>; note: Generated<string>; resolved_at: Date | null;
    resolution: Declared<'alerts.resolution'> | null; storm_id: string | null; geofence: string | null;
    latitude: number | null; longitude: number | null; place: string | null;
  };
  api_key_groups: {
    key_id: string; organization_id: string; group_key: string;
  };
  api_keys: {
    id: string; main_account_id: string; organization_id: string | null; name: string; operations: string[];
    ranges: Generated<string[]>; secret_hash: Buffer; hint: string; previous_hash: Buffer | null;
    previous_until: Date | null; made_by: string; made_by_email: string; created_at: Date; expires_at: Date | null;
    revoked_at: Date | null; last_used_at: Date | null; last_used_address: string | null; limit_tags: string[] | null;
    previous_made_by: string | null;
  };
  approval_policies: {
    company_id: string; main_account_id: string; organization_id: string | null; rollouts_above: number | null;
    factory_reset: boolean; settings: boolean; deletion: boolean; changed_by_email: string; updated_at: Date;
    version: Generated<number>;
  };
  approvals: {
    id: string; company_id: string; main_account_id: string; organization_id: string | null;
    rule: Declared<'approvals.rule'>; operation: string; call: Json<Declared<'approvals.call'>>;
    author: Json<Declared<'approvals.author'>>; requested_by: string; requested_by_email: string;
    acts: Json<Declared<'approvals.acts'>>; routers: number; names: string[]; digest: string; created_at: Date;
    expires_at: Date; state: Generated<Declared<'approvals.state'>>; decided_at: Date | null;
    decided_by_email: string | null; reason: Generated<string>;
  };
  audit_cuts: {
    chain_id: string; seq: number; hash: Buffer; at: Date; signature: string;
  };
  audit_devices: {
    chain_id: string; seq: number; device_id: string; at: Date;
  };
  audit_entries: {
    chain_id: string; seq: number; at: Date; actor_id: string | null; actor_email: string; actor_role: string;
    address: string; action: string; subject_kind: string; subject_id: string;
    detail: Json<Declared<'audit_entries.detail'>>; previous_hash: Buffer; hash: Buffer; actor_key: string | null;
    sentence: Json<Declared<'audit_entries.sentence'>> | null;
    actor_with: Json<Declared<'audit_entries.actor_with'>> | null;
  };
  audit_heads: {
    chain_id: string; seq: number; hash: Buffer;
  };
  bindings: {
    id: string; organization_id: string; group_key: string | null; kind: 'firmware' | 'config' | 'settings';
    firmware_id: string | null; config_id: string | null; config_number: number | null; label: string;
    schedule: 'immediate' | 'bootup'; postpone_until: Date | null; state: Generated<'running' | 'paused' | 'cancelled'>;
    paused_reason: Declared<'bindings.paused_reason'> | null; failure_threshold: Generated<number>;
    canaries: Generated<number>; counted_from: Generated<Date>; created_by: Generated<string>; created_at: Generated<Date>;
    ended_at: Date | null; wave_open: number | null; wave_rule: Generated<Declared<'bindings.wave_rule'>>;
    wave_hours: number | null; wave_first: Json<Declared<'bindings.wave_first'>> | null; wave_shares: Generated<number[]>;
    update_window: Json<Declared<'bindings.update_window'>> | null; settings_version: number | null;
  };
  boot_choices: {
    router_id: string; slot: string; due_at: Date | null;
  };
  bulk_job_items: {
    job_id: string; n: number; organization_id: string; device_id: string | null; serial: string;
    state: Generated<'waiting' | 'sending' | 'done' | 'failed' | 'skipped'>;
    reason: Declared<'bulk_job_items.reason'> | null; message: string | null; before: Json<unknown> | null;
    target: Json<unknown> | null; subject: string | null;
  };
  bulk_jobs: {
    id: string; main_account_id: string; organization_id: string | null; action: Json<Declared<'bulk_jobs.action'>>;
    is_undo: Generated<boolean>; selection: Json<Declared<'bulk_jobs.selection'>> | null; selected_serial: string | null;
    selected_id: string | null; selected_n: Generated<number>; actor: Json<Declared<'bulk_jobs.actor'>>;
    state: 'selecting' | 'running' | 'done' | 'cancelled'; total: Generated<number>; done: Generated<number>;
    failed: Generated<number>; skipped: Generated<number>; next_n: Generated<number>; attempts: Generated<number>;
    due_at: Date; worked_at: Date | null; leased_until: Date | null; retried_by: string | null; undone_by: string | null;
    created_at: Date; ended_at: Date | null;
  };
  carrier_colors: {
    owner_id: string; carrier: string; color: number; since: Generated<Date>;
  };
  client_counters: {
    router_id: string; organization_id: string; device_id: string; day: string; read_at: Date; content: Buffer;
  };
  client_days: {
    organization_id: string; device_id: string; day: string; clients: number; sent: number; received: number;
    content: Buffer;
  };
  client_rules: {
    organization_id: string; roles: Declared<'client_rules.roles'>; ranges: string[];
    ports: Json<Declared<'client_rules.ports'>>;
  };
  client_settings: {
    organization_id: string; keep: 'nothing' | 'list' | 'use'; days: number; updated_at: Date;
  };
  config_files: {
    organization_id: string; id: string; name: string; note: Generated<string>; current_version: Generated<number>;
    version: Generated<number>; created_at: Generated<Date>; updated_at: Generated<Date>;
  };
  config_versions: {
    organization_id: string; config_id: string; number: number; size: number; sha256: Buffer; sealed: Buffer;
    created_at: Generated<Date>; created_by: Generated<string>;
  };
  connectivity: {
    router_id: string; at: Date; kind: string; reason: string;
  };
  coverage_comparisons: {
    organization_id: string; day: string; changes: number; compared_changes: Generated<number>; compared_at: Date | null;
  };
  coverage_days: {
    organization_id: string; cell: string; day: string; carrier: string; technology: string; resolution: number;
    samples: number; drops: number; lost_seconds: number; r0: number | null; r1: number | null; r2: number | null;
    r3: number | null; r4: number | null; r5: number | null; r6: number | null; r7: number | null; r8: number | null;
    r9: number | null; r10: number | null; r11: number | null; r12: number | null; r13: number | null; r14: number | null;
    r15: number | null; r16: number | null; r17: number | null; r18: number | null; r19: number | null; r20: number | null;
    r21: number | null; r22: number | null; r23: number | null; r24: number | null; r25: number | null; r26: number | null;
    r27: number | null; r28: number | null; r29: number | null; r30: number | null; r31: number | null; r32: number | null;
    r33: number | null; r34: number | null; q0: number | null; q1: number | null; q2: number | null; q3: number | null;
    q4: number | null; q5: number | null; q6: number | null; q7: number | null; q8: number | null; q9: number | null;
    q10: number | null; q11: number | null; q12: number | null; q13: number | null; q14: number | null; q15: number | null;
    q16: number | null; q17: number | null; q18: number | null; q19: number | null; q20: number | null; q21: number | null;
  };
  coverage_due: {
    slot: Date; router_id: string; due_at: Generated<Date>;
  };
  coverage_networks: {
    organization_id: string; carrier: string; technology: string; last_day: string;
  };
  coverage_progress: {
    only_row: Generated<boolean>; closed_until: Date; marked_until: Date;
  };
  coverage_slots: {
    router_id: string; slot: Date; organization_id: string; device_id: string; cell: string; carrier: string;
    technology: string; samples: number; rsrp: number[]; rsrq: number[]; drops: number; lost_seconds: number;
  };
  coverage_vehicle_days: {
    organization_id: string; day: string; device_id: string; carrier: string; technology: string; cells: number;
    rsrp_samples: number; rsrp_difference: number; rsrq_samples: number; rsrq_difference: number;
  };
  coverage_vehicle_totals: {
    organization_id: string; day: string; device_id: string; carrier: string; technology: string; since: string;
    last_day: string; cells: number; samples: number; rsrp_samples: number; rsrp_difference: number; rsrq_samples: number;
    rsrq_difference: number;
  };
  custom_commands: {
    organization_id: string; id: string; name: string;
    kind: 'reboot' | 'identify' | 'report' | 'roaming' | 'name' | 'zone'; argument: Generated<string>;
    is_pinned: Generated<boolean>; created_at: Date; is_duplicate_name: Generated<boolean>;
  };
  custom_properties: {
    organization_id: string; key: string; name: string; type: 'bool' | 'number' | 'string' | 'picture';
    unit: Generated<string>; created_at: Date; is_duplicate_name: Generated<boolean>;
  };
  default_views: {
    account_id: string; organization_id: string | null; list: Declared<'default_views.list'>; view_id: string;
  };
  device_counts: {
    organization_id: string; main_account_id: string; group_key: string; carrier: string | null; presence: string;
    devices: number; is_new: Generated<boolean>;
  };
  device_diagnoses: {
    organization_id: string; device_id: string; main_account_id: string; kind: string; number: number; is_first: boolean;
    since: Date; computed_at: Date; evidence: Json<unknown>;
  };
  device_health: {
    device_id: string; at: Date; rsrp: number | null; rssi: number | null; drops: number; temperature: number | null;
    voltage: number | null;
  };
  device_health_pass: {
    only_row: Generated<boolean>; computed_until: Date; target: Date | null; after_device: string | null;
  };
  device_identifiers: {
    device_id: string; kind: 'iccid' | 'imei' | 'mtn' | 'mac'; value: string; organization_id: string;
    main_account_id: string;
  };
  device_properties: {
    organization_id: string; device_id: string; property_key: string;
    value: Json<Declared<'device_properties.value'>> | null; picture: Buffer | null;
    picture_type: 'image/png' | 'image/jpeg' | 'image/webp' | null; picture_size: number | null;
    picture_sha256: Buffer | null; updated_at: Date;
  };
  devices: {
    organization_id: string; id: string; main_account_id: string; router_id: string; serial: string; mac: string;
    group_key: string; vehicle_number: Generated<string>; note: Generated<string>; started_on: string | null;
    expires_on: string | null; created_at: Generated<Date>; updated_at: Generated<Date>; archived_at: Date | null;
    version: Generated<number>; presence: Generated<'online' | 'offline' | 'unknown'>; presence_since: Date | null;
    presence_reason: string | null; model: string | null; hardware_version: string | null; firmware: string | null;
    config: string | null; booted_at: Date | null; up_since: ColumnType<Date | null, never, never>; carrier: string | null;
    technology: string | null; imei: string | null; imsi: string | null; iccid: string | null; mtn: string | null;
    eid: string | null; config_version: string | null; cell_id: string | null; tags: Generated<string[]>;
    health: number | null; uplink_kind: string | null; ignition: string | null; is_planned: boolean | null;
  };
  diagnosis_pass: {
    only_row: Generated<boolean>; computed_until: Date; target: Date | null; after_device: string | null;
    looked_until: Date; searched_until: Date;
  };
  directory_membership: {
    is_only: Generated<boolean>; cell: string; pass_began_at: Date | null; pass_table: 'accounts' | 'routers' | null;
    pass_after: string | null; pass_ended_at: Date | null;
  };
  directory_names: {
    kind: 'email' | 'serial' | 'mac' | 'endpoint' | 'secret'; hash: Buffer; cell: string; seen_at: Generated<Date>;
  };
  directory_updates: {
    id: ColumnType<number, never, never>; xid: Generated<string>; kind: string; name: string; is_added: boolean;
  };
  esim_profiles: {
    organization_id: string; id: string; main_account_id: string; device_id: string; router_id: string; serial: string;
    eid: Generated<string>; is_preloaded: Generated<boolean>; sealed_code: Buffer | null; iccid: Generated<string>;
    apn: Generated<string>; apn2: Generated<string>; name: Generated<string>; carrier: Generated<string>;
    status: 'Assigning...' | 'Downloading...' | 'Activated' | 'In Use' | 'Deleting...' | 'Fail to download' | 'Fail to activate' | 'Out of memory';
    reason: Generated<string>; priority: number; version: Generated<number>; created_at: Date; updated_at: Date;
    path: string | null; step: 'download' | 'enable' | 'delete' | null; step_key: string | null;
    step_begun_at: Date | null; step_sent_at: Date | null; step_taken_at: Date | null; sends: Generated<number>;
    due_at: Date | null; looked_at: Date | null; settings_sent: string | null; sealed_confirmation: Buffer | null;
    use_window: Json<unknown> | null; use_author: Json<unknown> | null;
  };
  firmware: {
    id: string; main_account_id: string; version: string; profile: string; note: Generated<string>; file_name: string;
    size: number; sha256: Buffer; signed_by: string | null; created_at: Generated<Date>; updated_at: Generated<Date>;
  };
  geofence_events: {
    id: ColumnType<number, never, never>; organization_id: string; device_id: string; router_id: string;
    geofence_id: string; geofence_name: string; kind: 'entered' | 'left'; at: Date; stored_at: Generated<Date>;
  };
  geofence_states: {
    router_id: string; geofence_id: string; is_inside: boolean; since: Date | null; pending_since: Date | null;
  };
  geofences: {
    id: string; organization_id: string; name: string; shape: Json<Declared<'geofences.shape'>>; corners: number;
    version: Generated<number>; created_at: Generated<Date>; updated_at: Generated<Date>;
    is_duplicate_name: Generated<boolean>;
  };
  group_controls: {
    organization_id: string; group_key: string; account_id: string; created_at: Date;
  };
  groups: {
    organization_id: string; key: string; name: string; description: Generated<string>; version: Generated<number>;
    created_at: Generated<Date>; updated_at: Generated<Date>; tags: Generated<string[]>; report_seconds: number | null;
    is_duplicate_name: Generated<boolean>;
  };
  idempotent_calls: {
    owner_id: string; key: string; operation: string; request_hash: Buffer; started_at: Date; leased_until: Date;
    applied_at: Date | null; status: number | null; answer: string | null; sealed_answer: Buffer | null;
  };
  identity_domains: {
    provider_id: string; domain: string; main_account_id: string; token: string; confirmed: 'dns' | 'assigned' | null;
    confirmed_at: Date | null;
  };
  identity_links: {
    provider_id: string; subject: string; account_id: string; created_at: Date;
  };
  identity_providers: {
    id: string; main_account_id: string; organization_id: string | null; name: string; issuer: string; client_id: string;
    sealed_secret: Buffer; scopes: string; is_enabled: boolean; trusts_email: boolean;
    rules: Json<Declared<'identity_providers.rules'>>; default_role: 'admin' | 'user' | 'none'; is_required: boolean;
    break_glass: string[]; created_by_email: string; created_at: Date; updated_at: Date; version: Generated<number>;
  };
  identity_sessions: {
    bearer_hash: Buffer; account_id: string; provider_id: string; subject: string; provider_session: string | null;
  };
  installation: {
    key: string; value: Json<unknown>;
  };
  installation_keys: {
    purpose: string; key_id: string; sealed: Buffer; created_at: Generated<Date>;
  };
  links: {
    id: string; main_account_id: string; organization_id: string; device_id: string | null; group_key: string | null;
    note: Generated<string>; shows_names: boolean; token_hash: Buffer; author: Json<unknown>; created_by_email: string;
    created_at: Date; expires_at: Date; looked_at: Date; ended_at: Date | null;
    end_reason: 'expired' | 'revoked' | 'gone' | 'maker' | null; opened: Generated<number>; last_opened_at: Date | null;
  };
  mail_files: {
    id: string; name: string; type: string; content: Buffer; created_at: Date; kept_until: Date | null;
    owner_id: string | null;
  };
  mailed_links: {
    secret_hash: Buffer; account_id: string; purpose: 'reset-password' | 'invitation'; created_at: Generated<Date>;
    expires_at: Date; used_at: Date | null; inviter: string | null;
  };
  mails: {
    id: string; recipient: string; subject: string; plain: string; html: string; created_at: Generated<Date>;
    next_attempt_at: Generated<Date | null>; attempts: Generated<number>; sent_at: Date | null; last_error: string | null;
    organization_id: string | null; kind: Generated<Declared<'mails.kind'>>; sealed: Buffer | null;
    link_hash: Buffer | null; file_id: string | null; unsubscribe: string | null; bounced_at: Date | null;
  };
  main_account_cas: {
    main_account_id: string; certificate: string; sealed_key: Buffer; created_at: Date;
  };
  main_accounts: {
    id: string; name: string; created_at: Generated<Date>;
  };
  nodes: {
    id: string; name: string; version: string; started_at: Generated<Date>; lease_until: Date; ended_at: Date | null;
    has_bus: boolean | null; known_keys: string[] | null; sealing_key: string | null; host: string | null;
    routers: number | null;
  };
  notification_deliveries: {
    organization_id: string; event_id: string; mail: string; mail_id: string;
  };
  notification_events: {
    organization_id: string; id: string; event: Declared<'notification_events.event'>; key: string;
    group_key: string | null; detail: Json<Declared<'notification_events.detail'>>; times: Generated<number>;
    happened_at: Date; created_at: Generated<Date>; notified_at: Date | null;
  };
  notification_subscriptions: {
    organization_id: string; mail: string; events: Declared<'notification_subscriptions.events'>;
    group_keys: string[] | null; language: 'en-US' | 'zh-TW' | null; zone: string | null; created_at: Generated<Date>;
    updated_at: Generated<Date>; recipient: Generated<string>;
  };
  notification_throttles: {
    organization_id: string; event: Declared<'notification_throttles.event'>; until: Date; seconds: number;
  };
  online_hours: {
    owner_id: string; main_account_id: string; hour: Date; online: number; devices: number;
  };
  online_shares: {
    organization_id: string; main_account_id: string; at: Date; online: number; devices: number;
  };
  open_position_segments: {
    router_id: string; at: Date; complete_until: Date; fixes: number[];
  };
  open_usage_segments: {
    router_id: string; modem: number; at: Date; iccid: string; readings: number[];
  };
  organization_figures: {
    organization_id: string; main_account_id: string; devices: Generated<number>; online: Generated<number>;
    online_share: ColumnType<number | null, never, never>; expiring: Generated<number>; failed_rollouts: Generated<number>;
    paused_rollouts: Generated<number>; never_connected: Generated<number>;
    connected_share: ColumnType<number | null, never, never>;
  };
  organization_retention: {
    organization_id: string; deleted_until: Date;
  };
  organizations: {
    id: string; main_account_id: string; name: string; phone: Generated<string>; address: Generated<string>;
    description: Generated<string>; tags: Generated<string[]>; version: Generated<number>; created_at: Generated<Date>;
    updated_at: Generated<Date>; deleted_at: Date | null; request_key: string | null; purged_at: Date | null;
    retention_days: number | null;
  };
  outage_progress: {
    only_row: Generated<boolean>; until: Date;
  };
  outages: {
    organization_id: string; device_id: string; router_id: string; began_at: Date; ended_at: Date | null;
    kind: 'lost' | 'closed' | 'server' | 'parked' | 'planned'; reason: string; carrier: string; technology: string;
    serving_cell: string; rsrp: number | null; latitude: number | null; longitude: number | null; hexagon: string | null;
  };
  outbox: {
    xid: Generated<string>; position: ColumnType<number, never, never>; main_account_id: string | null;
    organization_id: string | null; topic: string; ids: Generated<string[]>; created_at: Generated<Date>;
  };
  own_role_groups: {
    role_id: string; organization_id: string; group_key: string;
  };
  own_roles: {
    id: string; main_account_id: string; organization_id: string | null; name: string; rights: string[];
    limit_tags: string[] | null; created_by_email: string; created_at: Date; updated_at: Date; version: Generated<number>;
  };
  passkey_challenges: {
    challenge_hash: Buffer; expires_at: Date;
  };
  passkeys: {
    id: string; account_id: string; credential_id: string; public_key: Buffer; counter: number; name: string;
    transports: string[]; is_synced: boolean; created_at: Date; last_used_at: Date | null;
  };
  pinned_charts: {
    organization_id: string; account_id: string; id: string; identity: Buffer;
    chart_type: Declared<'pinned_charts.chart_type'>; arguments: Json<Declared<'pinned_charts.arguments'>>;
    spec: Json<Declared<'pinned_charts.spec'>>; content: Json<Declared<'pinned_charts.content'>>;
    created_at: Generated<Date>;
  };
  position_faults: {
    router_id: string; reason: string; since: Date; last_at: Date; count: number; received: string | null;
  };
  position_segments: {
    router_id: string; at: Date; seconds: number[]; latitudes: number[]; longitudes: number[]; accuracies: number[];
    speeds: number[]; headings: number[]; jumps: number[] | null;
  };
  positions: {
    router_id: string; at: Date; latitude: number; longitude: number; accuracy: number | null; speed: number | null;
    heading: number | null; is_jump: boolean;
  };
  rate_windows: {
    key: string; hits: number; ends_at: Date;
  };
  recorded_calls: {
    id: string; recorded_at: Generated<Date>;
  };
  recording_chunks: {
    organization_id: string; recording_id: string; seq: number; contents: Buffer;
  };
  recording_settings: {
    organization_id: string; is_recorded: boolean; days: number;
  };
  recordings: {
    organization_id: string; id: string; device_id: string; serial: string; account_id: string; account_email: string;
    began_at: Date; ended_at: Date | null; end_reason: Declared<'recordings.end_reason'> | null; chunks: Generated<number>;
    bytes: Generated<number>; hash: Buffer; client_mac: string | null; client_address: string | null;
    client_port: number | null;
  };
  recovery_codes: {
    account_id: string; code_hash: Buffer; used_at: Date | null;
  };
  remote_calls: {
    organization_id: string; id: string; main_account_id: string; topic: 'remote' | 'commands'; payload: Json<unknown>;
    login_hash: Buffer; address: string; requested_at: Generated<Date>; claimed_at: Date | null;
    sealed_answer: Buffer | null;
  };
  remote_nodes: {
    node: string; seen_at: Date;
  };
  remote_sessions: {
    organization_id: string; id: string; main_account_id: string; device_id: string; router_id: string;
    type: 'ssh' | 'gui'; node: string; account_id: string; account_email: string; login_hash: Buffer;
    opened_at: Generated<Date>; credentials_expire_at: Date | null; ended_at: Date | null;
    end_reason: Declared<'remote_sessions.end_reason'> | null; terminal_at: Date | null; client_mac: string | null;
    client_address: string | null; client_port: number | null; client_service: string | null; client_sent: number | null;
    client_received: number | null; transferred: Json<unknown> | null;
  };
  report_settings: {
    organization_id: string; target: number | null; carrier_targets: Json<unknown>; files_days: Generated<number>;
    logo: Buffer | null; version: Generated<number>;
  };
  rollout_targets: {
    organization_id: string; binding_id: string; device_id: string; router_id: string;
    state: Generated<'waiting' | 'downloading' | 'verifying' | 'applying' | 'rebooting' | 'successful' | 'failed' | 'rolled-back' | 'unsupported'>;
    reason: string | null; percent: Generated<number>; attempt: Generated<number>; is_canary: Generated<boolean>;
    phase: Generated<'idle' | 'sent' | 'downloaded' | 'staged' | 'applied'>; step_key: string | null; slot: string | null;
    step_begun_at: Date | null; step_sent_at: Date | null; step_taken_at: Date | null; sends: Generated<number>;
    due_at: Date | null; looked_at: Date | null; download_hash: Buffer | null; download_until: Date | null;
    checked_by: string | null; updated_at: Generated<Date>; interruptions: Generated<number>; download_since: Date | null;
    detail: string | null; wave: Generated<number>; made_at: Date | null; busy_since: Date | null;
  };
  router_alarms: {
    router_id: string; alarm: string; device_id: string; state: string; changed_at: Date;
  };
  router_backup_settings: {
    organization_id: string; main_account_id: string; nightly: boolean; hour: number; zone: string; versions: number;
    days: number; author: Json<Declared<'router_backup_settings.author'>>; updated_at: Date; stopped_at: Date | null;
  };
  router_backup_states: {
    organization_id: string; device_id: string; night: string | null; backed_up_at: Date | null;
  };
  router_backup_transfers: {
    address_hash: Buffer; organization_id: string; command_id: string; device_id: string; router_id: string;
    backup_id: string | null; created_at: Date; received_at: Date | null;
  };
  router_backups: {
    organization_id: string; id: string; device_id: string; router_id: string; serial: string; model: string;
    firmware: string; name: string; bytes: number; sha256: string; is_text: boolean; sealed: Buffer; created_by: string;
    created_at: Date; confirmed_at: Date;
  };
  router_certificates: {
    id: string; main_account_id: string; router_id: string; serial_number: string; fingerprint: Buffer; subject: string;
    endpoint_id: string; created_at: Date; expires_at: Date; retires_at: Date | null; revoked_at: Date | null;
    last_used_at: Date | null;
  };
  router_contacts: {
    router_id: string; last_contact_at: Date; rssi: number | null; is_weak: Generated<boolean>;
  };
  router_events: {
    id: ColumnType<number, never, never>; router_id: string; at: Date; kind: 'rollout' | 'alarm' | 'remote' | 'sim';
    subject: string; label: Generated<string>; state: string; reason: Generated<string>; rollout_id: string | null;
    remote_session_id: string | null;
  };
  router_facts: {
    id: ColumnType<number, never, never>; router_id: string; at: Generated<Date>;
    fact: 'carrier' | 'technology' | 'firmware' | 'config' | 'iccid' | 'uplink_kind' | 'ignition'; value: string;
  };
  router_models: {
    main_account_id: string; model: string; report_seconds: number; updated_at: Generated<Date>;
  };
  router_ownership: {
    router_id: string; owned_from: Date; owned_until: Date | null; organization_id: string; device_id: string;
    serial: string | null;
  };
  router_password_settings: {
    organization_id: string; main_account_id: string; length: number; symbols: boolean; rotate_days: number | null;
    automatic: boolean; author: Json<Declared<'router_password_settings.author'>>; updated_at: Date;
  };
  router_passwords: {
    id: string; organization_id: string; device_id: string; router_id: string; username: string; sealed: Buffer;
    state: 'waiting' | 'unconfirmed' | 'set'; created_at: Date; set_at: Date | null;
  };
  router_positions: {
    router_id: string; at: Date; latitude: number; longitude: number; accuracy: number | null; speed: number | null;
    heading: number | null; is_jump: boolean; stored_at: Date;
  };
  router_rejections: {
    router_id: string; at: Date; reason: string; received: string | null; address: string;
  };
  router_setting_schemas: {
    id: string; organization_id: string; name: string; content: Json<Declared<'router_setting_schemas.content'>>;
    created_by: string; created_at: Date;
  };
  router_settings: {
    id: string; organization_id: string; group_key: string | null; device_id: string | null; version: number;
    content: Json<Declared<'router_settings.content'>>; sealed: Buffer | null; created_by: string; created_at: Date;
    replaced_at: Date | null;
  };
  router_settings_states: {
    organization_id: string; device_id: string; router_id: string;
    state: 'as-set' | 'differs' | 'incomplete' | 'not-readable'; content: Json<Declared<'router_settings_states.content'>>;
    checked_at: Date; group_key: string | null;
  };
  router_tables: {
    router_id: string; name: 'uplinks' | 'wifi' | 'clients'; read_at: Date; content: Json<unknown>;
  };
  routers: {
    id: string; main_account_id: string; serial: string; mac: string; model: Generated<string>; endpoint_id: string;
    secret_hash: Buffer; previous_secret_hash: Buffer | null; previous_secret_until: Date | null;
    organization_id: string | null; device_id: string | null; presence: Generated<'online' | 'offline' | 'unknown'>;
    presence_since: Date | null; presence_reason: string | null; clock_skew_ms: number | null;
    reported: Json<Declared<'routers.reported'>>; created_at: Generated<Date>;
    authentication: Generated<'secret' | 'certificate' | 'either' | 'both'>; held_by: string | null;
    connection_epoch: Generated<number>; is_duplicate_serial: Generated<boolean>; first_online_at: Date | null;
  };
  saved_reports: {
    organization_id: string; account_id: string; id: string; name: string;
    question: Json<Declared<'saved_reports.question'>>; created_at: Generated<Date>; updated_at: Generated<Date>;
  };
  saved_views: {
    id: string; main_account_id: string; organization_id: string | null; account_id: string | null;
    list: Declared<'saved_views.list'>; name: string; is_shared: Generated<boolean>;
    content: Json<Declared<'saved_views.content'>>; version: Generated<number>; created_at: Generated<Date>;
    updated_at: Generated<Date>; is_duplicate_name: Generated<boolean>;
  };
  schema_migrations: {
    number: number; name: string; checksum: string; applied_at: Generated<Date>; compatible_since: number;
  };
  scim_calls: {
    id: string; organization_id: string; at: Date; method: string; path: string; status: number; detail: string;
    address: string;
  };
  scim_groups: {
    id: string; main_account_id: string; organization_id: string; display_name: string; external_id: string | null;
    role: 'admin' | 'user' | null; version: Generated<number>; created_at: Date; updated_at: Date;
  };
  scim_members: {
    group_id: string; account_id: string;
  };
  scim_secrets: {
    id: string; main_account_id: string; organization_id: string; name: string; secret_hash: Buffer; hint: string;
    created_by_email: string; created_at: Date; expires_at: Date; last_used_at: Date | null;
    last_used_address: string | null;
  };
  scim_settings: {
    organization_id: string; main_account_id: string; default_role: 'user' | 'none'; version: Generated<number>;
    updated_at: Date;
  };
  scim_users: {
    account_id: string; organization_id: string; external_id: string | null; user_name: string;
    content: Json<Declared<'scim_users.content'>>; is_active: boolean; kept_roles: Generated<string[]>;
    version: Generated<number>; created_at: Date; updated_at: Date;
  };
  second_factors: {
    account_id: string; sealed_secret: Buffer; confirmed_at: Date | null; last_step: Generated<number>;
    created_at: Generated<Date>;
  };
  sent_commands: {
    id: string; organization_id: string; main_account_id: string; device_id: string; router_id: string; serial: string;
    kind: Declared<'sent_commands.kind'>; argument: Generated<string>; name: Generated<string>;
    actor: Json<Declared<'sent_commands.actor'>>; job_id: string | null;
    state: Generated<'waiting' | 'sent' | 'running' | 'done' | 'failed' | 'expired' | 'cancelled'>;
    reason: Declared<'sent_commands.reason'> | null; message: string | null; created_at: Date; expires_at: Date;
    due_at: Date | null; sent_at: Date | null; sends: Generated<number>; ended_at: Date | null;
    work_window: Json<Declared<'sent_commands.work_window'>> | null;
  };
  serving_cells: {
    organization_id: string; carrier: string; technology: string; cell: string; latitudes: number[]; longitudes: number[];
    days: number[]; oldest_day: number; latitude: number | null; longitude: number | null; radius: number | null;
  };
  sessions: {
    bearer_hash: Buffer; account_id: string; created_at: Generated<Date>; last_used_at: Generated<Date>; expires_at: Date;
    address: string; user_agent: string; method: 'password' | 'code' | 'passkey' | 'provider' | null;
    confirmed_at: Date | null; visit_id: string | null;
  };
  setup_links: {
    secret_hash: Buffer; created_at: Generated<Date>;
  };
  shared_jobs: {
    name: string; due_at: Date; succeeded_at: Date | null;
  };
  shared_losses: {
    organization_id: string; minute: Date; carrier: string; devices: number;
  };
  sign_in_policies: {
    company_id: string; main_account_id: string; organization_id: string | null; needs_factor: boolean;
    idle_minutes: number; lifetime_hours: number; ranges: string[]; excepted: string[]; changed_by_email: string;
    updated_at: Date; version: Generated<number>;
  };
  summaries: {
    id: string; main_account_id: string; organization_id: string | null; name: string; kind: string; format: string;
    group_key: string | null; zone: string; language: 'en-US' | 'zh-TW'; every: 'never' | 'day' | 'week' | 'month';
    on_day: number; hour: number; recipients: string[]; next_at: Date | null; author: Json<unknown>;
    created_by_email: string; created_at: Date; updated_at: Date; version: Generated<number>; carrier: string | null;
    tag: string | null; sum_by: string | null; columns: string[] | null; separator: Generated<string>;
  };
  summary_addresses: {
    owner_id: string; mail: string; created_at: Date; confirmed_at: Date | null;
  };
  summary_bounces: {
    owner_id: string; mail: string; rejections: number; last_at: Date; last_error: string; paused_at: Date | null;
    accepted_at: Date | null;
  };
  summary_runs: {
    summary_id: string; due_at: Date; state: 'waiting' | 'sent' | 'failed'; next_attempt_at: Date | null;
    attempts: Generated<number>; reason: Generated<string>; file_id: string | null; kind: string | null;
  };
  telemetry: {
    router_id: string; at: Date; parameter: number; value: number;
  };
  telemetry_days: {
    router_id: string; at: Date; counts: number[]; sums: number[]; mins: number[]; maxs: number[];
  };
  telemetry_hours: {
    router_id: string; at: Date; counts: number[]; sums: number[]; mins: number[]; maxs: number[];
  };
  telemetry_late: {
    hour: Date; router_id: string;
  };
  telemetry_parameters: {
    id: number; name: string; unit: string;
  };
  telemetry_reports: {
    router_id: string; at: Date; rssi: number | null; rsrp: number | null; rsrq: number | null; temperature: number | null;
    voltage: number | null; bytes_sent: number | null; bytes_received: number | null; battery: number | null;
    sinr: number | null;
  };
  telemetry_rollup: {
    only_row: Generated<boolean>; rolled_from: Date; closed_until: Date; rolled_until: Date; rolling_hour: Date | null;
    after_router: string | null;
  };
  telemetry_sink: {
    only_row: Generated<boolean>; node: Generated<string>; lease_until: Generated<Date>;
  };
  telemetry_sink_batches: {
    id: string; created_at: Generated<Date>; reports: number; payload: Buffer;
  };
  tool_files: {
    organization_id: string; run_id: string; contents: Buffer; created_at: Date;
  };
  tool_runs: {
    organization_id: string; id: string; device_id: string; router_id: string;
    tool: 'ping' | 'traceroute' | 'dns' | 'download' | 'upload' | 'capture' | 'log';
    input: Json<Declared<'tool_runs.input'>>; state: Generated<'running' | 'done' | 'failed'>;
    result: Json<Declared<'tool_runs.result'>> | null;
    cause: 'unsupported' | 'busy' | 'rejected' | 'interrupted' | 'failed' | 'offline' | 'no-end' | 'not-allowed' | null;
    message: string | null; started_by: string; created_at: Date; ended_at: Date | null; ends_by: Date;
    address_hash: Buffer | null; address_used_at: Date | null; file_bytes: number | null; file_sha256: string | null;
    rule_id: string | null; has_passed: boolean | null; milliseconds: number | null;
  };
  tool_targets: {
    organization_id: string; allow: Declared<'tool_targets.allow'>; ranges: string[];
  };
  usage_cycles: {
    organization_id: string; cycle_from: string; iccid: string; device_id: string; sent: number; received: number;
  };
  usage_days: {
    organization_id: string; day: string; iccid: string; device_id: string; sent: number; received: number;
  };
  usage_heads: {
    router_id: string; modem: number; at: Date; iccid: string; uptime: number | null; sent: number; received: number;
    first_at: Date;
  };
  usage_matching: {
    organization_id: string; requested_at: Generated<Date>;
  };
  usage_plan_events: {
    organization_id: string; plan_id: string; cycle_from: string; iccid: string; share: number; happened_at: Date;
    outcome: Generated<string>;
  };
  usage_plans: {
    organization_id: string; id: string; name: string; cycle_day: number; allowance: number; is_pool: boolean;
    cost_per_gb: ColumnType<string | null, number | null, number | null>; currency: Generated<string>;
    applies_to: 'chosen' | 'carrier' | 'all'; carrier: Generated<string>; shares: number[];
    action: 'mail' | 'command' | 'profile'; command_id: string | null; actor: Json<Declared<'usage_plans.actor'>>;
    version: Generated<number>; created_at: Generated<Date>; updated_at: Generated<Date>;
    is_duplicate_name: Generated<boolean>;
  };
  usage_readings: {
    router_id: string; modem: number; at: Date; iccid: string; uptime: number | null; sent: number; received: number;
  };
  usage_segments: {
    router_id: string; modem: number; at: Date; iccid: string; milliseconds: number[]; uptimes: number[]; sent: number[];
    received: number[];
  };
  usage_sims: {
    organization_id: string; iccid: string; carrier: Generated<string>; plan_id: string | null;
    cycle_day: Generated<number>; created_at: Generated<Date>; chosen_plan_id: string | null;
  };
  usage_totals: {
    organization_id: string; day: string; sent: number; received: number;
  };
  usage_zones: {
    organization_id: string; from_at: Date; zone: string;
  };
  visits: {
    id: string; main_account_id: string; organization_id: string; kind: Declared<'visits.kind'>; account_id: string | null;
    role: Declared<'visits.role'>; group_keys: string[] | null; granted_by_email: string; created_at: Date;
    until: Date | null; warned_at: Date | null; ended_at: Date | null; ended_by_email: string | null;
  };
  webhook_deliveries: {
    id: Generated<string>; position: ColumnType<number, never, never>; endpoint_id: string; organization_id: string | null;
    device_id: string | null; type: string; key: string | null; happened_at: Date;
    data: Json<Declared<'webhook_deliveries.data'>>; state: Generated<'waiting' | 'delivered' | 'failed'>;
    attempts: Generated<number>; attempts_before: Generated<number>; next_at: Date | null;
    tries: Json<Declared<'webhook_deliveries.tries'>>; created_at: Generated<Date>;
  };
  webhook_endpoints: {
    id: string; main_account_id: string; organization_id: string | null; name: string; url: string;
    format: 'standard' | 'slack' | 'teams' | 'ntfy' | 'pagerduty' | 'opsgenie' | 'push'; event_types: string[];
    group_keys: string[] | null; tags: string[] | null; is_enabled: boolean; sealed_secret: Buffer;
    previous_secret: Buffer | null; previous_until: Date | null; created_by_email: string; created_at: Date;
    updated_at: Date; version: Generated<number>; failing_since: Date | null; suspended_at: Date | null;
    suspended_by: string | null; account_id: string | null; language: Declared<'webhook_endpoints.language'> | null;
  };
  write_probes: {
    process: string; at: Date;
  };
}
