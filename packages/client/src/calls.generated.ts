// Written by `npm run openapi` from packages/contract. Do not edit.

/** Keys of failures, as in `error.key` of an answer. */
export type FailureKey =
  | "request.invalid"
  | "request.too_large"
  | "request.unsupported_media_type"
  | "request.origin"
  | "request.too_many"
  | "permission.denied"
  | "secret.unreadable"
  | "not_found"
  | "conflict.stale"
  | "request.org_required"
  | "impact.changed"
  | "export.too_large"
  | "csv.not_csv"
  | "csv.header"
  | "csv.dates_ambiguous"
  | "csv.empty"
  | "csv.all_failed"
  | "server.busy"
  | "server.fault"
  | "session.missing"
  | "session.invalid"
  | "account.wrong_password"
  | "account.otp_needed"
  | "account.otp_wrong"
  | "account.second_factor_on"
  | "account.second_factor_off"
  | "account.no_roles"
  | "account.too_many_tries"
  | "account.link_invalid"
  | "account.weak_password"
  | "account.common_password"
  | "account.exists"
  | "account.not_found"
  | "permission.limited"
  | "account.is_self"
  | "account.last_admin"
  | "account.admin_exists"
  | "account.last_colleague"
  | "account.invitation_accepted"
  | "account.factor_needed"
  | "account.factor_required"
  | "account.address_not_allowed"
  | "account.passkey_needed"
  | "account.last_excepted"
  | "passkey.not_found"
  | "passkey.invalid"
  | "passkey.counter_fell"
  | "passkey.too_many"
  | "passkey.exists"
  | "passkey.no_host"
  | "policy.excludes_you"
  | "policy.range_invalid"
  | "policy.excepted_missing"
  | "alert.not_found"
  | "alert.rule_not_found"
  | "alert.rule_name_taken"
  | "alert.too_many_rules"
  | "alert.scope_not_found"
  | "alert.replay_too_large"
  | "alert.channel_not_found"
  | "analysis.required"
  | "analysis.average"
  | "analysis.piechart"
  | "analysis.condition"
  | "analysis.run_chart"
  | "analysis.run_chart_date"
  | "analysis.too_many_pins"
  | "key.not_found"
  | "key.ended"
  | "key.too_many"
  | "key.operation_unknown"
  | "key.range_invalid"
  | "key.no_limit"
  | "key.expiry_past"
  | "approval.waiting"
  | "approval.changed"
  | "approval.not_found"
  | "approval.not_waiting"
  | "approval.own"
  | "approval.in_person"
  | "approval.requester"
  | "approval.too_many"
  | "approval.new_secret"
  | "approval.no_second"
  | "approval.rule_elsewhere"
  | "approval.sign_in_again"
  | "approval.reason"
  | "job.not_found"
  | "job.too_many"
  | "job.active"
  | "job.ended"
  | "job.nothing_selected"
  | "job.nothing_failed"
  | "job.not_undoable"
  | "command.not_found"
  | "command.name_taken"
  | "command.too_many"
  | "command.too_many_pinned"
  | "command.offline"
  | "command.no_answer"
  | "command.unknown"
  | "command.too_many_open"
  | "command.not_waiting"
  | "password.none"
  | "password.own_needed"
  | "config.not_found"
  | "config.empty"
  | "config.too_large"
  | "config.bound"
  | "device.serial_unknown"
  | "device.mac_mismatch"
  | "device.duplicate"
  | "device.dates_reversed"
  | "device.other_model"
  | "device.name_taken"
  | "esim.not_found"
  | "esim.serial_unknown"
  | "esim.eid_damaged"
  | "esim.eid_mismatch"
  | "esim.eid_invalid"
  | "esim.code_invalid"
  | "esim.confirmation_required"
  | "esim.confirmation_fixed"
  | "esim.code_missing"
  | "esim.code_fixed"
  | "esim.iccid_invalid"
  | "esim.iccid_spreadsheet"
  | "esim.iccid_check"
  | "esim.iccid_longer"
  | "esim.iccid_required"
  | "esim.iccid_fixed"
  | "esim.duplicate"
  | "esim.full"
  | "esim.is_preloaded"
  | "esim.deleting"
  | "esim.no_euicc"
  | "esim.switching"
  | "esim.not_on_router"
  | "esim.order_incomplete"
  | "esim.not_failed"
  | "firmware.not_found"
  | "firmware.duplicate"
  | "firmware.empty"
  | "firmware.too_large"
  | "firmware.truncated"
  | "firmware.unsigned"
  | "firmware.bad_signature"
  | "firmware.mismatch"
  | "firmware.wrong_model"
  | "firmware.bound"
  | "geofence.not_found"
  | "geofence.name_taken"
  | "geofence.name_twice"
  | "geofence.name"
  | "geofence.too_many"
  | "geofence.not_geojson"
  | "geofence.geometry"
  | "geofence.no_radius"
  | "geofence.outside"
  | "geofence.radius"
  | "geofence.corners"
  | "geofence.too_many_corners"
  | "geofence.open"
  | "geofence.date_line"
  | "geofence.crosses_itself"
  | "group.not_found"
  | "group.name_taken"
  | "group.is_default"
  | "group.not_movable"
  | "group.not_controllable"
  | "provider.not_found"
  | "provider.too_many"
  | "provider.issuer_invalid"
  | "provider.secret_missing"
  | "provider.role_invalid"
  | "provider.break_glass_missing"
  | "provider.domain_missing"
  | "provider.domain_taken"
  | "provider.domain_unproven"
  | "provider.none"
  | "provider.unreachable"
  | "provider.state_invalid"
  | "provider.rejected"
  | "provider.token_invalid"
  | "provider.email_unverified"
  | "provider.not_admitted"
  | "provider.no_role"
  | "provider.logout_invalid"
  | "account.provider_required"
  | "account.last_break_glass"
  | "inventory.too_few"
  | "inventory.serial_taken"
  | "inventory.mac_taken"
  | "inventory.endpoint_taken"
  | "inventory.taken_elsewhere"
  | "inventory.too_many_collisions"
  | "inventory.endpoint_invalid"
  | "inventory.csr_invalid"
  | "inventory.no_certificate"
  | "inventory.no_client_tls"
  | "inventory.claimed"
  | "link.not_found"
  | "link.over"
  | "link.too_many"
  | "link.shows_one"
  | "networks.other_cause"
  | "notification.too_many"
  | "mail.not_found"
  | "organization.key_reused"
  | "organization.same_target"
  | "positions.too_many"
  | "property.not_found"
  | "property.name_taken"
  | "property.too_many"
  | "property.picture_type"
  | "property.picture_too_large"
  | "property.pictures_full"
  | "property.picture_missing"
  | "remote.not_subscribed"
  | "remote.no_subscription"
  | "remote.offline"
  | "remote.reset_impossible"
  | "remote.reset_failed"
  | "remote.reset_unsupported"
  | "remote.unsupported"
  | "remote.no_answer"
  | "router.not_connected"
  | "router.no_answer"
  | "remote.exists"
  | "remote.not_connected"
  | "remote.secret_told"
  | "remote.no_domain"
  | "remote.no_ports"
  | "client.off"
  | "client.not_allowed"
  | "client.unread"
  | "client.outside"
  | "client.not_there"
  | "client.unsupported"
  | "client.no_answer"
  | "client.address_invalid"
  | "client.port_invalid"
  | "client.range_invalid"
  | "client.ports_invalid"
  | "client.rule_empty"
  | "remote.busy"
  | "report.too_slow"
  | "report.too_many"
  | "report.time_range"
  | "role.not_found"
  | "role.name_taken"
  | "role.too_many"
  | "role.right_unknown"
  | "role.in_use"
  | "role.no_limit"
  | "role.limit_empty"
  | "role.inactive"
  | "role.admin_exists"
  | "permission.own_role"
  | "binding.schedule"
  | "binding.first"
  | "binding.settings"
  | "binding.window"
  | "binding.waves"
  | "rollout.not_found"
  | "rollout.ended"
  | "backup.not_found"
  | "backup.other_model"
  | "backup.not_offered"
  | "settings.one_level"
  | "settings.invalid_value"
  | "settings.nothing_differs"
  | "settings.unknown_path"
  | "settings.too_many_entries"
  | "settings.too_many_schemas"
  | "settings.no_version"
  | "settings.no_table"
  | "settings.twice"
  | "settings.no_schema"
  | "scim.too_many"
  | "scim.secret_not_found"
  | "scim.group_not_found"
  | "summary.not_found"
  | "summary.too_many"
  | "summary.no_recipient"
  | "summary.not_paused"
  | "summary.file_gone"
  | "logo.too_large"
  | "logo.too_many_pixels"
  | "logo.unreadable"
  | "summary.link_invalid"
  | "tool.not_found"
  | "tool.no_file"
  | "tool.running"
  | "tool.too_many"
  | "tool.too_many_files"
  | "tool.plan_used_up"
  | "tool.target_not_allowed"
  | "tool.range_invalid"
  | "plan.not_found"
  | "plan.name_taken"
  | "plan.sims_taken"
  | "plan.too_many"
  | "plan.iccids_damaged"
  | "plan.iccids_doubtful"
  | "plan.too_many_sims"
  | "view.not_found"
  | "view.name_taken"
  | "view.too_many"
  | "permission.visitor"
  | "visit.not_found"
  | "visit.over"
  | "visit.is_member"
  | "visit.open_already"
  | "visit.too_many"
  | "webhook.key_missing"
  | "webhook.has_no_secret"
  | "webhook.only_alerts"
  | "webhook.not_found"
  | "webhook.too_many"
  | "webhook.url_invalid"
  | "webhook.groups_of_main"
  | "webhook.suspended"
  | "webhook.not_suspended"
  | "webhook.delivery_not_found"
  | "webhook.delivery_waiting"
  | "request.malformed"
  | "request.timeout"
  | "request.headers_too_large"
  | "request.rate_limited"
  | "idempotency.key_invalid"
  | "idempotency.other_request"
  | "idempotency.running"
  | "idempotency.answer_lost"
  | "key.malformed"
  | "key.unknown"
  | "key.revoked"
  | "key.expired"
  | "key.suspended"
  | "key.network"
  | "key.not_allowed";

/** What each call takes and answers. */
export interface Calls {
  /** Add a passkey that was created with these options, once and within five minutes. `POST /dmp_aa/api/v1/auth/passkeys` */
  "accounts.addPasskey": {
    kind: "json";
    input: { body: { name: string; credential: { id: string; rawId: string; type: "public-key"; authenticatorAttachment?: string | undefined; clientExtensionResults: Record<string, unknown>; response: { clientDataJSON: string; attestationObject: string; transports?: readonly (string)[] | undefined } } } };
    answer: { result: { id: string; name: string; synced: boolean; created: number; lastUsed: number | null } };
  };
  /** Add an account without organization to one. `POST /dmp_aa/api/v1/roles/` */
  "accounts.addRole": {
    kind: "json";
    input: { body: { id: string; role: string; vendor?: string | undefined; serviceContacter?: boolean | undefined } };
    answer: { result: { id: string; name: string; email: string; vendor: string; roles: readonly ({ service: string; roles: readonly (string)[] })[]; roleMap: Record<string, string>; serviceRoleMap: Record<string, string>; role: "vendorSuper" | "super" | "vendor"; privilege: string; notificationTypes: readonly ("TODAY_NOTIFY_SUBSCRIPTION" | "WEEK_NOTIFY_SUBSCRIPTION" | "MONTH_NOTIFY_SUBSCRIPTION" | "FIRMWARE_UPLOADED" | "FOTA_GROUP_SETUP" | "DEVICE_DELETED" | "DEVICE_ADDED" | "CONFIG_UPLOADED" | "BATTERY_LOW" | "BATTERY_LOW_CLEAR" | "THERMAL_5G_PROTECT" | "THERMAL_5G_PROTECT_CLEAR" | "DEVICE_ADMIN_CHANGE_PASSWORD" | "DEVICE_FACTORY_RESET" | "DATA_USE")[]; customData: Record<string, unknown> } };
  };
  /** Options to create a passkey of the own account, with the password. `POST /dmp_aa/api/v1/auth/passkeys/begin` */
  "accounts.beginPasskey": {
    kind: "json";
    input: { body: { password: string } };
    answer: { result: { challenge: string; rp: { id: string; name: string }; user: { id: string; name: string; displayName: string }; pubKeyCredParams: readonly ({ type: string; alg: number })[]; timeout: number; attestation: string; excludeCredentials: readonly ({ id: string; type: string; transports: readonly (string)[] })[]; authenticatorSelection: { residentKey: string; requireResidentKey: boolean; userVerification: string } } };
  };
  /** Options to sign in with a passkey, or to use one as second factor. `POST /dmp_aa/api/v1/auth/passkey/begin` */
  "accounts.beginPasskeySignIn": {
    kind: "json";
    input: Record<string, never>;
    answer: { result: { challenge: string; rpId: string; timeout: number; userVerification: string } };
  };
  /** Set a new password with the old one; ends every session of the account. `POST /dmp_aa/api/v1/auth/password/change` */
  "accounts.changePassword": {
    kind: "json";
    input: { body: { email: string; password: string; newPassword: string; otp?: string | undefined; passkey?: { id: string; rawId: string; type: "public-key"; authenticatorAttachment?: string | undefined; clientExtensionResults: Record<string, unknown>; response: { clientDataJSON: string; authenticatorData: string; signature: string; userHandle?: string | undefined } } | undefined } };
    answer: { result: { email: string } };
  };
  /** Exchange one role string of an account for another of the same organization. If-Match is honoured. `PUT /dmp_aa/api/v1/roles/` */
  "accounts.changeRole": {
    kind: "json";
    input: { body: { id: string; original: string; target: string; vendor?: string | undefined } };
    answer: { result: { id: string; name: string; email: string; vendor: string; roles: readonly ({ service: string; roles: readonly (string)[] })[]; roleMap: Record<string, string>; serviceRoleMap: Record<string, string>; role: "vendorSuper" | "super" | "vendor"; privilege: string; notificationTypes: readonly ("TODAY_NOTIFY_SUBSCRIPTION" | "WEEK_NOTIFY_SUBSCRIPTION" | "MONTH_NOTIFY_SUBSCRIPTION" | "FIRMWARE_UPLOADED" | "FOTA_GROUP_SETUP" | "DEVICE_DELETED" | "DEVICE_ADDED" | "CONFIG_UPLOADED" | "BATTERY_LOW" | "BATTERY_LOW_CLEAR" | "THERMAL_5G_PROTECT" | "THERMAL_5G_PROTECT_CLEAR" | "DEVICE_ADMIN_CHANGE_PASSWORD" | "DEVICE_FACTORY_RESET" | "DATA_USE")[]; customData: Record<string, unknown> } };
  };
  /** Correct the e-mail address of an invited user without a password, and mail the invitation to it. `PATCH /dmp_aa/api/v1/accounts/{id}/invitation` */
  "accounts.correctInvitation": {
    kind: "json";
    input: { params: { id: string }; body: { email: string } };
    answer: { result: { sent: number | null; expires: number | null } };
  };
  /** Create an account in an organization and mail it a link to set a password. `POST /dmp_aa/api/v1/vendorAccounts/` */
  "accounts.create": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; email: string; name: string; role: string; serviceRole?: string | undefined; vendor?: string | undefined; serviceContacter?: boolean | undefined; language?: "en-US" | "zh-TW" | undefined } };
    answer: { result: { id: string; name: string; email: string; vendor: string; roles: readonly ({ service: string; roles: readonly (string)[] })[]; roleMap: Record<string, string>; serviceRoleMap: Record<string, string>; role: "vendorSuper" | "super" | "vendor"; privilege: string; notificationTypes: readonly ("TODAY_NOTIFY_SUBSCRIPTION" | "WEEK_NOTIFY_SUBSCRIPTION" | "MONTH_NOTIFY_SUBSCRIPTION" | "FIRMWARE_UPLOADED" | "FOTA_GROUP_SETUP" | "DEVICE_DELETED" | "DEVICE_ADDED" | "CONFIG_UPLOADED" | "BATTERY_LOW" | "BATTERY_LOW_CLEAR" | "THERMAL_5G_PROTECT" | "THERMAL_5G_PROTECT_CLEAR" | "DEVICE_ADMIN_CHANGE_PASSWORD" | "DEVICE_FACTORY_RESET" | "DATA_USE")[]; customData: Record<string, unknown> } };
  };
  /** Delete an account; its sessions end at once. `DELETE /dmp_aa/api/v1/accounts/{id}` */
  "accounts.delete": {
    kind: "json";
    input: { params: { id: string }; query?: { vendor?: string | undefined } | undefined };
    answer: { result: { deleted: number } };
  };
  /** Remove a passkey of the own account. The last second factor stays where the company requires one. `DELETE /dmp_aa/api/v1/auth/passkeys/{passkey}` */
  "accounts.deletePasskey": {
    kind: "json";
    input: { params: { passkey: string } };
    answer: { result: { deleted: number } };
  };
  /** Rename an account. If-Match is honoured. `PUT /dmp_aa/api/v1/accounts/{id}` */
  "accounts.edit": {
    kind: "json";
    input: { params: { id: string }; body: { vendor?: string | undefined; name: string } };
    answer: { result: { id: string; name: string; email: string; vendor: string; roles: readonly ({ service: string; roles: readonly (string)[] })[]; roleMap: Record<string, string>; serviceRoleMap: Record<string, string>; role: "vendorSuper" | "super" | "vendor"; privilege: string; notificationTypes: readonly ("TODAY_NOTIFY_SUBSCRIPTION" | "WEEK_NOTIFY_SUBSCRIPTION" | "MONTH_NOTIFY_SUBSCRIPTION" | "FIRMWARE_UPLOADED" | "FOTA_GROUP_SETUP" | "DEVICE_DELETED" | "DEVICE_ADDED" | "CONFIG_UPLOADED" | "BATTERY_LOW" | "BATTERY_LOW_CLEAR" | "THERMAL_5G_PROTECT" | "THERMAL_5G_PROTECT_CLEAR" | "DEVICE_ADMIN_CHANGE_PASSWORD" | "DEVICE_FACTORY_RESET" | "DATA_USE")[]; customData: Record<string, unknown> } };
  };
  /** End one of the account's own sessions. `DELETE /dmp_aa/api/v1/auth/sessions/{session}` */
  "accounts.endSession": {
    kind: "json";
    input: { params: { session: string } };
    answer: { result: { ended: number } };
  };
  /** End a session of a person whom the caller manages, or all of them with `all`; the person gets a mail. `DELETE /dmp_aa/api/v1/accounts/{id}/sessions/{session}` */
  "accounts.endSessionOf": {
    kind: "json";
    input: { params: { id: string; session: string } };
    answer: { result: { ended: number } };
  };
  /** The same list as CSV or Excel workbook. `GET /dmp_aa/api/v1/accounts/export` */
  "accounts.export": {
    kind: "file";
    input: { query?: { realm?: string | undefined; org?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; sort?: "name" | "-name" | "email" | "-email" | "role" | "-role" | "signedIn" | "-signedIn" | undefined; search?: string | undefined; field?: "name" | "email" | undefined; ignoreCase?: "true" | undefined; role?: "admin" | "user" | undefined; contacts?: "true" | "false" | undefined; around?: string | undefined; zone?: string | undefined; language?: "en-US" | "zh-TW" | undefined; format?: "csv" | "xlsx" | undefined; columns?: string | undefined; only?: string | undefined } | undefined };
    answer: string;
  };
  /** Mail a link to set a new password. Answers the same whether or not the address has an account. `POST /dmp_aa/api/v1/auth/password/forgot` */
  "accounts.forgotPassword": {
    kind: "json";
    input: { body: { email: string; language?: "en-US" | "zh-TW" | undefined } };
    answer: { result: { accepted: true } };
  };
  /** An account: the caller's own, or one that the caller manages; answers an ETag. `GET /dmp_aa/api/v1/accounts/{id}` */
  "accounts.get": {
    kind: "json";
    input: { params: { id: string } };
    answer: { result: { id: string; name: string; email: string; vendor: string; roles: readonly ({ service: string; roles: readonly (string)[] })[]; roleMap: Record<string, string>; serviceRoleMap: Record<string, string>; role: "vendorSuper" | "super" | "vendor"; privilege: string; notificationTypes: readonly ("TODAY_NOTIFY_SUBSCRIPTION" | "WEEK_NOTIFY_SUBSCRIPTION" | "MONTH_NOTIFY_SUBSCRIPTION" | "FIRMWARE_UPLOADED" | "FOTA_GROUP_SETUP" | "DEVICE_DELETED" | "DEVICE_ADDED" | "CONFIG_UPLOADED" | "BATTERY_LOW" | "BATTERY_LOW_CLEAR" | "THERMAL_5G_PROTECT" | "THERMAL_5G_PROTECT_CLEAR" | "DEVICE_ADMIN_CHANGE_PASSWORD" | "DEVICE_FACTORY_RESET" | "DATA_USE")[]; customData: Record<string, unknown>; ownRole: { id: string; name: string; rights: readonly (string)[] } | null; secondFactor: boolean; invitation: { sent: number | null; expires: number | null } | null; limitedTo: { groups: readonly ({ id: string; name: string })[]; tags: readonly (string)[] } | null; limitVersion: string; guestEnded: string | null } };
  };
  /** Rules of the own company for the sign-in of its people: second factor, sessions, networks. `GET /dmp_aa/api/v1/auth/policy` */
  "accounts.getPolicy": {
    kind: "json";
    input: Record<string, never>;
    answer: { result: { needsFactor: boolean; idleMinutes: number; lifetimeHours: number; ranges: readonly (string)[]; excepted: readonly (string)[]; address: string; people: number; withoutFactor: number; by: string | null; version: string } };
  };
  /** The account of the bearer, and its permissions. `POST /dmp_aa/api/v2/auth/introspect/` */
  "accounts.introspect": {
    kind: "json";
    input: { body?: unknown };
    answer: { result: { id: string; name: string; email: string; vendor: string; roles: readonly ({ service: string; roles: readonly (string)[] })[]; roleMap: Record<string, string>; serviceRoleMap: Record<string, string>; role: "vendorSuper" | "super" | "vendor"; privilege: string; notificationTypes: readonly ("TODAY_NOTIFY_SUBSCRIPTION" | "WEEK_NOTIFY_SUBSCRIPTION" | "MONTH_NOTIFY_SUBSCRIPTION" | "FIRMWARE_UPLOADED" | "FOTA_GROUP_SETUP" | "DEVICE_DELETED" | "DEVICE_ADDED" | "CONFIG_UPLOADED" | "BATTERY_LOW" | "BATTERY_LOW_CLEAR" | "THERMAL_5G_PROTECT" | "THERMAL_5G_PROTECT_CLEAR" | "DEVICE_ADMIN_CHANGE_PASSWORD" | "DEVICE_FACTORY_RESET" | "DATA_USE")[]; customData: Record<string, unknown>; scopes: readonly ({ service: string; permissions: readonly (string)[] })[]; org: { id: string; name: string } | null; vendorName: string; idleUntil: number; version: string; demo: boolean; limitedTo: { groups: readonly ({ id: string; name: string })[]; tags: readonly (string)[] } | null; ownRole: { id: string; name: string; rights: readonly (string)[] } | null; visit: { kind: "support" | "guest"; until: string | null; by: string; atHome: boolean } | null; support: { id: string; until: string | null } | null } };
  };
  /** What stops, or is gone, when an account is deleted: jobs, commands and eSIM switches that wait, scheduled summaries, links, API keys, actions and tests of alert rules, actions of data plans, nightly backups, replaced passwords and requests in its name, and its own saved reports and views. Kinds without any are left out. `GET /dmp_aa/api/v1/accounts/{id}/leaves` */
  "accounts.leaves": {
    kind: "json";
    input: { params: { id: string } };
    answer: { result: { id: string; leaves: readonly ({ kind: "jobs" | "commands" | "switches" | "summaries" | "links" | "keys" | "rules" | "plans" | "backups" | "passwords" | "approvals" | "reports" | "views"; count: number })[] } };
  };
  /** Cloud users of an organization, or of all organizations of a main account. `GET /dmp_aa/api/v1/accounts/` */
  "accounts.list": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; sort?: "name" | "-name" | "email" | "-email" | "role" | "-role" | "signedIn" | "-signedIn" | undefined; search?: string | undefined; field?: "name" | "email" | undefined; ignoreCase?: "true" | undefined; role?: "admin" | "user" | undefined; contacts?: "true" | "false" | undefined; seesOnly?: string | undefined; around?: string | undefined } | undefined };
    answer: { result: { list: readonly ({ id: string; name: string; email: string; vendor: string; roles: readonly ({ service: string; roles: readonly (string)[] })[]; roleMap: Record<string, string>; serviceRoleMap: Record<string, string>; role: "vendorSuper" | "super" | "vendor"; privilege: string; notificationTypes: readonly ("TODAY_NOTIFY_SUBSCRIPTION" | "WEEK_NOTIFY_SUBSCRIPTION" | "MONTH_NOTIFY_SUBSCRIPTION" | "FIRMWARE_UPLOADED" | "FOTA_GROUP_SETUP" | "DEVICE_DELETED" | "DEVICE_ADDED" | "CONFIG_UPLOADED" | "BATTERY_LOW" | "BATTERY_LOW_CLEAR" | "THERMAL_5G_PROTECT" | "THERMAL_5G_PROTECT_CLEAR" | "DEVICE_ADMIN_CHANGE_PASSWORD" | "DEVICE_FACTORY_RESET" | "DATA_USE")[]; customData: Record<string, unknown>; ownRole: { id: string; name: string; rights: readonly (string)[] } | null; secondFactor: boolean; invitation: { sent: number | null; expires: number | null } | null; limitedTo: { groups: readonly ({ id: string; name: string })[]; tags: readonly (string)[] } | null; signedIn: number | null; guestUntil: string | null })[] }; total?: number | undefined; offset?: number | undefined; next?: string | null | undefined; previous?: string | null | undefined };
  };
  /** Whom to ask for access: names and addresses of the admins of the own organization, or of the own colleagues. `GET /dmp_aa/api/v1/auth/admins` */
  "accounts.listAdmins": {
    kind: "json";
    input: Record<string, never>;
    answer: { result: { list: readonly ({ name: string; email: string })[] } };
  };
  /** The account's own passkeys, the newest first; never more than 10. `GET /dmp_aa/api/v1/auth/passkeys` */
  "accounts.listPasskeys": {
    kind: "json";
    input: Record<string, never>;
    answer: { result: { list: readonly ({ id: string; name: string; synced: boolean; created: number; lastUsed: number | null })[] } };
  };
  /** The account's own sessions, the latest used first; never more than 100. `GET /dmp_aa/api/v1/auth/sessions` */
  "accounts.listSessions": {
    kind: "json";
    input: Record<string, never>;
    answer: { result: { list: readonly ({ id: string; created: number; lastUsed: number; address: string; userAgent: string; method: "password" | "code" | "passkey" | "provider" | null; current: boolean })[] } };
  };
  /** The sessions of a person whom the caller manages, the latest used first; never more than 100. `GET /dmp_aa/api/v1/accounts/{id}/sessions` */
  "accounts.listSessionsOf": {
    kind: "json";
    input: { params: { id: string } };
    answer: { result: { list: readonly ({ id: string; created: number; lastUsed: number; address: string; userAgent: string; method: "password" | "code" | "passkey" | "provider" | null; current: boolean })[] } };
  };
  /** The address of the sign-in page that the console shows in a frame. `POST /dmp_aa/api/v1/auth/login` */
  "accounts.loginFrame": {
    kind: "json";
    input: { body?: unknown };
    answer: { data: string };
  };
  /** How many accounts of an organization are signed in now. `GET /dmp_aa/api/v1/login/status/{org}` */
  "accounts.loginStatus": {
    kind: "json";
    input: { params: { org: string } };
    answer: { result: { allUserNum: number; onlineUserNum: number; offlineUserNum: number } };
  };
  /** Store a bearer in the console's cookies: `id` readable, `vap` HttpOnly. `POST /console/session` */
  "accounts.openSession": {
    kind: "json";
    input: { body: { id: string; vap: string } };
    answer: { result: { id: string } };
  };
  /** Sign in with a passkey, once and within five minutes after its options; answers as accounts.signIn. `POST /dmp_aa/api/v1/auth/passkey` */
  "accounts.passkeySignIn": {
    kind: "json";
    input: { body: { credential: { id: string; rawId: string; type: "public-key"; authenticatorAttachment?: string | undefined; clientExtensionResults: Record<string, unknown>; response: { clientDataJSON: string; authenticatorData: string; signature: string; userHandle?: string | undefined } } } };
    answer: { result: { id: string; vap: string } };
  };
  /** Whom a mailed invitation invites, to what, and who sent it. Answers alike for a link that is unknown, used or expired. `POST /dmp_aa/api/v1/auth/invitation` */
  "accounts.readInvitation": {
    kind: "json";
    input: { body: { secret: string } };
    answer: { result: { email: string; organization: string; inviter: string | null } };
  };
  /** Set a new password with the secret of a mailed link; ends every session of the account. `POST /dmp_aa/api/v1/auth/password/reset` */
  "accounts.resetPassword": {
    kind: "json";
    input: { body: { secret: string; password: string } };
    answer: { result: { email: string } };
  };
  /** Limit a person of an organization to the devices of groups and tags, or null for all; mails about devices to the person end. Accepts If-Match with `limitVersion` of the person. `PUT /dmp_aa/api/v1/accounts/{id}/limit` */
  "accounts.saveLimit": {
    kind: "json";
    input: { params: { id: string }; body: { limitedTo: { groups: readonly (string)[]; tags: readonly (string)[] } | null } };
    answer: { result: { limitedTo: { groups: readonly ({ id: string; name: string })[]; tags: readonly (string)[] } | null; limitVersion: string } };
  };
  /** Replace the rules of the own company for the sign-in of its people, who get a mail. Ranges without the address of this call need `confirmed`. Accepts If-Match with its `version`. `PUT /dmp_aa/api/v1/auth/policy` */
  "accounts.savePolicy": {
    kind: "json";
    input: { body: { needsFactor: boolean; idleMinutes: number; lifetimeHours: number; ranges: readonly (string)[]; excepted: readonly (string)[]; confirmed?: boolean | undefined } };
    answer: { result: { needsFactor: boolean; idleMinutes: number; lifetimeHours: number; ranges: readonly (string)[]; excepted: readonly (string)[]; address: string; people: number; withoutFactor: number; by: string | null; version: string } };
  };
  /** Mail the invitation of a user without a password again; the previous link becomes invalid. `POST /dmp_aa/api/v1/accounts/{id}/invitation` */
  "accounts.sendInvitation": {
    kind: "json";
    input: { params: { id: string } };
    answer: { result: { sent: number | null; expires: number | null } };
  };
  /** Create the first main account of an installation with the secret of the printed link. `POST /dmp_aa/api/v1/auth/set-up` */
  "accounts.setUp": {
    kind: "json";
    input: { body: { secret: string; company: string; name: string; email: string; password: string } };
    answer: { result: { email: string } };
  };
  /** Sign in with e-mail, password and, if it is on, a second factor; answers the account id and its bearer. `POST /dmp_aa/api/v1/auth/token` */
  "accounts.signIn": {
    kind: "json";
    input: { body: { email: string; password: string; otp?: string | undefined; passkey?: { id: string; rawId: string; type: "public-key"; authenticatorAttachment?: string | undefined; clientExtensionResults: Record<string, unknown>; response: { clientDataJSON: string; authenticatorData: string; signature: string; userHandle?: string | undefined } } | undefined } };
    answer: { result: { id: string; vap: string } };
  };
  /** End this session, and push messages of the caller in the browser that is named. `POST /dmp_aa/api/v1/auth/logout` */
  "accounts.signOut": {
    kind: "json";
    input: { body?: { browser?: string | undefined } | undefined };
    answer: { result: { ended: number } };
  };
  /** End every session of the account, and push messages in all of its browsers, everywhere, at once. `POST /dmp_aa/api/v1/auth/allTokenLogout` */
  "accounts.signOutEverywhere": {
    kind: "json";
    input: { body?: unknown };
    answer: { result: { ended: number } };
  };
  /** Send alerts of the caller to this browser as push messages; who has no severities yet gets critical ones. Not for API keys. `POST /data_manager/v1/alerts/people/push` */
  "alertPeople.addBrowser": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; endpoint: string; p256dh: string; auth: string; language: "en-US" | "zh-TW"; zone: string } };
    answer: { result: { mail: string; name: string; role: "admin" | "user" | null; severities: readonly ("critical" | "warning" | "info")[]; hours: { days: readonly (number)[]; from: string; until: string; zone: string } | null; channels: readonly ("mail" | "push")[]; rules: readonly ({ id: string; name: string; severity: "critical" | "warning" | "info" })[]; events: readonly ("TODAY_NOTIFY_SUBSCRIPTION" | "WEEK_NOTIFY_SUBSCRIPTION" | "MONTH_NOTIFY_SUBSCRIPTION" | "FIRMWARE_UPLOADED" | "FOTA_GROUP_SETUP" | "DEVICE_DELETED" | "DEVICE_ADDED" | "CONFIG_UPLOADED" | "BATTERY_LOW" | "BATTERY_LOW_CLEAR" | "THERMAL_5G_PROTECT" | "THERMAL_5G_PROTECT_CLEAR" | "DEVICE_ADMIN_CHANGE_PASSWORD" | "DEVICE_FACTORY_RESET" | "DATA_USE")[]; reports: readonly ({ id: string; name: string })[]; browsers: number; version: string } };
  };
  /** End the alerts of addresses; rules that name them still do. Users may end their own. `DELETE /data_manager/v1/alerts/people` */
  "alertPeople.delete": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; mails: readonly (string)[] } };
    answer: { result: { deleted: number } };
  };
  /** Who is notified: the people of an organization, and the other addresses that rules, alerts, notifications and saved summaries name, by address. `GET /data_manager/v1/alerts/people` */
  "alertPeople.list": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; sort?: "mail" | "-mail" | undefined; search?: string | undefined; field?: "mail" | undefined; ignoreCase?: "true" | undefined; informed?: "true" | undefined } | undefined };
    answer: { result: readonly ({ mail: string; name: string; role: "admin" | "user" | null; severities: readonly ("critical" | "warning" | "info")[]; hours: { days: readonly (number)[]; from: string; until: string; zone: string } | null; channels: readonly ("mail" | "push")[]; rules: readonly ({ id: string; name: string; severity: "critical" | "warning" | "info" })[]; events: readonly ("TODAY_NOTIFY_SUBSCRIPTION" | "WEEK_NOTIFY_SUBSCRIPTION" | "MONTH_NOTIFY_SUBSCRIPTION" | "FIRMWARE_UPLOADED" | "FOTA_GROUP_SETUP" | "DEVICE_DELETED" | "DEVICE_ADDED" | "CONFIG_UPLOADED" | "BATTERY_LOW" | "BATTERY_LOW_CLEAR" | "THERMAL_5G_PROTECT" | "THERMAL_5G_PROTECT_CLEAR" | "DEVICE_ADMIN_CHANGE_PASSWORD" | "DEVICE_FACTORY_RESET" | "DATA_USE")[]; reports: readonly ({ id: string; name: string })[]; browsers: number; version: string })[]; total?: number | undefined; offset?: number | undefined; next?: string | null | undefined; previous?: string | null | undefined };
  };
  /** The public key with which a browser registers for push messages (VAPID), how many browsers of the caller have, which ones, and how many of them get none. `GET /data_manager/v1/alerts/people/push` */
  "alertPeople.pushKey": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: { publicKey: string; browsers: number; endpoints: readonly (string)[]; failing: number } };
  };
  /** Send nothing more to this browser of the caller. `DELETE /data_manager/v1/alerts/people/push` */
  "alertPeople.removeBrowser": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; endpoint: string } };
    answer: { result: { deleted: number } };
  };
  /** Set which alerts an address gets, at which hours and how; without severities it gets only those of rules that name it. Users may set their own. Accepts If-Match with the `version` it is based on. `PUT /data_manager/v1/alerts/people` */
  "alertPeople.save": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; mail: string; severities: readonly ("critical" | "warning" | "info")[]; hours: { days: readonly (number)[]; from: string; until: string; zone: string } | null; channels: readonly ("mail" | "push")[]; language?: "en-US" | "zh-TW" | undefined; zone?: string | undefined } };
    answer: { result: { mail: string; name: string; role: "admin" | "user" | null; severities: readonly ("critical" | "warning" | "info")[]; hours: { days: readonly (number)[]; from: string; until: string; zone: string } | null; channels: readonly ("mail" | "push")[]; rules: readonly ({ id: string; name: string; severity: "critical" | "warning" | "info" })[]; events: readonly ("TODAY_NOTIFY_SUBSCRIPTION" | "WEEK_NOTIFY_SUBSCRIPTION" | "MONTH_NOTIFY_SUBSCRIPTION" | "FIRMWARE_UPLOADED" | "FOTA_GROUP_SETUP" | "DEVICE_DELETED" | "DEVICE_ADDED" | "CONFIG_UPLOADED" | "BATTERY_LOW" | "BATTERY_LOW_CLEAR" | "THERMAL_5G_PROTECT" | "THERMAL_5G_PROTECT_CLEAR" | "DEVICE_ADMIN_CHANGE_PASSWORD" | "DEVICE_FACTORY_RESET" | "DATA_USE")[]; reports: readonly ({ id: string; name: string })[]; browsers: number; version: string } };
  };
  /** Send a test to the browsers of the caller. Answers how many there are. `POST /data_manager/v1/alerts/people/push/test` */
  "alertPeople.testPush": {
    kind: "json";
    input: { body?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: { browsers: number } };
  };
  /** Acknowledge alerts with a note; the id of a storm stands for all of its alerts. With a foreign id the call is a 404; alerts that are not firing stay as they are. `POST /data_manager/v1/alerts/acknowledge` */
  "alerts.acknowledge": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; alerts: readonly (string)[]; note?: string | undefined } };
    answer: { result: { acknowledged: number } };
  };
  /** What the alert rules of an organization did by themselves, would have done, or did not do and why; the newest first. `GET /data_manager/v1/alerts/actions` */
  "alerts.actions": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; sort?: "at" | "-at" | undefined; search?: string | undefined; field?: "vehicle" | "serial" | "rule" | undefined; ignoreCase?: "true" | undefined; state?: "waiting" | "started" | "dry-run" | "skipped" | undefined; rule?: string | undefined; device?: string | undefined } | undefined };
    answer: { result: readonly ({ id: string; at: number; decided: number | null; rule: string; ruleName: string; alert: string; device: string; serial_number: string; vehicle_number: string; does: "command" | "send" | "profile" | "webhook" | "test"; state: "waiting" | "started" | "dry-run" | "skipped"; reason: "resolved" | "acknowledged" | "cool-down" | "repeats" | "already-waiting" | "at-once" | "day-limit" | "offline" | "not_allowed" | "no_command" | "no_profile" | "no_webhook" | "webhook_off" | "too_many_jobs" | "too_many_open" | "rule-changed" | null })[]; total?: number | undefined; offset?: number | undefined; next?: string | null | undefined; previous?: string | null | undefined };
  };
  /** Add an alert rule. `POST /data_manager/v1/alerts/rules` */
  "alerts.addRule": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; name: string; enabled: boolean; severity: "critical" | "warning" | "info"; condition: { kind: "offline" } | { kind: "reading"; reading: "rssi" | "rsrp" | "rsrq" | "sinr" | "temperature" | "voltage" | "battery" | "bytes_sent" | "bytes_received"; operator: "above" | "below"; threshold: number; clear?: number | undefined } | { kind: "position-silent" } | { kind: "geofence"; event: "entered" | "left"; geofence: string | null } | { kind: "firmware-mismatch" } | { kind: "config-mismatch" } | { kind: "rollout-paused" } | { kind: "rollout-failed"; orPaused?: boolean | undefined } | { kind: "esim-switched" } | { kind: "esim-failed" } | { kind: "data-use"; megabytes: number } | { kind: "subscription-ends"; days: number } | { kind: "connection-lost"; losses: number; minutes: number } | { kind: "diagnosis"; diagnosis: "identity" | "supply" | "antenna" | "restarts" | "sim" | "storage" | "heat" | "unstable" | "drops" | "position" | "place" | "clock" | null } | { kind: "on-backup" } | { kind: "uplink-down" } | { kind: "settings-differ" } | { kind: "test"; test: { tool: "ping"; host: string; ipVersion: "4" | "6" | "any"; count: number; bytes: number } | { tool: "traceroute"; host: string; ipVersion: "4" | "6" | "any"; hops: number } | { tool: "dns"; host: string; server: string }; everyMinutes: number; slowerThan: number | null }; forSeconds: number; scope: { kind: "all" } | { kind: "group"; group: string } | { kind: "tag"; tag: string } | { kind: "view"; view: string }; hours: { days: readonly (number)[]; from: string; until: string; zone: string } | null; channels: { mails: readonly (string)[]; firstAdmin?: boolean | undefined; webhooks?: readonly (string)[] | undefined; ends?: boolean | undefined; escalation: { afterMinutes: number; mails: readonly (string)[]; webhooks?: readonly (string)[] | undefined } | null; quiet: { days: readonly (number)[]; from: string; until: string; zone: string } | null; zone?: string | undefined }; action?: { does: { kind: "command"; command: string; window?: { hours?: readonly ({ days: readonly (number)[]; from: string; until: string })[] | undefined; zone: string; local?: boolean | undefined; ignitionOffMinutes?: number | undefined; stillMinutes?: number | undefined; geofences?: readonly (string)[] | undefined; minVoltage?: number | undefined; minSignal?: number | undefined; uplinks?: readonly ("cellular" | "ethernet" | "wifi" | "satellite")[] | undefined } | undefined } | { kind: "send"; send: "reboot" | "restart-modem"; window?: { hours?: readonly ({ days: readonly (number)[]; from: string; until: string })[] | undefined; zone: string; local?: boolean | undefined; ignitionOffMinutes?: number | undefined; stillMinutes?: number | undefined; geofences?: readonly (string)[] | undefined; minVoltage?: number | undefined; minSignal?: number | undefined; uplinks?: readonly ("cellular" | "ethernet" | "wifi" | "satellite")[] | undefined } | undefined } | { kind: "profile"; window?: { hours?: readonly ({ days: readonly (number)[]; from: string; until: string })[] | undefined; zone: string; local?: boolean | undefined; ignitionOffMinutes?: number | undefined; stillMinutes?: number | undefined; geofences?: readonly (string)[] | undefined; minVoltage?: number | undefined; minSignal?: number | undefined; uplinks?: readonly ("cellular" | "ethernet" | "wifi" | "satellite")[] | undefined } | undefined } | { kind: "webhook"; webhook: string } | { kind: "test"; test: { tool: "ping"; host: string; ipVersion: "4" | "6" | "any"; count: number; bytes: number } | { tool: "traceroute"; host: string; ipVersion: "4" | "6" | "any"; hops: number } | { tool: "dns"; host: string; server: string } }; dryRun: boolean; cooldownMinutes: number; atOnce: number; perDay: number } | null | undefined } };
    answer: { result: { id: string; name: string; enabled: boolean; severity: "critical" | "warning" | "info"; condition: { kind: "offline" } | { kind: "reading"; reading: "rssi" | "rsrp" | "rsrq" | "sinr" | "temperature" | "voltage" | "battery" | "bytes_sent" | "bytes_received"; operator: "above" | "below"; threshold: number; clear?: number | undefined } | { kind: "position-silent" } | { kind: "geofence"; event: "entered" | "left"; geofence: string | null } | { kind: "firmware-mismatch" } | { kind: "config-mismatch" } | { kind: "rollout-paused" } | { kind: "rollout-failed"; orPaused?: boolean | undefined } | { kind: "esim-switched" } | { kind: "esim-failed" } | { kind: "data-use"; megabytes: number } | { kind: "subscription-ends"; days: number } | { kind: "connection-lost"; losses: number; minutes: number } | { kind: "diagnosis"; diagnosis: "identity" | "supply" | "antenna" | "restarts" | "sim" | "storage" | "heat" | "unstable" | "drops" | "position" | "place" | "clock" | null } | { kind: "on-backup" } | { kind: "uplink-down" } | { kind: "settings-differ" } | { kind: "test"; test: { tool: "ping"; host: string; ipVersion: "4" | "6" | "any"; count: number; bytes: number } | { tool: "traceroute"; host: string; ipVersion: "4" | "6" | "any"; hops: number } | { tool: "dns"; host: string; server: string }; everyMinutes: number; slowerThan: number | null }; forSeconds: number; scope: { kind: "all" } | { kind: "group"; group: string } | { kind: "tag"; tag: string } | { kind: "view"; view: string }; hours: { days: readonly (number)[]; from: string; until: string; zone: string } | null; channels: { mails: readonly (string)[]; firstAdmin?: boolean | undefined; webhooks?: readonly (string)[] | undefined; ends?: boolean | undefined; escalation: { afterMinutes: number; mails: readonly (string)[]; webhooks?: readonly (string)[] | undefined } | null; quiet: { days: readonly (number)[]; from: string; until: string; zone: string } | null; zone?: string | undefined }; action: { does: { kind: "command"; command: string; window?: { hours?: readonly ({ days: readonly (number)[]; from: string; until: string })[] | undefined; zone: string; local?: boolean | undefined; ignitionOffMinutes?: number | undefined; stillMinutes?: number | undefined; geofences?: readonly (string)[] | undefined; minVoltage?: number | undefined; minSignal?: number | undefined; uplinks?: readonly ("cellular" | "ethernet" | "wifi" | "satellite")[] | undefined } | undefined } | { kind: "send"; send: "reboot" | "restart-modem"; window?: { hours?: readonly ({ days: readonly (number)[]; from: string; until: string })[] | undefined; zone: string; local?: boolean | undefined; ignitionOffMinutes?: number | undefined; stillMinutes?: number | undefined; geofences?: readonly (string)[] | undefined; minVoltage?: number | undefined; minSignal?: number | undefined; uplinks?: readonly ("cellular" | "ethernet" | "wifi" | "satellite")[] | undefined } | undefined } | { kind: "profile"; window?: { hours?: readonly ({ days: readonly (number)[]; from: string; until: string })[] | undefined; zone: string; local?: boolean | undefined; ignitionOffMinutes?: number | undefined; stillMinutes?: number | undefined; geofences?: readonly (string)[] | undefined; minVoltage?: number | undefined; minSignal?: number | undefined; uplinks?: readonly ("cellular" | "ethernet" | "wifi" | "satellite")[] | undefined } | undefined } | { kind: "webhook"; webhook: string } | { kind: "test"; test: { tool: "ping"; host: string; ipVersion: "4" | "6" | "any"; count: number; bytes: number } | { tool: "traceroute"; host: string; ipVersion: "4" | "6" | "any"; hops: number } | { tool: "dns"; host: string; server: string } }; dryRun: boolean; cooldownMinutes: number; atOnce: number; perDay: number } | null; actsFor: string | null; informed: readonly (string)[]; informedCount: number; missing: boolean; open: number; failingChannels: number; version: number } };
  };
  /** How many alerts are firing and not acknowledged, by severity. `GET /data_manager/v1/alerts/count` */
  "alerts.count": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: { firing: number; critical: number; acknowledged: number } };
  };
  /** Delete an alert rule and resolve its open alerts. `DELETE /data_manager/v1/alerts/rules/{rule}` */
  "alerts.deleteRule": {
    kind: "json";
    input: { params: { rule: string }; query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: { deleted: number } };
  };
  /** The same list as CSV or Excel workbook (Alerts_export), filtered alike. `GET /data_manager/v1/alerts/export` */
  "alerts.export": {
    kind: "file";
    input: { query?: { realm?: string | undefined; org?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; sort?: "fired" | "-fired" | "severity" | "-severity" | undefined; search?: string | undefined; field?: "serial" | "vehicle" | "rule" | undefined; ignoreCase?: "true" | undefined; state?: "open" | "firing" | "acknowledged" | "resolved" | "all" | undefined; severity?: "critical" | "warning" | "info" | undefined; kind?: "offline" | "reading" | "position-silent" | "geofence" | "firmware-mismatch" | "config-mismatch" | "rollout-paused" | "rollout-failed" | "esim-switched" | "esim-failed" | "data-use" | "subscription-ends" | "connection-lost" | "diagnosis" | "on-backup" | "uplink-down" | "settings-differ" | "test" | "report-failed" | "backups-stopped" | "rotation-stopped" | "tests-stopped" | "settings-waiting" | undefined; rule?: string | undefined; device?: string | undefined; group?: string | undefined; grouped?: "true" | undefined; storm?: string | undefined; only?: string | undefined; zone?: string | undefined; language?: "en-US" | "zh-TW" | undefined; format?: "csv" | "xlsx" | undefined; columns?: string | undefined } | undefined };
    answer: string;
  };
  /** The same list as CSV or Excel workbook (Alert_actions_export), filtered alike. `GET /data_manager/v1/alerts/actions/export` */
  "alerts.exportActions": {
    kind: "file";
    input: { query?: { realm?: string | undefined; org?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; sort?: "at" | "-at" | undefined; search?: string | undefined; field?: "vehicle" | "serial" | "rule" | undefined; ignoreCase?: "true" | undefined; state?: "waiting" | "started" | "dry-run" | "skipped" | undefined; rule?: string | undefined; device?: string | undefined; zone?: string | undefined; language?: "en-US" | "zh-TW" | undefined; format?: "csv" | "xlsx" | undefined } | undefined };
    answer: string;
  };
  /** Alerts, the newest first. `GET /data_manager/v1/alerts` */
  "alerts.list": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; sort?: "fired" | "-fired" | "severity" | "-severity" | undefined; search?: string | undefined; field?: "serial" | "vehicle" | "rule" | undefined; ignoreCase?: "true" | undefined; state?: "open" | "firing" | "acknowledged" | "resolved" | "all" | undefined; severity?: "critical" | "warning" | "info" | undefined; kind?: "offline" | "reading" | "position-silent" | "geofence" | "firmware-mismatch" | "config-mismatch" | "rollout-paused" | "rollout-failed" | "esim-switched" | "esim-failed" | "data-use" | "subscription-ends" | "connection-lost" | "diagnosis" | "on-backup" | "uplink-down" | "settings-differ" | "test" | "report-failed" | "backups-stopped" | "rotation-stopped" | "tests-stopped" | "settings-waiting" | undefined; rule?: string | undefined; device?: string | undefined; group?: string | undefined; grouped?: "true" | undefined; storm?: string | undefined } | undefined };
    answer: { result: readonly ({ id: string; state: "firing" | "acknowledged" | "resolved"; severity: "critical" | "warning" | "info"; rule: string; ruleName: string; kind: "offline" | "reading" | "position-silent" | "geofence" | "firmware-mismatch" | "config-mismatch" | "rollout-paused" | "rollout-failed" | "esim-switched" | "esim-failed" | "data-use" | "subscription-ends" | "connection-lost" | "diagnosis" | "on-backup" | "uplink-down" | "settings-differ" | "test" | "report-failed" | "backups-stopped" | "rotation-stopped" | "tests-stopped" | "settings-waiting"; org: string; projectName: string; device: string; serial_number: string; vehicle_number: string; carrier: string | null; group: string; groupName: string; place: { latitude: number; longitude: number; geofence: string | null } | null; value: number | null; reading: string | null; geofence: string | null; since: number; fired: number; acknowledged: number | null; acknowledgedBy: string; note: string; resolved: number | null; resolution: "cleared" | "transferred" | "deleted" | "router-replaced" | "out-of-scope" | "rule-changed" | "rule-deleted" | null; storm: { id: string; count: number; state: "firing" | "acknowledged" | "resolved"; open: number; firing: number; carriers: readonly ({ name: string; count: number })[]; groups: readonly ({ name: string; count: number })[]; places: readonly ({ name: string; count: number })[] } | null })[]; total?: number | undefined; offset?: number | undefined; next?: string | null | undefined; previous?: string | null | undefined };
  };
  /** How often a rule would have fired in the last 7 days, from stored connections, readings, positions and geofence crossings, before it is saved. Other conditions have no history and answer `replayed: false`. `POST /data_manager/v1/alerts/rules/replay` */
  "alerts.replay": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; condition: { kind: "offline" } | { kind: "reading"; reading: "rssi" | "rsrp" | "rsrq" | "sinr" | "temperature" | "voltage" | "battery" | "bytes_sent" | "bytes_received"; operator: "above" | "below"; threshold: number; clear?: number | undefined } | { kind: "position-silent" } | { kind: "geofence"; event: "entered" | "left"; geofence: string | null } | { kind: "firmware-mismatch" } | { kind: "config-mismatch" } | { kind: "rollout-paused" } | { kind: "rollout-failed"; orPaused?: boolean | undefined } | { kind: "esim-switched" } | { kind: "esim-failed" } | { kind: "data-use"; megabytes: number } | { kind: "subscription-ends"; days: number } | { kind: "connection-lost"; losses: number; minutes: number } | { kind: "diagnosis"; diagnosis: "identity" | "supply" | "antenna" | "restarts" | "sim" | "storage" | "heat" | "unstable" | "drops" | "position" | "place" | "clock" | null } | { kind: "on-backup" } | { kind: "uplink-down" } | { kind: "settings-differ" } | { kind: "test"; test: { tool: "ping"; host: string; ipVersion: "4" | "6" | "any"; count: number; bytes: number } | { tool: "traceroute"; host: string; ipVersion: "4" | "6" | "any"; hops: number } | { tool: "dns"; host: string; server: string }; everyMinutes: number; slowerThan: number | null }; forSeconds: number; scope: { kind: "all" } | { kind: "group"; group: string } | { kind: "tag"; tag: string } | { kind: "view"; view: string }; hours: { days: readonly (number)[]; from: string; until: string; zone: string } | null } };
    answer: { result: { replayed: boolean; count: number; devices: number; isCut: boolean; moments: readonly ({ device: string; serial_number: string; vehicle_number: string; fired: number; cleared: number | null; value: number | null })[] } };
  };
  /** The alert rules of an organization, by name. `GET /data_manager/v1/alerts/rules` */
  "alerts.rules": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: readonly ({ id: string; name: string; enabled: boolean; severity: "critical" | "warning" | "info"; condition: { kind: "offline" } | { kind: "reading"; reading: "rssi" | "rsrp" | "rsrq" | "sinr" | "temperature" | "voltage" | "battery" | "bytes_sent" | "bytes_received"; operator: "above" | "below"; threshold: number; clear?: number | undefined } | { kind: "position-silent" } | { kind: "geofence"; event: "entered" | "left"; geofence: string | null } | { kind: "firmware-mismatch" } | { kind: "config-mismatch" } | { kind: "rollout-paused" } | { kind: "rollout-failed"; orPaused?: boolean | undefined } | { kind: "esim-switched" } | { kind: "esim-failed" } | { kind: "data-use"; megabytes: number } | { kind: "subscription-ends"; days: number } | { kind: "connection-lost"; losses: number; minutes: number } | { kind: "diagnosis"; diagnosis: "identity" | "supply" | "antenna" | "restarts" | "sim" | "storage" | "heat" | "unstable" | "drops" | "position" | "place" | "clock" | null } | { kind: "on-backup" } | { kind: "uplink-down" } | { kind: "settings-differ" } | { kind: "test"; test: { tool: "ping"; host: string; ipVersion: "4" | "6" | "any"; count: number; bytes: number } | { tool: "traceroute"; host: string; ipVersion: "4" | "6" | "any"; hops: number } | { tool: "dns"; host: string; server: string }; everyMinutes: number; slowerThan: number | null }; forSeconds: number; scope: { kind: "all" } | { kind: "group"; group: string } | { kind: "tag"; tag: string } | { kind: "view"; view: string }; hours: { days: readonly (number)[]; from: string; until: string; zone: string } | null; channels: { mails: readonly (string)[]; firstAdmin?: boolean | undefined; webhooks?: readonly (string)[] | undefined; ends?: boolean | undefined; escalation: { afterMinutes: number; mails: readonly (string)[]; webhooks?: readonly (string)[] | undefined } | null; quiet: { days: readonly (number)[]; from: string; until: string; zone: string } | null; zone?: string | undefined }; action: { does: { kind: "command"; command: string; window?: { hours?: readonly ({ days: readonly (number)[]; from: string; until: string })[] | undefined; zone: string; local?: boolean | undefined; ignitionOffMinutes?: number | undefined; stillMinutes?: number | undefined; geofences?: readonly (string)[] | undefined; minVoltage?: number | undefined; minSignal?: number | undefined; uplinks?: readonly ("cellular" | "ethernet" | "wifi" | "satellite")[] | undefined } | undefined } | { kind: "send"; send: "reboot" | "restart-modem"; window?: { hours?: readonly ({ days: readonly (number)[]; from: string; until: string })[] | undefined; zone: string; local?: boolean | undefined; ignitionOffMinutes?: number | undefined; stillMinutes?: number | undefined; geofences?: readonly (string)[] | undefined; minVoltage?: number | undefined; minSignal?: number | undefined; uplinks?: readonly ("cellular" | "ethernet" | "wifi" | "satellite")[] | undefined } | undefined } | { kind: "profile"; window?: { hours?: readonly ({ days: readonly (number)[]; from: string; until: string })[] | undefined; zone: string; local?: boolean | undefined; ignitionOffMinutes?: number | undefined; stillMinutes?: number | undefined; geofences?: readonly (string)[] | undefined; minVoltage?: number | undefined; minSignal?: number | undefined; uplinks?: readonly ("cellular" | "ethernet" | "wifi" | "satellite")[] | undefined } | undefined } | { kind: "webhook"; webhook: string } | { kind: "test"; test: { tool: "ping"; host: string; ipVersion: "4" | "6" | "any"; count: number; bytes: number } | { tool: "traceroute"; host: string; ipVersion: "4" | "6" | "any"; hops: number } | { tool: "dns"; host: string; server: string } }; dryRun: boolean; cooldownMinutes: number; atOnce: number; perDay: number } | null; actsFor: string | null; informed: readonly (string)[]; informedCount: number; missing: boolean; open: number; failingChannels: number; version: number })[] };
  };
  /** Save an alert rule as a whole. A changed condition or scope resolves its open alerts. Accepts If-Match with the `version` it is based on. `PUT /data_manager/v1/alerts/rules/{rule}` */
  "alerts.saveRule": {
    kind: "json";
    input: { params: { rule: string }; body: { realm?: string | undefined; org?: string | undefined; name: string; enabled: boolean; severity: "critical" | "warning" | "info"; condition: { kind: "offline" } | { kind: "reading"; reading: "rssi" | "rsrp" | "rsrq" | "sinr" | "temperature" | "voltage" | "battery" | "bytes_sent" | "bytes_received"; operator: "above" | "below"; threshold: number; clear?: number | undefined } | { kind: "position-silent" } | { kind: "geofence"; event: "entered" | "left"; geofence: string | null } | { kind: "firmware-mismatch" } | { kind: "config-mismatch" } | { kind: "rollout-paused" } | { kind: "rollout-failed"; orPaused?: boolean | undefined } | { kind: "esim-switched" } | { kind: "esim-failed" } | { kind: "data-use"; megabytes: number } | { kind: "subscription-ends"; days: number } | { kind: "connection-lost"; losses: number; minutes: number } | { kind: "diagnosis"; diagnosis: "identity" | "supply" | "antenna" | "restarts" | "sim" | "storage" | "heat" | "unstable" | "drops" | "position" | "place" | "clock" | null } | { kind: "on-backup" } | { kind: "uplink-down" } | { kind: "settings-differ" } | { kind: "test"; test: { tool: "ping"; host: string; ipVersion: "4" | "6" | "any"; count: number; bytes: number } | { tool: "traceroute"; host: string; ipVersion: "4" | "6" | "any"; hops: number } | { tool: "dns"; host: string; server: string }; everyMinutes: number; slowerThan: number | null }; forSeconds: number; scope: { kind: "all" } | { kind: "group"; group: string } | { kind: "tag"; tag: string } | { kind: "view"; view: string }; hours: { days: readonly (number)[]; from: string; until: string; zone: string } | null; channels: { mails: readonly (string)[]; firstAdmin?: boolean | undefined; webhooks?: readonly (string)[] | undefined; ends?: boolean | undefined; escalation: { afterMinutes: number; mails: readonly (string)[]; webhooks?: readonly (string)[] | undefined } | null; quiet: { days: readonly (number)[]; from: string; until: string; zone: string } | null; zone?: string | undefined }; action?: { does: { kind: "command"; command: string; window?: { hours?: readonly ({ days: readonly (number)[]; from: string; until: string })[] | undefined; zone: string; local?: boolean | undefined; ignitionOffMinutes?: number | undefined; stillMinutes?: number | undefined; geofences?: readonly (string)[] | undefined; minVoltage?: number | undefined; minSignal?: number | undefined; uplinks?: readonly ("cellular" | "ethernet" | "wifi" | "satellite")[] | undefined } | undefined } | { kind: "send"; send: "reboot" | "restart-modem"; window?: { hours?: readonly ({ days: readonly (number)[]; from: string; until: string })[] | undefined; zone: string; local?: boolean | undefined; ignitionOffMinutes?: number | undefined; stillMinutes?: number | undefined; geofences?: readonly (string)[] | undefined; minVoltage?: number | undefined; minSignal?: number | undefined; uplinks?: readonly ("cellular" | "ethernet" | "wifi" | "satellite")[] | undefined } | undefined } | { kind: "profile"; window?: { hours?: readonly ({ days: readonly (number)[]; from: string; until: string })[] | undefined; zone: string; local?: boolean | undefined; ignitionOffMinutes?: number | undefined; stillMinutes?: number | undefined; geofences?: readonly (string)[] | undefined; minVoltage?: number | undefined; minSignal?: number | undefined; uplinks?: readonly ("cellular" | "ethernet" | "wifi" | "satellite")[] | undefined } | undefined } | { kind: "webhook"; webhook: string } | { kind: "test"; test: { tool: "ping"; host: string; ipVersion: "4" | "6" | "any"; count: number; bytes: number } | { tool: "traceroute"; host: string; ipVersion: "4" | "6" | "any"; hops: number } | { tool: "dns"; host: string; server: string } }; dryRun: boolean; cooldownMinutes: number; atOnce: number; perDay: number } | null | undefined } };
    answer: { result: { id: string; name: string; enabled: boolean; severity: "critical" | "warning" | "info"; condition: { kind: "offline" } | { kind: "reading"; reading: "rssi" | "rsrp" | "rsrq" | "sinr" | "temperature" | "voltage" | "battery" | "bytes_sent" | "bytes_received"; operator: "above" | "below"; threshold: number; clear?: number | undefined } | { kind: "position-silent" } | { kind: "geofence"; event: "entered" | "left"; geofence: string | null } | { kind: "firmware-mismatch" } | { kind: "config-mismatch" } | { kind: "rollout-paused" } | { kind: "rollout-failed"; orPaused?: boolean | undefined } | { kind: "esim-switched" } | { kind: "esim-failed" } | { kind: "data-use"; megabytes: number } | { kind: "subscription-ends"; days: number } | { kind: "connection-lost"; losses: number; minutes: number } | { kind: "diagnosis"; diagnosis: "identity" | "supply" | "antenna" | "restarts" | "sim" | "storage" | "heat" | "unstable" | "drops" | "position" | "place" | "clock" | null } | { kind: "on-backup" } | { kind: "uplink-down" } | { kind: "settings-differ" } | { kind: "test"; test: { tool: "ping"; host: string; ipVersion: "4" | "6" | "any"; count: number; bytes: number } | { tool: "traceroute"; host: string; ipVersion: "4" | "6" | "any"; hops: number } | { tool: "dns"; host: string; server: string }; everyMinutes: number; slowerThan: number | null }; forSeconds: number; scope: { kind: "all" } | { kind: "group"; group: string } | { kind: "tag"; tag: string } | { kind: "view"; view: string }; hours: { days: readonly (number)[]; from: string; until: string; zone: string } | null; channels: { mails: readonly (string)[]; firstAdmin?: boolean | undefined; webhooks?: readonly (string)[] | undefined; ends?: boolean | undefined; escalation: { afterMinutes: number; mails: readonly (string)[]; webhooks?: readonly (string)[] | undefined } | null; quiet: { days: readonly (number)[]; from: string; until: string; zone: string } | null; zone?: string | undefined }; action: { does: { kind: "command"; command: string; window?: { hours?: readonly ({ days: readonly (number)[]; from: string; until: string })[] | undefined; zone: string; local?: boolean | undefined; ignitionOffMinutes?: number | undefined; stillMinutes?: number | undefined; geofences?: readonly (string)[] | undefined; minVoltage?: number | undefined; minSignal?: number | undefined; uplinks?: readonly ("cellular" | "ethernet" | "wifi" | "satellite")[] | undefined } | undefined } | { kind: "send"; send: "reboot" | "restart-modem"; window?: { hours?: readonly ({ days: readonly (number)[]; from: string; until: string })[] | undefined; zone: string; local?: boolean | undefined; ignitionOffMinutes?: number | undefined; stillMinutes?: number | undefined; geofences?: readonly (string)[] | undefined; minVoltage?: number | undefined; minSignal?: number | undefined; uplinks?: readonly ("cellular" | "ethernet" | "wifi" | "satellite")[] | undefined } | undefined } | { kind: "profile"; window?: { hours?: readonly ({ days: readonly (number)[]; from: string; until: string })[] | undefined; zone: string; local?: boolean | undefined; ignitionOffMinutes?: number | undefined; stillMinutes?: number | undefined; geofences?: readonly (string)[] | undefined; minVoltage?: number | undefined; minSignal?: number | undefined; uplinks?: readonly ("cellular" | "ethernet" | "wifi" | "satellite")[] | undefined } | undefined } | { kind: "webhook"; webhook: string } | { kind: "test"; test: { tool: "ping"; host: string; ipVersion: "4" | "6" | "any"; count: number; bytes: number } | { tool: "traceroute"; host: string; ipVersion: "4" | "6" | "any"; hops: number } | { tool: "dns"; host: string; server: string } }; dryRun: boolean; cooldownMinutes: number; atOnce: number; perDay: number } | null; actsFor: string | null; informed: readonly (string)[]; informedCount: number; missing: boolean; open: number; failingChannels: number; version: number } };
  };
  /** Pin a chart to the caller's own overview; the same query again is the same pin. At most 12. `POST /vega_lite_manager/api/v1/store_draw` */
  "analysis.pin": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; creator?: string | undefined; spec: Record<string, unknown>; api: { chartType: "device" | "record" | "average" | "sumarty" | "piechart" | "runChart" | "line" | "bar" | "area" | "arc"; arguments: { projectId?: string | undefined; groupId?: string | undefined; deviceId?: string | undefined; propertyId?: string | undefined; conditons?: "appear" | "more" | "less" | "equal" | undefined; num?: string | undefined; dayType?: "" | "today" | "yesterday" | "week" | "month" | undefined; startDate?: string | undefined; endDate?: string | undefined; window?: "" | "1mo" | "1w" | "1d" | "3h" | "1h" | "30m" | "10m" | "5m" | undefined; zone?: string | undefined } }; content: { projectId?: string | undefined; theme?: "light" | "dark" | undefined; mark: "line" | "bar" | "area" | "arc"; title: string; argsLabel: readonly (string)[] } } };
    answer: { result: { id: string; creator: string; spec: Record<string, unknown>; api: { chartType: "device" | "record" | "average" | "sumarty" | "piechart" | "runChart"; arguments: { projectId?: string | undefined; groupId?: string | undefined; deviceId?: string | undefined; propertyId?: string | undefined; conditons?: "appear" | "more" | "less" | "equal" | undefined; num?: string | undefined; dayType?: "" | "today" | "yesterday" | "week" | "month" | undefined; startDate?: string | undefined; endDate?: string | undefined; window?: "" | "1mo" | "1w" | "1d" | "3h" | "1h" | "30m" | "10m" | "5m" | undefined; zone?: string | undefined } }; content: { projectId?: string | undefined; theme?: "light" | "dark" | undefined; mark: "line" | "bar" | "area" | "arc"; title: string; argsLabel: readonly (string)[] }; created: string } };
  };
  /** The caller's own pinned charts, oldest first. `GET /vega_lite_manager/api/v1/draws` */
  "analysis.pins": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: readonly ({ id: string; creator: string; spec: Record<string, unknown>; api: { chartType: "device" | "record" | "average" | "sumarty" | "piechart" | "runChart"; arguments: { projectId?: string | undefined; groupId?: string | undefined; deviceId?: string | undefined; propertyId?: string | undefined; conditons?: "appear" | "more" | "less" | "equal" | undefined; num?: string | undefined; dayType?: "" | "today" | "yesterday" | "week" | "month" | undefined; startDate?: string | undefined; endDate?: string | undefined; window?: "" | "1mo" | "1w" | "1d" | "3h" | "1h" | "30m" | "10m" | "5m" | undefined; zone?: string | undefined } }; content: { projectId?: string | undefined; theme?: "light" | "dark" | undefined; mark: "line" | "bar" | "area" | "arc"; title: string; argsLabel: readonly (string)[] }; created: string })[] };
  };
  /** Draw one of the six queries: values and a Vega-Lite specification. Rejected per ANA-03. `line`, `bar`, `area` and `arc` draw the query for records with that mark. `POST /vega_lite_manager/api/v1/prepare/{chartType}` */
  "analysis.prepare": {
    kind: "json";
    input: { params: { chartType: "device" | "record" | "average" | "sumarty" | "piechart" | "runChart" | "line" | "bar" | "area" | "arc" }; body?: { projectId?: string | undefined; groupId?: string | undefined; deviceId?: string | undefined; propertyId?: string | undefined; conditons?: "appear" | "more" | "less" | "equal" | undefined; num?: string | undefined; dayType?: "" | "today" | "yesterday" | "week" | "month" | undefined; startDate?: string | undefined; endDate?: string | undefined; window?: "" | "1mo" | "1w" | "1d" | "3h" | "1h" | "30m" | "10m" | "5m" | undefined; zone?: string | undefined; realm?: string | undefined; org?: string | undefined; mark?: "line" | "bar" | "area" | "arc" | undefined; theme?: "light" | "dark" | undefined; language?: "en-US" | "zh-TW" | undefined; temperature?: "°C" | "°F" | undefined } | undefined };
    answer: { result: { chartType: "device" | "record" | "average" | "sumarty" | "piechart" | "runChart"; mark: "line" | "bar" | "area" | "arc"; spec: Record<string, unknown> | null; points: readonly ({ x: number | string; y: number; label?: string | undefined })[]; unit: string; window: string; property: { id: string; name: string; type: "bool" | "number" | "string" | "picture" } | null } };
  };
  /** Numbers of one of the six queries, by windows of time, devices or values. `GET /data_manager/api/v1/statistics/{category}` */
  "analysis.statistics": {
    kind: "json";
    input: { params: { category: "device" | "record" | "average" | "sumarty" | "piechart" | "runChart" }; query?: { realm?: string | undefined; org?: string | undefined; project?: string | undefined; on?: string | undefined; to?: string | undefined; group?: string | undefined; device?: string | undefined; property?: string | undefined; condition?: "appear" | "more" | "less" | "equal" | undefined; value?: string | undefined; shift?: number | undefined; zone?: string | undefined; window?: "" | "1mo" | "1w" | "1d" | "3h" | "1h" | "30m" | "10m" | "5m" | undefined } | undefined };
    answer: { result: { category: "device" | "record" | "average" | "sumarty" | "piechart" | "runChart"; unit: string; window: string; points: readonly ({ x: number | string; y: number; label?: string | undefined })[] } };
  };
  /** Remove one of the caller's pinned charts from the overview. `DELETE /vega_lite_manager/api/v1/draws/{draw}` */
  "analysis.unpin": {
    kind: "json";
    input: { params: { draw: string }; query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: { deleted: number } };
  };
  /** Create an API key. The answer shows it once. `POST /data_manager/v1/dm/api_keys` */
  "apiKeys.create": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; name: string; operations: readonly (string)[]; ranges?: readonly (string)[] | undefined; limitedTo?: { groups: readonly (string)[]; tags: readonly (string)[] } | null | undefined; expires?: string | null | undefined } };
    answer: { result: { id: string; org: string | null; orgName: string; name: string; hint: string; operations: readonly (string)[]; ranges: readonly (string)[]; limitedTo: { groups: readonly ({ id: string; name: string })[]; tags: readonly (string)[] } | null; state: "active" | "expired" | "revoked" | "suspended"; created: string; by: string; expires: string | null; lastUsed: string | null; lastAddress: string | null; previousUntil: string | null }; secret: string };
  };
  /** API keys of an organization, or of a main account and its organizations, the newest first. `GET /data_manager/v1/dm/api_keys` */
  "apiKeys.list": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined } | undefined };
    answer: { result: readonly ({ id: string; org: string | null; orgName: string; name: string; hint: string; operations: readonly (string)[]; ranges: readonly (string)[]; limitedTo: { groups: readonly ({ id: string; name: string })[]; tags: readonly (string)[] } | null; state: "active" | "expired" | "revoked" | "suspended"; created: string; by: string; expires: string | null; lastUsed: string | null; lastAddress: string | null; previousUntil: string | null })[]; total?: number | undefined; offset?: number | undefined; next?: string | null | undefined; previous?: string | null | undefined };
  };
  /** The operations that a key of this scope can be allowed to call, in groups. `GET /data_manager/v1/dm/api_keys/operations` */
  "apiKeys.operations": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: readonly ({ area: string; access: "read" | "write"; operations: readonly ({ id: string; method: string; path: string; summary: string })[] })[] };
  };
  /** Revoke a key. It is rejected at once, also in calls that have begun. `DELETE /data_manager/v1/dm/api_keys/{key}` */
  "apiKeys.revoke": {
    kind: "json";
    input: { params: { key: string }; body?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: { revoked: 1 } };
  };
  /** Replace a key by a new one with the same rights. The former one stays valid for some hours, with the rights of its maker, not of the caller. `POST /data_manager/v1/dm/api_keys/{key}/rotate` */
  "apiKeys.rotate": {
    kind: "json";
    input: { params: { key: string }; body?: { realm?: string | undefined; org?: string | undefined; overlapHours?: number | undefined } | undefined };
    answer: { result: { id: string; org: string | null; orgName: string; name: string; hint: string; operations: readonly (string)[]; ranges: readonly (string)[]; limitedTo: { groups: readonly ({ id: string; name: string })[]; tags: readonly (string)[] } | null; state: "active" | "expired" | "revoked" | "suspended"; created: string; by: string; expires: string | null; lastUsed: string | null; lastAddress: string | null; previousUntil: string | null }; secret: string };
  };
  /** Approve an act with the `confirmation` of what it touches, and it is done at once; or reject it with a reason. Who requested it can only withdraw it. `POST /dmp_aa/api/v1/approvals/{approval}/decision` */
  "approvals.decide": {
    kind: "json";
    input: { params: { approval: string }; body: { decision: "approve" | "reject" | "withdraw"; confirmation?: string | undefined; reason?: string | undefined } };
    answer: { result: { id: string; rule: "rollouts" | "factoryReset" | "settings" | "deletion" | "policy"; state: "waiting" | "approved" | "rejected" | "expired" | "withdrawn"; acts: readonly ({ key: string; params: readonly (string | number | { terms: readonly (string)[] } | { key: string; params: readonly (string | number | { terms: readonly (string)[] })[] })[] })[]; routers: number; names: readonly (string)[]; confirmation: string; by: string; requester: { kind: "home" | "support" | "guest"; role: "main" | "admin" | "user"; ownRole: string | null; company: string | null }; mayDecide: boolean; isOwn: boolean; created: string; expires: string; decided: string | null; decidedBy: string | null; reason: string } };
  };
  /** What of the own company waits for a second person. `GET /dmp_aa/api/v1/approvals/policy` */
  "approvals.getPolicy": {
    kind: "json";
    input: Record<string, never>;
    answer: { result: { rolloutsAbove: number | null; factoryReset: boolean; settings: boolean; deletion: boolean; people: number; by: string | null; version: string } };
  };
  /** Acts of the own company that wait for a second person, or did in the last 90 days, the newest first. `GET /dmp_aa/api/v1/approvals` */
  "approvals.list": {
    kind: "json";
    input: { query?: { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; state?: "waiting" | "approved" | "rejected" | "expired" | "withdrawn" | undefined } | undefined };
    answer: { result: readonly ({ id: string; rule: "rollouts" | "factoryReset" | "settings" | "deletion" | "policy"; state: "waiting" | "approved" | "rejected" | "expired" | "withdrawn"; acts: readonly ({ key: string; params: readonly (string | number | { terms: readonly (string)[] } | { key: string; params: readonly (string | number | { terms: readonly (string)[] })[] })[] })[]; routers: number; names: readonly (string)[]; confirmation: string; by: string; requester: { kind: "home" | "support" | "guest"; role: "main" | "admin" | "user"; ownRole: string | null; company: string | null }; mayDecide: boolean; isOwn: boolean; created: string; expires: string; decided: string | null; decidedBy: string | null; reason: string })[]; total?: number | undefined; offset?: number | undefined; next?: string | null | undefined; previous?: string | null | undefined };
  };
  /** Set what of the own company waits for a second person, with the own password. While something does, less waits only after a second person approved it: 409 `approval.waiting`. Accepts If-Match with its `version`. `PUT /dmp_aa/api/v1/approvals/policy` */
  "approvals.savePolicy": {
    kind: "json";
    input: { body: { rolloutsAbove: number | null; factoryReset: boolean; settings: boolean; deletion: boolean; password: string } };
    answer: { result: { rolloutsAbove: number | null; factoryReset: boolean; settings: boolean; deletion: boolean; people: number; by: string | null; version: string } };
  };
  /** Bind a version of a config file to a group, the newest if none is named: every router of it will get it. `POST /data_manager/v1/binding/group/config` */
  "bindings.config": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; config: string; configVersion?: number | undefined; group: string; schedule: "immediate" | "bootup"; postpone?: number | string | undefined; failureThreshold?: number | undefined; canaries?: number | undefined; first?: { devices: readonly (string)[] } | { tag: string } | undefined; waves?: { rule: "success" | "hours" | "person"; hours?: number | undefined; shares?: readonly (number)[] | undefined } | null | undefined; window?: { hours?: readonly ({ days: readonly (number)[]; from: string; until: string })[] | undefined; zone: string; local?: boolean | undefined; ignitionOffMinutes?: number | undefined; stillMinutes?: number | undefined; geofences?: readonly (string)[] | undefined; minVoltage?: number | undefined; minSignal?: number | undefined; uplinks?: readonly ("cellular" | "ethernet" | "wifi" | "satellite")[] | undefined } | null | undefined; confirmed?: string | undefined } };
    answer: { result: { firmware: readonly ({ profile: string; otaSchedule: "immediate" | "bootup"; postpone: number | null; name: string; version: number | null; state: "running" | "paused" | "cancelled" })[]; config: readonly ({ profile: string; otaSchedule: "immediate" | "bootup"; postpone: number | null; name: string; version: number | null; state: "running" | "paused" | "cancelled" })[]; status: readonly ({ group: string; file: string; success: number; fail: number; kind: "firmware" | "config"; failed: number; rolledBack: number; unsupported: number; busy: number })[] } };
  };
  /** Bind firmware to a group: every router of it will run this version. `POST /data_manager/v1/binding/group/firmware` */
  "bindings.firmware": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; firmware: string; group: string; schedule: "immediate" | "bootup"; postpone?: number | string | undefined; failureThreshold?: number | undefined; canaries?: number | undefined; first?: { devices: readonly (string)[] } | { tag: string } | undefined; waves?: { rule: "success" | "hours" | "person"; hours?: number | undefined; shares?: readonly (number)[] | undefined } | null | undefined; window?: { hours?: readonly ({ days: readonly (number)[]; from: string; until: string })[] | undefined; zone: string; local?: boolean | undefined; ignitionOffMinutes?: number | undefined; stillMinutes?: number | undefined; geofences?: readonly (string)[] | undefined; minVoltage?: number | undefined; minSignal?: number | undefined; uplinks?: readonly ("cellular" | "ethernet" | "wifi" | "satellite")[] | undefined } | null | undefined; confirmed?: string | undefined } };
    answer: { result: { firmware: readonly ({ profile: string; otaSchedule: "immediate" | "bootup"; postpone: number | null; name: string; version: number | null; state: "running" | "paused" | "cancelled" })[]; config: readonly ({ profile: string; otaSchedule: "immediate" | "bootup"; postpone: number | null; name: string; version: number | null; state: "running" | "paused" | "cancelled" })[]; status: readonly ({ group: string; file: string; success: number; fail: number; kind: "firmware" | "config"; failed: number; rolledBack: number; unsupported: number; busy: number })[] } };
  };
  /** The effect of binding this firmware or config file to this group; writes nothing. `POST /data_manager/v1/binding/group/impact` */
  "bindings.impact": {
    kind: "json";
    input: { body?: { realm?: string | undefined; org?: string | undefined; group?: string | undefined; whole?: true | undefined; firmware?: string | undefined; config?: string | undefined; configVersion?: number | undefined; add?: readonly (string)[] | undefined; remove?: readonly (string)[] | undefined; canaries?: number | undefined; first?: { devices: readonly (string)[] } | { tag: string } | undefined; waves?: { rule: "success" | "hours" | "person"; hours?: number | undefined; shares?: readonly (number)[] | undefined } | null | undefined; window?: { hours?: readonly ({ days: readonly (number)[]; from: string; until: string })[] | undefined; zone: string; local?: boolean | undefined; ignitionOffMinutes?: number | undefined; stillMinutes?: number | undefined; geofences?: readonly (string)[] | undefined; minVoltage?: number | undefined; minSignal?: number | undefined; uplinks?: readonly ("cellular" | "ethernet" | "wifi" | "satellite")[] | undefined } | null | undefined } | undefined };
    answer: { result: { firmware: { routers: number; change: number; already: number; offline: number; unsuited: number; otherModels: readonly (string)[]; ofOtherModel: number; older: number; newer: readonly (string)[]; unsigned: number; vehicles: readonly (string)[]; confirmation: string } | null; config: { routers: number; change: number; already: number; offline: number; unsuited: number; otherModels: readonly (string)[]; ofOtherModel: number; older: number; newer: readonly (string)[]; unsigned: number; vehicles: readonly (string)[]; confirmation: string } | null; first: { routers: number; offline: number; vehicles: readonly (string)[]; waves: readonly (number)[] } | null; window: { opens: number | null; noIgnition: number; noPosition: number; noVoltage: number; noSignal: number; noUplink: number } | null } };
  };
  /** The bindings of each group, and how many routers have the bound files. `GET /data_manager/v1/binding/group` */
  "bindings.list": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; sort?: string | undefined; search?: string | undefined; field?: string | undefined; ignoreCase?: "true" | undefined; group?: string | undefined } | undefined };
    answer: { result: readonly ({ firmware: readonly ({ profile: string; otaSchedule: "immediate" | "bootup"; postpone: number | null; name: string; version: number | null; state: "running" | "paused" | "cancelled" })[]; config: readonly ({ profile: string; otaSchedule: "immediate" | "bootup"; postpone: number | null; name: string; version: number | null; state: "running" | "paused" | "cancelled" })[]; status: readonly ({ group: string; file: string; success: number; fail: number; kind: "firmware" | "config"; failed: number; rolledBack: number; unsupported: number; busy: number })[]; group: string; org: string })[]; total?: number | undefined; offset?: number | undefined; next?: string | null | undefined; previous?: string | null | undefined };
  };
  /** The effect on devices that join this group, one by one or with whole groups that are deleted, of its active bindings that begin at once; writes nothing. `POST /data_manager/v1/binding/group/move/impact` */
  "bindings.moveImpact": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; group: string; add?: readonly (string)[] | undefined; from?: readonly (string)[] | undefined } };
    answer: { result: { firmware: { routers: number; change: number; already: number; offline: number; unsuited: number; otherModels: readonly (string)[]; ofOtherModel: number; older: number; newer: readonly (string)[]; unsigned: number; vehicles: readonly (string)[]; confirmation: string; name: string } | null; config: { routers: number; change: number; already: number; offline: number; unsuited: number; otherModels: readonly (string)[]; ofOtherModel: number; older: number; newer: readonly (string)[]; unsigned: number; vehicles: readonly (string)[]; confirmation: string; name: string } | null; confirmation: string } };
  };
  /** Bring the saved settings of a group, or of the whole organization, to its routers as a rollout, in waves and windows. It ends the one of the same level before. `POST /data_manager/v1/binding/settings` */
  "bindings.settings": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; group?: string | undefined; version: number; failureThreshold?: number | undefined; canaries?: number | undefined; first?: { devices: readonly (string)[] } | { tag: string } | undefined; waves?: { rule: "success" | "hours" | "person"; hours?: number | undefined; shares?: readonly (number)[] | undefined } | null | undefined; window?: { hours?: readonly ({ days: readonly (number)[]; from: string; until: string })[] | undefined; zone: string; local?: boolean | undefined; ignitionOffMinutes?: number | undefined; stillMinutes?: number | undefined; geofences?: readonly (string)[] | undefined; minVoltage?: number | undefined; minSignal?: number | undefined; uplinks?: readonly ("cellular" | "ethernet" | "wifi" | "satellite")[] | undefined } | null | undefined } };
    answer: { result: { id: string; kind: "firmware" | "config" | "settings"; profile: string; name: string; version: number | null; schedule: "immediate" | "bootup"; postpone: number | null; state: "running" | "paused" | "cancelled"; pausedReason: "person" | "threshold" | null; failureThreshold: number; canaries: number; waves: { rule: "success" | "hours" | "person"; hours: number | null; open: number; waves: readonly ({ routers: number; successful: number; failed: number })[]; waits: "routers" | "hours" | "person" | "failure" | "empty" | null; next: number | null } | null; window: { hours?: readonly ({ days: readonly (number)[]; from: string; until: string })[] | undefined; zone: string; local?: boolean | undefined; ignitionOffMinutes?: number | undefined; stillMinutes?: number | undefined; geofences?: readonly (string)[] | undefined; minVoltage?: number | undefined; minSignal?: number | undefined; uplinks?: readonly ("cellular" | "ethernet" | "wifi" | "satellite")[] | undefined } | null; created: string; by: string; total: number; states: Partial<Record<"waiting" | "downloading" | "verifying" | "applying" | "rebooting" | "successful" | "failed" | "rolled-back" | "unsupported", number>>; offline: number; outdated: number } };
  };
  /** Remove the config binding of a group; routers keep the file they have. `DELETE /data_manager/v1/binding/group/config` */
  "bindings.unbindConfig": {
    kind: "json";
    input: { query: { realm?: string | undefined; org?: string | undefined; group: string; postpone?: string | undefined; mode?: "all" | undefined } };
    answer: { result: { firmware: readonly ({ profile: string; otaSchedule: "immediate" | "bootup"; postpone: number | null; name: string; version: number | null; state: "running" | "paused" | "cancelled" })[]; config: readonly ({ profile: string; otaSchedule: "immediate" | "bootup"; postpone: number | null; name: string; version: number | null; state: "running" | "paused" | "cancelled" })[]; status: readonly ({ group: string; file: string; success: number; fail: number; kind: "firmware" | "config"; failed: number; rolledBack: number; unsupported: number; busy: number })[] } };
  };
  /** Remove the firmware binding of a group; no router is downgraded. `DELETE /data_manager/v1/binding/group/firmware` */
  "bindings.unbindFirmware": {
    kind: "json";
    input: { query: { realm?: string | undefined; org?: string | undefined; group: string; postpone?: string | undefined; mode?: "all" | undefined } };
    answer: { result: { firmware: readonly ({ profile: string; otaSchedule: "immediate" | "bootup"; postpone: number | null; name: string; version: number | null; state: "running" | "paused" | "cancelled" })[]; config: readonly ({ profile: string; otaSchedule: "immediate" | "bootup"; postpone: number | null; name: string; version: number | null; state: "running" | "paused" | "cancelled" })[]; status: readonly ({ group: string; file: string; success: number; fail: number; kind: "firmware" | "config"; failed: number; rolledBack: number; unsupported: number; busy: number })[] } };
  };
  /** Delete a user of the main account, never the caller; their sessions end at once. `DELETE /dmp_aa/api/v1/colleagues/{id}` */
  "colleagues.delete": {
    kind: "json";
    input: { params: { id: string } };
    answer: { result: { deleted: number } };
  };
  /** Create a user of the main account with all its rights, and mail a link to set a password. `POST /dmp_aa/api/v1/colleagues/` */
  "colleagues.invite": {
    kind: "json";
    input: { body: { email: string; name: string; language?: "en-US" | "zh-TW" | undefined } };
    answer: { result: { id: string; name: string; email: string; vendor: string; roles: readonly ({ service: string; roles: readonly (string)[] })[]; roleMap: Record<string, string>; serviceRoleMap: Record<string, string>; role: "vendorSuper" | "super" | "vendor"; privilege: string; notificationTypes: readonly ("TODAY_NOTIFY_SUBSCRIPTION" | "WEEK_NOTIFY_SUBSCRIPTION" | "MONTH_NOTIFY_SUBSCRIPTION" | "FIRMWARE_UPLOADED" | "FOTA_GROUP_SETUP" | "DEVICE_DELETED" | "DEVICE_ADDED" | "CONFIG_UPLOADED" | "BATTERY_LOW" | "BATTERY_LOW_CLEAR" | "THERMAL_5G_PROTECT" | "THERMAL_5G_PROTECT_CLEAR" | "DEVICE_ADMIN_CHANGE_PASSWORD" | "DEVICE_FACTORY_RESET" | "DATA_USE")[]; customData: Record<string, unknown> } };
  };
  /** Users of the main account itself, including the caller. `GET /dmp_aa/api/v1/colleagues/` */
  "colleagues.list": {
    kind: "json";
    input: { query?: { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; sort?: "name" | "-name" | "email" | "-email" | "signedIn" | "-signedIn" | undefined; search?: string | undefined; field?: "name" | "email" | undefined; ignoreCase?: "true" | undefined } | undefined };
    answer: { result: { list: readonly ({ id: string; name: string; email: string; vendor: string; roles: readonly ({ service: string; roles: readonly (string)[] })[]; roleMap: Record<string, string>; serviceRoleMap: Record<string, string>; role: "vendorSuper" | "super" | "vendor"; privilege: string; notificationTypes: readonly ("TODAY_NOTIFY_SUBSCRIPTION" | "WEEK_NOTIFY_SUBSCRIPTION" | "MONTH_NOTIFY_SUBSCRIPTION" | "FIRMWARE_UPLOADED" | "FOTA_GROUP_SETUP" | "DEVICE_DELETED" | "DEVICE_ADDED" | "CONFIG_UPLOADED" | "BATTERY_LOW" | "BATTERY_LOW_CLEAR" | "THERMAL_5G_PROTECT" | "THERMAL_5G_PROTECT_CLEAR" | "DEVICE_ADMIN_CHANGE_PASSWORD" | "DEVICE_FACTORY_RESET" | "DATA_USE")[]; customData: Record<string, unknown>; ownRole: { id: string; name: string; rights: readonly (string)[] } | null; secondFactor: boolean; invitation: { sent: number | null; expires: number | null } | null; limitedTo: { groups: readonly ({ id: string; name: string })[]; tags: readonly (string)[] } | null; signedIn: number | null; guestUntil: string | null })[] }; total?: number | undefined; offset?: number | undefined; next?: string | null | undefined; previous?: string | null | undefined };
  };
  /** Define a custom command out of the fixed set. `POST /data_manager/v1/dm/commands` */
  "commands.add": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; name: string; kind: "reboot" | "identify" | "report" | "roaming" | "name" | "zone"; argument?: string | undefined; pinned?: boolean | undefined } };
    answer: { result: { id: string; name: string; kind: "reboot" | "identify" | "report" | "roaming" | "name" | "zone"; argument: string; pinned: boolean; version: string } };
  };
  /** Cancel a command that waits for its router; one that was sent cannot be cancelled. `POST /data_manager/v1/dm/device/commands/{id}/cancel` */
  "commands.cancel": {
    kind: "json";
    input: { params: { id: string }; body?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: { id: string; device: string; serial_number: string; vehicle_number: string; kind: "reboot" | "identify" | "report" | "roaming" | "name" | "zone" | "restart-modem" | "factory-reset" | "apply-settings" | "backup-config" | "set-password" | "restore-config"; argument: string; name: string; state: "waiting" | "sent" | "running" | "done" | "failed" | "expired" | "cancelled"; reason: "unsupported" | "rejected" | "failed" | "interrupted" | "no-answer" | "no-file" | "gone" | "replaced" | "not-allowed" | "window-hours" | "window-ignition" | "window-moving" | "window-geofence" | "window-voltage" | "window-signal" | "window-uplink" | "window-no-ignition" | "window-no-position" | "window-no-geofence" | "window-no-voltage" | "window-no-signal" | "window-no-uplink" | null; message: string; by: string; job: string | null; created: string; expires: string; sent: string | null; ended: string | null } };
  };
  /** Remove a custom command. `DELETE /data_manager/v1/dm/commands/{command}` */
  "commands.delete": {
    kind: "json";
    input: { params: { command: string }; body?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: { deleted: number } };
  };
  /** Custom commands of an organization, at most 32, by name. `GET /data_manager/v1/dm/commands` */
  "commands.list": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: readonly ({ id: string; name: string; kind: "reboot" | "identify" | "report" | "roaming" | "name" | "zone"; argument: string; pinned: boolean; version: string })[] };
  };
  /** Run a custom command on one router, and return the router's own message. `POST /data_manager/v1/dm/commands/{command}/run` */
  "commands.run": {
    kind: "json";
    input: { params: { command: string }; body: { realm?: string | undefined; org?: string | undefined; device: string } };
    answer: { result: { outcome: "done" | "begun" | "rejected" | "unsupported"; message: string; code: number | null } };
  };
  /** Rename a custom command, change its argument, pin or unpin it: at most 2 are pinned. Honours If-Match. `PATCH /data_manager/v1/dm/commands/{command}` */
  "commands.save": {
    kind: "json";
    input: { params: { command: string }; body?: { realm?: string | undefined; org?: string | undefined; name?: string | undefined; argument?: string | undefined; pinned?: boolean | undefined } | undefined };
    answer: { result: { id: string; name: string; kind: "reboot" | "identify" | "report" | "roaming" | "name" | "zone"; argument: string; pinned: boolean; version: string } };
  };
  /** Send a command to one router: a custom one by its id (`command`), or a built-in one (`kind`). With `wait` it waits up to so many hours for a router that is not connected; one command of a router runs at a time. `POST /data_manager/v1/dm/device/commands` */
  "commands.send": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; device: string; command?: string | undefined; kind?: "reboot" | "identify" | "report" | "roaming" | "name" | "zone" | "restart-modem" | "factory-reset" | "apply-settings" | "backup-config" | undefined; argument?: string | undefined; wait?: number | undefined; window?: { hours?: readonly ({ days: readonly (number)[]; from: string; until: string })[] | undefined; zone: string; local?: boolean | undefined; ignitionOffMinutes?: number | undefined; stillMinutes?: number | undefined; geofences?: readonly (string)[] | undefined; minVoltage?: number | undefined; minSignal?: number | undefined; uplinks?: readonly ("cellular" | "ethernet" | "wifi" | "satellite")[] | undefined } | undefined; confirmation?: string | undefined } };
    answer: { result: { id: string; device: string; serial_number: string; vehicle_number: string; kind: "reboot" | "identify" | "report" | "roaming" | "name" | "zone" | "restart-modem" | "factory-reset" | "apply-settings" | "backup-config" | "set-password" | "restore-config"; argument: string; name: string; state: "waiting" | "sent" | "running" | "done" | "failed" | "expired" | "cancelled"; reason: "unsupported" | "rejected" | "failed" | "interrupted" | "no-answer" | "no-file" | "gone" | "replaced" | "not-allowed" | "window-hours" | "window-ignition" | "window-moving" | "window-geofence" | "window-voltage" | "window-signal" | "window-uplink" | "window-no-ignition" | "window-no-position" | "window-no-geofence" | "window-no-voltage" | "window-no-signal" | "window-no-uplink" | null; message: string; by: string; job: string | null; created: string; expires: string; sent: string | null; ended: string | null } };
  };
  /** Commands of routers, the newest first, of one device or job or of all; those that ended are kept for 90 days. `GET /data_manager/v1/dm/device/commands` */
  "commands.sent": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; device?: string | undefined; job?: string | undefined; open?: "true" | undefined } | undefined };
    answer: { result: readonly ({ id: string; device: string; serial_number: string; vehicle_number: string; kind: "reboot" | "identify" | "report" | "roaming" | "name" | "zone" | "restart-modem" | "factory-reset" | "apply-settings" | "backup-config" | "set-password" | "restore-config"; argument: string; name: string; state: "waiting" | "sent" | "running" | "done" | "failed" | "expired" | "cancelled"; reason: "unsupported" | "rejected" | "failed" | "interrupted" | "no-answer" | "no-file" | "gone" | "replaced" | "not-allowed" | "window-hours" | "window-ignition" | "window-moving" | "window-geofence" | "window-voltage" | "window-signal" | "window-uplink" | "window-no-ignition" | "window-no-position" | "window-no-geofence" | "window-no-voltage" | "window-no-signal" | "window-no-uplink" | null; message: string; by: string; job: string | null; created: string; expires: string; sent: string | null; ended: string | null })[]; total?: number | undefined; offset?: number | undefined; next?: string | null | undefined; previous?: string | null | undefined };
  };
  /** Delete config files, several ids separated by commas, all or none; rejected while bound, naming the groups. `DELETE /data_manager/v1/dm/config/{config}` */
  "configs.delete": {
    kind: "json";
    input: { params: { config: string }; query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: { deleted: number } };
  };
  /** One config file with its versions and the groups it is bound to; answers an ETag. `GET /data_manager/v1/dm/config/{config}` */
  "configs.get": {
    kind: "json";
    input: { params: { config: string }; query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: { pk: string; id: string; name: string; note: string; size: number; version: number; sha256: string; created: string; updated: string; file: string; groups: number; profile: string; otaSchedule: "immediate" | "bootup" | null; postpone: number | null; group: string; versions: readonly ({ number: number; size: number; sha256: string; created: string; by: string })[]; boundBy: readonly ({ group: string; groupName: string; version: number })[] } };
  };
  /** Config files of an organization. `GET /data_manager/v1/dm/config` */
  "configs.list": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; sort?: "name" | "-name" | "note" | "-note" | "size" | "-size" | "updated" | "-updated" | "created" | "-created" | undefined; search?: string | undefined; field?: "name" | "note" | undefined; ignoreCase?: "true" | undefined; around?: string | undefined } | undefined };
    answer: { result: readonly ({ pk: string; id: string; name: string; note: string; size: number; version: number; sha256: string; created: string; updated: string; file: string; groups: number; profile: string; otaSchedule: "immediate" | "bootup" | null; postpone: number | null; group: string })[]; total?: number | undefined; offset?: number | undefined; next?: string | null | undefined; previous?: string | null | undefined };
  };
  /** The contents of one version of a config file, as it was uploaded. They may hold passwords, so each call is logged. `GET /data_manager/v1/dm/config/{config}/versions/{number}/contents` */
  "configs.read": {
    kind: "file";
    input: { params: { config: string; number: number }; query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: string;
  };
  /** Change the description of a config file. If-Match is honoured. `PATCH /data_manager/v1/dm/config/{config}` */
  "configs.save": {
    kind: "json";
    input: { params: { config: string }; body: { realm?: string | undefined; org?: string | undefined; note: string }; file?: Blob | undefined; fileName?: string | undefined };
    answer: { result: { pk: string; id: string; name: string; note: string; size: number; version: number; sha256: string; created: string; updated: string; file: string; groups: number; profile: string; otaSchedule: "immediate" | "bootup" | null; postpone: number | null; group: string } };
  };
  /** Upload a config file in the field `config`; the same name again becomes the next version of that file. `POST /data_manager/v1/dm/config` */
  "configs.upload": {
    kind: "json";
    input: { body?: { realm?: string | undefined; org?: string | undefined; note?: string | undefined } | undefined; file: Blob; fileName?: string | undefined };
    answer: { result: { pk: string; id: string; name: string; note: string; size: number; version: number; sha256: string; created: string; updated: string; file: string; groups: number; profile: string; otaSchedule: "immediate" | "bootup" | null; postpone: number | null; group: string } };
  };
  /** Hexagons (H3) with median RSRP and RSRQ, reports, lost connections and minutes without one, by carrier and technology, for a period. `GET /data_manager/v1/dm/coverage` */
  "coverage.cells": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined; from?: string | undefined; until?: string | undefined; carrier?: string | undefined; technology?: string | undefined; bbox?: string | undefined; resolution?: number | undefined } | undefined };
    answer: { result: { from: string; until: string; resolution: number; cells: readonly ({ cell: string; corners: readonly ([number, number])[]; latitude: number; longitude: number; rsrp: number | null; rsrq: number | null; samples: number; drops: number; minutes: number; networks: readonly ({ carrier: string; technology: string; rsrp: number | null; rsrq: number | null; samples: number; drops: number; minutes: number })[] })[]; isCut: boolean; carriers: readonly (string)[]; technologies: readonly (string)[] } };
  };
  /** Hexagons about 1 km across where connections were lost, the most minutes first. `GET /data_manager/v1/dm/coverage/dead-zones` */
  "coverage.deadZones": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined; from?: string | undefined; until?: string | undefined; carrier?: string | undefined; technology?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; sort?: "minutes" | "-minutes" | "drops" | "-drops" | undefined } | undefined };
    answer: { result: readonly ({ rank: number; cell: string; latitude: number; longitude: number; squareKm: number; minutes: number; drops: number; samples: number; rsrp: number | null; rsrq: number | null })[]; total?: number | undefined; offset?: number | undefined; next?: string | null | undefined; previous?: string | null | undefined };
  };
  /** The same list as CSV or Excel workbook (coverage_dead_zones). `GET /data_manager/v1/dm/coverage/dead-zones/export` */
  "coverage.exportDeadZones": {
    kind: "file";
    input: { query?: { realm?: string | undefined; org?: string | undefined; from?: string | undefined; until?: string | undefined; carrier?: string | undefined; technology?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; sort?: "minutes" | "-minutes" | "drops" | "-drops" | undefined; format?: "csv" | "xlsx" | undefined; columns?: string | undefined; language?: "en-US" | "zh-TW" | undefined } | undefined };
    answer: string;
  };
  /** The same list as CSV or Excel workbook (coverage_vehicles). `GET /data_manager/v1/dm/coverage/vehicles/export` */
  "coverage.exportVehicles": {
    kind: "file";
    input: { query?: { realm?: string | undefined; org?: string | undefined; from?: string | undefined; until?: string | undefined; carrier?: string | undefined; technology?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; sort?: "rsrp" | "-rsrp" | "rsrq" | "-rsrq" | "samples" | "-samples" | undefined; search?: string | undefined; field?: "vehicle" | "serial" | undefined; ignoreCase?: "true" | undefined; format?: "csv" | "xlsx" | undefined; columns?: string | undefined; language?: "en-US" | "zh-TW" | undefined } | undefined };
    answer: string;
  };
  /** Vehicles against the median of the fleet in the same hexagons, on the same carrier and technology, the worst first: finds broken antennas. `GET /data_manager/v1/dm/coverage/vehicles` */
  "coverage.vehicles": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined; from?: string | undefined; until?: string | undefined; carrier?: string | undefined; technology?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; sort?: "rsrp" | "-rsrp" | "rsrq" | "-rsrq" | "samples" | "-samples" | undefined; search?: string | undefined; field?: "vehicle" | "serial" | undefined; ignoreCase?: "true" | undefined } | undefined };
    answer: { result: readonly ({ device: string; name: string; serial: string; org: string; orgName: string; rsrp: number | null; rsrq: number | null; samples: number; cells: number; isSuspect: boolean })[]; total?: number | undefined; offset?: number | undefined; next?: string | null | undefined; previous?: string | null | undefined };
  };
  /** Add devices by hand: claims inventory entries for an organization, all or none. `POST /data_manager/v1/dm/devices` */
  "devices.add": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; device_type_id?: string | undefined; devices: readonly ({ group?: string | undefined; serial_number: string; mac: string; started: string; expired: string })[] } };
    answer: { result: readonly ({ device: string; device_id: string; serial_number: string; mac: string; vehicle_number: string; vehicleNumber: string; note: string; tags: readonly (string)[]; group: string; group_name: string; field_value: boolean; presence: "online" | "offline" | "unknown"; presence_since: number | null; presence_reason: string | null; offline_expected: "parked" | "planned" | null; rejected: "endpoint" | "controller" | "no-connect-record" | "silent" | "no-record" | "not-usp" | "subprotocol" | "secret-missing" | "certificate-missing" | "certificate-other" | "certificate-revoked" | "certificate-expired" | "certificate-endpoint" | "session-context" | "unreadable" | "identity-shared" | "serial-mismatch" | null; last_seen: number | null; device_name: string; device_type_id: string; updated: string; device_created: string; projectId: string; projectName: string; org: string; subscription_status: string; started: string; expired: string; is_expired: boolean; udid: string; properties: readonly ({ id: string; value: string })[]; cellular_mno: string | null; cellular_imsi: string | null; cellular_iccid: string | null; cellular_mtn: string | null; cellular_imei: string | null; cellular_eid: string | null; cellular_rssi: number | null; cellular_technology: string | null; health: number | null; diagnosis: "identity" | "supply" | "antenna" | "restarts" | "sim" | "storage" | "heat" | "unstable" | "drops" | "position" | "place" | "clock" | null; position_at: number | null; estimated_position: { latitude: number; longitude: number; radius: number; at: number } | null })[] };
  };
  /** Create devices of one model, named name + number, from the routers in stock: all or none. `POST /data_manager/v1/dm/devices/series` */
  "devices.addBatch": {
    kind: "json";
    input: { query?: { dryRun?: string | undefined; confirmed?: string | undefined } | undefined; body: { realm?: string | undefined; org?: string | undefined; device_type_id?: string | undefined; model: string; name: string; first?: string | undefined; batch: number; group?: string | undefined; serial_number?: string | undefined; started: string; expired: string } };
    answer: { result: { dryRun: boolean; devices: readonly ({ device: string; vehicle_number: string; serial_number: string; mac: string })[]; confirmation: string } };
  };
  /** What needs attention now: each number is the total of a list with the filter of the same meaning. `GET /data_manager/v1/dm/attention` */
  "devices.attention": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined; offline?: "15m" | "1h" | "6h" | "1d" | "7d" | undefined } | undefined };
    answer: { result: { offline: { total: number; latest: readonly ({ device: string; serial_number: string; vehicle_number: string; org: string; projectName: string; since: number; reason: string | null; carrier: string | null; cell: string | null })[] }; weak: number; connections: number; positions: number; sims: number; expiring: number; unsubscribed: number; starting: number; never: number; parked: number; planned: number; rollouts: { failed: number; paused: number }; alerts: { firing: number; critical: number }; criticalAlerts: readonly ({ device: string; serial_number: string; vehicle_number: string; org: string; projectName: string; alert: string; ruleName: string })[]; first: { weak: readonly ({ device: string; serial_number: string; vehicle_number: string; org: string; projectName: string })[]; connections: readonly ({ device: string; serial_number: string; vehicle_number: string; org: string; projectName: string })[]; positions: readonly ({ device: string; serial_number: string; vehicle_number: string; org: string; projectName: string })[]; sims: readonly ({ device: string; serial_number: string; vehicle_number: string; org: string; projectName: string })[]; expiring: readonly ({ device: string; serial_number: string; vehicle_number: string; org: string; projectName: string })[]; unsubscribed: readonly ({ device: string; serial_number: string; vehicle_number: string; org: string; projectName: string })[]; rollouts: readonly ({ device: string; serial_number: string; vehicle_number: string; org: string; projectName: string })[] }; diagnoses: readonly ({ kind: "identity" | "supply" | "antenna" | "restarts" | "sim" | "storage" | "heat" | "unstable" | "drops" | "position" | "place" | "clock"; total: number; first: readonly ({ device: string; serial_number: string; vehicle_number: string; org: string; projectName: string })[] })[]; deviation: { offline: number; devices: number; usual: { least: number; most: number } | null; since: number; shared: { kind: "carrier" | "group"; name: string; projectName: string | null; devices: number; of: number } | null; latest: readonly ({ device: string; serial_number: string; vehicle_number: string; org: string; projectName: string })[] } | null } };
  };
  /** Archive devices and free their routers. With a foreign id the call is a 404 and none is deleted. `DELETE /data_manager/v1/dm/devices` */
  "devices.delete": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; devices: readonly (string)[] } };
    answer: { result: { deleted: number } };
  };
  /** The same list as CSV or Excel workbook (Devices_export), filtered and sorted alike. `GET /data_manager/v1/dm/devices/export` */
  "devices.export": {
    kind: "file";
    input: { query?: { realm?: string | undefined; org?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; sort?: "serial" | "-serial" | "vehicle" | "-vehicle" | "model" | "-model" | "uptime" | "-uptime" | "group" | "-group" | "firmware" | "-firmware" | "config" | "-config" | "carrier" | "-carrier" | "presence" | "-presence" | "service" | "-service" | "expires" | "-expires" | "organization" | "-organization" | "health" | "-health" | "diagnosis" | "-diagnosis" | undefined; search?: string | undefined; field?: "serial" | "vehicle" | "group" | "config" | "organization" | "note" | "any" | undefined; ignoreCase?: "true" | undefined; service?: "subscribed" | "expiring" | "not-subscribed" | "starting" | undefined; presence?: "online" | "offline" | "unknown" | "parked" | "planned" | "never" | undefined; offline?: "15m" | "1h" | "6h" | "1d" | "7d" | undefined; signal?: "weak" | undefined; position?: "never" | "old" | "rejected" | undefined; connection?: "rejected" | undefined; geofence?: string | undefined; health?: "good" | "fair" | "poor" | undefined; diagnosis?: "any" | "identity" | "supply" | "antenna" | "restarts" | "sim" | "storage" | "heat" | "unstable" | "drops" | "position" | "place" | "clock" | undefined; sim?: "failed" | undefined; group?: string | undefined; carrier?: string | undefined; tag?: string | undefined; expiration?: "today" | "week" | "month" | undefined; zone?: string | undefined; around?: string | undefined; layout?: "devices" | "organizations" | "sims" | "service" | undefined; format?: "csv" | "xlsx" | undefined; columns?: string | undefined; language?: "en-US" | "zh-TW" | undefined } | undefined };
    answer: string;
  };
  /** Named devices as CSV or Excel workbook (Devices_export), by serial number. With a foreign id the call is a 404. `POST /data_manager/v1/dm/devices/export` */
  "devices.exportChosen": {
    kind: "file";
    input: { body: { realm?: string | undefined; org?: string | undefined; devices: readonly (string)[]; layout?: "devices" | "organizations" | undefined; format?: "csv" | "xlsx" | undefined; columns?: string | undefined; zone?: string | undefined; language?: "en-US" | "zh-TW" | undefined } };
    answer: string;
  };
  /** One device with the content of its page; answers an ETag. `GET /data_manager/v1/dm/device` */
  "devices.get": {
    kind: "json";
    input: { query: { realm?: string | undefined; org?: string | undefined; device: string } };
    answer: { result: { device: string; device_id: string; serial_number: string; mac: string; vehicle_number: string; vehicleNumber: string; note: string; tags: readonly (string)[]; group: string; group_name: string; field_value: boolean; presence: "online" | "offline" | "unknown"; presence_since: number | null; presence_reason: string | null; offline_expected: "parked" | "planned" | null; rejected: "endpoint" | "controller" | "no-connect-record" | "silent" | "no-record" | "not-usp" | "subprotocol" | "secret-missing" | "certificate-missing" | "certificate-other" | "certificate-revoked" | "certificate-expired" | "certificate-endpoint" | "session-context" | "unreadable" | "identity-shared" | "serial-mismatch" | null; last_seen: number | null; device_name: string; device_type_id: string; updated: string; device_created: string; projectId: string; projectName: string; org: string; subscription_status: string; started: string; expired: string; is_expired: boolean; udid: string; properties: readonly ({ id: string; value: string })[]; cellular_mno: string | null; cellular_imsi: string | null; cellular_iccid: string | null; cellular_mtn: string | null; cellular_imei: string | null; cellular_eid: string | null; cellular_rssi: number | null; cellular_technology: string | null; health: number | null; diagnosis: "identity" | "supply" | "antenna" | "restarts" | "sim" | "storage" | "heat" | "unstable" | "drops" | "position" | "place" | "clock" | null; position_at: number | null; estimated_position: { latitude: number; longitude: number; radius: number; at: number } | null; agent: { url: string; endpointId: string; controllerId: string } | null; rejection: { at: number; reason: "endpoint" | "controller" | "no-connect-record" | "silent" | "no-record" | "not-usp" | "subprotocol" | "secret-missing" | "certificate-missing" | "certificate-other" | "certificate-revoked" | "certificate-expired" | "certificate-endpoint" | "session-context" | "unreadable" | "identity-shared" | "serial-mismatch"; received: string | null; expected: string | null; address: string; isOther: boolean } | null; findings: readonly ({ since: number; kind: "identity"; cause: "identity-shared" | "serial-mismatch" } | { since: number; kind: "supply"; volts: number; limit: number; hours: number } | { since: number; kind: "antenna"; db: number; samples: number; cells: number } | { since: number; kind: "restarts"; restarts: number; inHour: number } | { since: number; kind: "sim"; cause: "profile" | "missing" | "idle"; hours: number | null } | { since: number; kind: "storage" } | { since: number; kind: "heat"; celsius: number; limit: number } | { since: number; kind: "unstable"; losses: number; minutes: number } | { since: number; kind: "drops"; losses: number; place: { latitude: number; longitude: number; losses: number } | null } | { since: number; kind: "position"; reason: "outside" | "zero" | "future" | "old" | "expired" | "too_many" | "malformed" | "too_large" | "doctype" | "not_xml" | "namespace" | "shape"; count: number } | { since: number; kind: "place"; losses: number; place: { latitude: number; longitude: number; losses: number } | null; others: number } | { since: number; kind: "clock"; seconds: number })[]; health_inputs: { at: number; rsrp: number | null; rssi: number | null; drops: number; temperature: number | null; voltage: number | null } | null; clock_skew: number | null; set_up: { polled: boolean; unread?: boolean | undefined; faults: readonly ({ part: "subscriptions" | "boot" | "operations" | "push" | "heartbeat" | "changes" | "telemetry"; code: number; message: string })[] } | null; offers: readonly (string)[] | null } };
  };
  /** Add devices from a CSV or an Excel workbook (SN, MAC, start date, expiry date; optional Group, Vehicle#, Notes, Tags): good rows are added, bad rows listed. `POST /data_manager/v1/dm/devices/batch` */
  "devices.import": {
    kind: "json";
    input: { query?: { dryRun?: string | undefined; encoding?: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | "windows-1250" | "macintosh" | "big5" | undefined; dates?: "mdy" | "dmy" | "ask" | undefined } | undefined; body?: { realm?: string | undefined; org?: string | undefined; device_type_id?: string | undefined; layout?: "devices" | "organization" | undefined } | undefined; file: Blob; fileName?: string | undefined };
    answer: { result: { dryRun: boolean; success: number; total: number; fail: readonly ({ row: number; serial: string; mac: string; error: string })[]; failed: number; ids: readonly (string)[]; changes: { fields: readonly ({ field: "serial" | "mac" | "model" | "endpoint" | "group" | "vehicle" | "note" | "tags" | "started" | "expired" | "name" | "eid" | "iccid" | "apn1" | "apn2"; rows: number })[]; rows: readonly ({ row: number; serial: string; changes: readonly ({ field: "serial" | "mac" | "model" | "endpoint" | "group" | "vehicle" | "note" | "tags" | "started" | "expired" | "name" | "eid" | "iccid" | "apn1" | "apn2"; before: string; after: string })[] })[]; newTags: readonly (string)[] }; file: { encoding?: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | "windows-1250" | "macintosh" | "big5" | undefined; encodingAssumed?: boolean | undefined; sheet?: string | undefined; ignored: readonly (string)[] }; report: string; reported: number; dates: readonly ({ column: string; example: string; readings: { mdy: string; dmy: string }; order: "mdy" | "dmy" })[] } };
  };
  /** The latest properties of every device (`device=all_devices`) or of one. `GET /data_manager/v1/statistics/last_query` */
  "devices.lastQuery": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined; device?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined } | undefined };
    answer: { result: readonly ({ device: string; field_value: boolean; properties: readonly ({ id: string; value: string })[]; on: number | null })[]; total?: number | undefined; offset?: number | undefined; next?: string | null | undefined; previous?: string | null | undefined };
  };
  /** Devices of an organization, or of all organizations of a main account. `GET /data_manager/v1/dm/devices` */
  "devices.list": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; sort?: "serial" | "-serial" | "vehicle" | "-vehicle" | "model" | "-model" | "uptime" | "-uptime" | "group" | "-group" | "firmware" | "-firmware" | "config" | "-config" | "carrier" | "-carrier" | "presence" | "-presence" | "service" | "-service" | "expires" | "-expires" | "organization" | "-organization" | "health" | "-health" | "diagnosis" | "-diagnosis" | undefined; search?: string | undefined; field?: "serial" | "vehicle" | "group" | "config" | "organization" | "note" | "any" | undefined; ignoreCase?: "true" | undefined; service?: "subscribed" | "expiring" | "not-subscribed" | "starting" | undefined; presence?: "online" | "offline" | "unknown" | "parked" | "planned" | "never" | undefined; offline?: "15m" | "1h" | "6h" | "1d" | "7d" | undefined; signal?: "weak" | undefined; position?: "never" | "old" | "rejected" | undefined; connection?: "rejected" | undefined; geofence?: string | undefined; health?: "good" | "fair" | "poor" | undefined; diagnosis?: "any" | "identity" | "supply" | "antenna" | "restarts" | "sim" | "storage" | "heat" | "unstable" | "drops" | "position" | "place" | "clock" | undefined; sim?: "failed" | undefined; group?: string | undefined; carrier?: string | undefined; tag?: string | undefined; expiration?: "today" | "week" | "month" | undefined; zone?: string | undefined; around?: string | undefined } | undefined };
    answer: { result: readonly ({ device: string; device_id: string; serial_number: string; mac: string; vehicle_number: string; vehicleNumber: string; note: string; tags: readonly (string)[]; group: string; group_name: string; field_value: boolean; presence: "online" | "offline" | "unknown"; presence_since: number | null; presence_reason: string | null; offline_expected: "parked" | "planned" | null; rejected: "endpoint" | "controller" | "no-connect-record" | "silent" | "no-record" | "not-usp" | "subprotocol" | "secret-missing" | "certificate-missing" | "certificate-other" | "certificate-revoked" | "certificate-expired" | "certificate-endpoint" | "session-context" | "unreadable" | "identity-shared" | "serial-mismatch" | null; last_seen: number | null; device_name: string; device_type_id: string; updated: string; device_created: string; projectId: string; projectName: string; org: string; subscription_status: string; started: string; expired: string; is_expired: boolean; udid: string; properties: readonly ({ id: string; value: string })[]; cellular_mno: string | null; cellular_imsi: string | null; cellular_iccid: string | null; cellular_mtn: string | null; cellular_imei: string | null; cellular_eid: string | null; cellular_rssi: number | null; cellular_technology: string | null; health: number | null; diagnosis: "identity" | "supply" | "antenna" | "restarts" | "sim" | "storage" | "heat" | "unstable" | "drops" | "position" | "place" | "clock" | null; position_at: number | null; estimated_position: { latitude: number; longitude: number; radius: number; at: number } | null })[]; total?: number | undefined; offset?: number | undefined; next?: string | null | undefined; previous?: string | null | undefined; online?: number | undefined };
  };
  /** How many of the devices that have connected were online: every five minutes of the last day, or means of the hours of the last week. `GET /data_manager/v1/dm/statistics/online` */
  "devices.onlineShare": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined; hours?: "24" | "168" | undefined } | undefined };
    answer: { result: readonly ({ at: number; online: number; devices: number })[] };
  };
  /** Measured values of a router over a range, one point for each step in which it measured any, and when it was offline. `GET /data_manager/v1/dm/device/readings` */
  "devices.readings": {
    kind: "json";
    input: { query: { realm?: string | undefined; org?: string | undefined; device: string; range?: "1h" | "6h" | "24h" | "7d" | "30d" | undefined } };
    answer: { result: { from: number; until: number; step: number; series: readonly ({ parameter: string; unit: string; points: readonly ([number, number, number, number])[] })[]; offline: readonly ([number, number])[] } };
  };
  /** Replace the router of a device by one in stock: vehicle, group, tags, subscription, eSIMs, bindings and history stay with the device. `POST /data_manager/v1/dm/device/router` */
  "devices.replaceRouter": {
    kind: "json";
    input: { query?: { dryRun?: string | undefined; confirmed?: string | undefined } | undefined; body: { realm?: string | undefined; org?: string | undefined; device: string; serial_number: string; mac: string } };
    answer: { result: { device: string; device_id: string; serial_number: string; mac: string; vehicle_number: string; vehicleNumber: string; note: string; tags: readonly (string)[]; group: string; group_name: string; field_value: boolean; presence: "online" | "offline" | "unknown"; presence_since: number | null; presence_reason: string | null; offline_expected: "parked" | "planned" | null; rejected: "endpoint" | "controller" | "no-connect-record" | "silent" | "no-record" | "not-usp" | "subprotocol" | "secret-missing" | "certificate-missing" | "certificate-other" | "certificate-revoked" | "certificate-expired" | "certificate-endpoint" | "session-context" | "unreadable" | "identity-shared" | "serial-mismatch" | null; last_seen: number | null; device_name: string; device_type_id: string; updated: string; device_created: string; projectId: string; projectName: string; org: string; subscription_status: string; started: string; expired: string; is_expired: boolean; udid: string; properties: readonly ({ id: string; value: string })[]; cellular_mno: string | null; cellular_imsi: string | null; cellular_iccid: string | null; cellular_mtn: string | null; cellular_imei: string | null; cellular_eid: string | null; cellular_rssi: number | null; cellular_technology: string | null; health: number | null; diagnosis: "identity" | "supply" | "antenna" | "restarts" | "sim" | "storage" | "heat" | "unstable" | "drops" | "position" | "place" | "clock" | null; position_at: number | null; estimated_position: { latitude: number; longitude: number; radius: number; at: number } | null }; effect: { device: string; vehicle: string; group: string; tags: readonly (string)[]; started: string; expired: string; former: { serial_number: string; mac: string; model: string; isOnline: boolean }; next: { serial_number: string; mac: string; model: string; isOnline: boolean }; hasEuicc: boolean | null; esims: { moving: readonly (string)[]; staying: readonly (string)[] }; confirmation: string } };
  };
  /** Change vehicle number, note, tags and group of a device. If-Match is honoured. `PATCH /data_manager/v1/dm/device` */
  "devices.save": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; device: string; group?: string | undefined; vehicleNumber?: string | undefined; note?: string | undefined; tags?: readonly (string)[] | undefined; confirmed?: string | undefined } };
    answer: { result: { device: string; device_id: string; serial_number: string; mac: string; vehicle_number: string; vehicleNumber: string; note: string; tags: readonly (string)[]; group: string; group_name: string; field_value: boolean; presence: "online" | "offline" | "unknown"; presence_since: number | null; presence_reason: string | null; offline_expected: "parked" | "planned" | null; rejected: "endpoint" | "controller" | "no-connect-record" | "silent" | "no-record" | "not-usp" | "subprotocol" | "secret-missing" | "certificate-missing" | "certificate-other" | "certificate-revoked" | "certificate-expired" | "certificate-endpoint" | "session-context" | "unreadable" | "identity-shared" | "serial-mismatch" | null; last_seen: number | null; device_name: string; device_type_id: string; updated: string; device_created: string; projectId: string; projectName: string; org: string; subscription_status: string; started: string; expired: string; is_expired: boolean; udid: string; properties: readonly ({ id: string; value: string })[]; cellular_mno: string | null; cellular_imsi: string | null; cellular_iccid: string | null; cellular_mtn: string | null; cellular_imei: string | null; cellular_eid: string | null; cellular_rssi: number | null; cellular_technology: string | null; health: number | null; diagnosis: "identity" | "supply" | "antenna" | "restarts" | "sim" | "storage" | "heat" | "unstable" | "drops" | "position" | "place" | "clock" | null; position_at: number | null; estimated_position: { latitude: number; longitude: number; radius: number; at: number } | null } };
  };
  /** Change the color of a carrier in charts, for everyone of the organization. `PUT /data_manager/v1/dm/carrier-color` */
  "devices.saveCarrierColor": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; carrier: string; color: number } };
    answer: { result: { carrier: string; color: number } };
  };
  /** Set the first and the last day of a device's subscription (MM/DD/YYYY, UTC). If-Match is honoured. `PATCH /data_manager/v1/dm/device/subscription` */
  "devices.saveSubscription": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; device: string; started: string; expired: string } };
    answer: { result: { device: string; device_id: string; serial_number: string; mac: string; vehicle_number: string; vehicleNumber: string; note: string; tags: readonly (string)[]; group: string; group_name: string; field_value: boolean; presence: "online" | "offline" | "unknown"; presence_since: number | null; presence_reason: string | null; offline_expected: "parked" | "planned" | null; rejected: "endpoint" | "controller" | "no-connect-record" | "silent" | "no-record" | "not-usp" | "subprotocol" | "secret-missing" | "certificate-missing" | "certificate-other" | "certificate-revoked" | "certificate-expired" | "certificate-endpoint" | "session-context" | "unreadable" | "identity-shared" | "serial-mismatch" | null; last_seen: number | null; device_name: string; device_type_id: string; updated: string; device_created: string; projectId: string; projectName: string; org: string; subscription_status: string; started: string; expired: string; is_expired: boolean; udid: string; properties: readonly ({ id: string; value: string })[]; cellular_mno: string | null; cellular_imsi: string | null; cellular_iccid: string | null; cellular_mtn: string | null; cellular_imei: string | null; cellular_eid: string | null; cellular_rssi: number | null; cellular_technology: string | null; health: number | null; diagnosis: "identity" | "supply" | "antenna" | "restarts" | "sim" | "storage" | "heat" | "unstable" | "drops" | "position" | "place" | "clock" | null; position_at: number | null; estimated_position: { latitude: number; longitude: number; radius: number; at: number } | null } };
  };
  /** Counts for the overview: devices online, offline and expiring, groups, log entries, SIMs per carrier. `GET /data_manager/v1/dm/statistics` */
  "devices.statistics": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined; zone?: string | undefined } | undefined };
    answer: { result: { online: number; offline: number; unknown: number; never: number; parked: number; planned: number; expired: number; devices: number; group: number; logs: number; logsToday: number; carriers: readonly ({ carrier: string; total: number; online: number; offline: number; unknown: number; never: number; parked: number; planned: number; color: number })[] } };
  };
  /** Subscription state of every device the caller may see. `GET /data_manager/v1/dm/devices/subscribe` */
  "devices.subscriptions": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; sort?: "serial" | "-serial" | "expires" | "-expires" | "service" | "-service" | "organization" | "-organization" | undefined; search?: string | undefined; field?: "serial" | "note" | "organization" | undefined; ignoreCase?: "true" | undefined } | undefined };
    answer: { result: readonly ({ device_id: string; expired: string; is_expired: boolean; subscription_status: string; note: string; project: string; serial_number: string })[]; total?: number | undefined; offset?: number | undefined; next?: string | null | undefined; previous?: string | null | undefined };
  };
  /** Tags of the devices that the caller may see, each with the number of its devices; the most used 1,000. `GET /data_manager/v1/dm/devices/tags` */
  "devices.tags": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: readonly ({ tag: string; devices: number })[] };
  };
  /** The history of a device, newest first: connections, rollouts, user actions, alarms, alerts, eSIM profiles, remote sessions, geofences. `GET /data_manager/v1/dm/device/timeline` */
  "devices.timeline": {
    kind: "json";
    input: { query: { realm?: string | undefined; org?: string | undefined; device: string; kind?: "connection" | "rollout" | "action" | "alarm" | "sim" | "remote" | "geofence" | "alert" | undefined; limit?: number | undefined; cursor?: string | undefined } };
    answer: { result: readonly ({ id: string; at: number; kind: "connection"; event: "online" | "offline" | "boot" | "cloned"; reason: string } | { id: string; at: number; kind: "rollout"; file: "firmware" | "config" | "settings"; label: string; state: string; reason: string; group: string | null } | { id: string; at: number; kind: "action"; email: string; role: string; subject: string; sentence: { key: string; params: readonly (string | number | { terms: readonly (string)[] } | { key: string; params: readonly (string | number | { terms: readonly (string)[] })[] })[] } | null; outcome: string; seq: number } | { id: string; at: number; kind: "alarm"; event: string; state: string; reason: string } | { id: string; at: number; kind: "sim"; label: string; state: "downloaded" | "in-use" | "failed" | "deleted"; reason: string } | { id: string; at: number; kind: "geofence"; event: "entered" | "left"; label: string } | { id: string; at: number; kind: "remote"; type: "ssh" | "gui"; state: "opened" | "viewed" | "ended"; reason: string; by: string; client?: string | undefined } | { id: string; at: number; kind: "alert"; alert: string; label: string; state: "firing" | "acknowledged" | "resolved"; reason: string; by: string; severity: "critical" | "warning" | "info"; place: { latitude: number; longitude: number } | null })[]; next: string | null };
  };
  /** Add a profile to a router: it downloads it as soon as it can, and never uses it before a user requests it. The preloaded one needs its ICCID. `POST /data_manager/v1/dm/profile/` */
  "esims.add": {
    kind: "json";
    input: { query?: { dryRun?: string | undefined; confirmed?: string | undefined } | undefined; body: { realm?: string | undefined; org?: string | undefined; serial: string; eid: string; ac: string; confirmationCode?: string | undefined; iccid?: string | undefined; iccidConfirmed?: string | undefined; apn: string; apn2?: string | undefined; name?: string | undefined; priority?: number | undefined } };
    answer: { status: "Created" | "Checked"; result: { pk: string; profile: string; device: string; serial: string; eid: string; ac: string; act: boolean; iccid: string; apn: string; apn2: string; name: string; carrier: string; status: "Assigning..." | "Downloading..." | "Activated" | "In Use" | "Deleting..." | "Fail to download" | "Fail to activate" | "Out of memory" | "Not Purchased"; statusIcon: "online" | "expire" | "doing"; priority: number; reason: string; requested: boolean; window: { hours?: readonly ({ days: readonly (number)[]; from: string; until: string })[] | undefined; zone: string; local?: boolean | undefined; ignitionOffMinutes?: number | undefined; stillMinutes?: number | undefined; geofences?: readonly (string)[] | undefined; minVoltage?: number | undefined; minSignal?: number | undefined; uplinks?: readonly ("cellular" | "ethernet" | "wifi" | "satellite")[] | undefined } | null; etag: string; created: string; updated: string }; impact: { carrier: number; unreachable: number; accessPoint: number; vehicles: readonly ({ device: string; serial: string; vehicle: string; kind: "carrier" | "unreachable" | "access-point"; from: string; to: string })[]; confirmation: string } };
  };
  /** Delete a profile from its router: 'Deleting...' until the router confirms it. Never the preloaded one. `DELETE /data_manager/v1/dm/profile/{profile}` */
  "esims.delete": {
    kind: "json";
    input: { params: { profile: string }; query?: { realm?: string | undefined; org?: string | undefined; dryRun?: string | undefined; confirmed?: string | undefined } | undefined };
    answer: { result: { pk: string; profile: string; device: string; serial: string; eid: string; ac: string; act: boolean; iccid: string; apn: string; apn2: string; name: string; carrier: string; status: "Assigning..." | "Downloading..." | "Activated" | "In Use" | "Deleting..." | "Fail to download" | "Fail to activate" | "Out of memory" | "Not Purchased"; statusIcon: "online" | "expire" | "doing"; priority: number; reason: string; requested: boolean; window: { hours?: readonly ({ days: readonly (number)[]; from: string; until: string })[] | undefined; zone: string; local?: boolean | undefined; ignitionOffMinutes?: number | undefined; stillMinutes?: number | undefined; geofences?: readonly (string)[] | undefined; minVoltage?: number | undefined; minSignal?: number | undefined; uplinks?: readonly ("cellular" | "ethernet" | "wifi" | "satellite")[] | undefined } | null; etag: string; created: string; updated: string }; impact: { carrier: number; unreachable: number; accessPoint: number; vehicles: readonly ({ device: string; serial: string; vehicle: string; kind: "carrier" | "unreachable" | "access-point"; from: string; to: string })[]; confirmation: string } };
  };
  /** The same list as CSV or Excel workbook (eSIMs_export), or with `layout` example the template of an import (eSIMs_export_example). `GET /data_manager/v1/dm/profiles/export` */
  "esims.export": {
    kind: "file";
    input: { query?: { realm?: string | undefined; org?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; sort?: "serial" | "-serial" | "name" | "-name" | "carrier" | "-carrier" | "iccid" | "-iccid" | "apn" | "-apn" | "status" | "-status" | "updated" | "-updated" | undefined; search?: string | undefined; field?: "serial" | "name" | "carrier" | "iccid" | "apn" | undefined; ignoreCase?: "true" | undefined; serial?: string | undefined; eid?: string | undefined; status?: "in-use" | "activated" | "downloading" | "assigning" | "fail-to-download" | "out-of-memory" | undefined; around?: string | undefined; layout?: "profiles" | "example" | undefined; format?: "csv" | "xlsx" | undefined; columns?: string | undefined; only?: string | undefined; language?: "en-US" | "zh-TW" | undefined } | undefined };
    answer: string;
  };
  /** One eSIM profile; answers an ETag. `GET /data_manager/v1/dm/profile/{profile}` */
  "esims.get": {
    kind: "json";
    input: { params: { profile: string }; query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: { pk: string; profile: string; device: string; serial: string; eid: string; ac: string; act: boolean; iccid: string; apn: string; apn2: string; name: string; carrier: string; status: "Assigning..." | "Downloading..." | "Activated" | "In Use" | "Deleting..." | "Fail to download" | "Fail to activate" | "Out of memory" | "Not Purchased"; statusIcon: "online" | "expire" | "doing"; priority: number; reason: string; requested: boolean; window: { hours?: readonly ({ days: readonly (number)[]; from: string; until: string })[] | undefined; zone: string; local?: boolean | undefined; ignitionOffMinutes?: number | undefined; stillMinutes?: number | undefined; geofences?: readonly (string)[] | undefined; minVoltage?: number | undefined; minSignal?: number | undefined; uplinks?: readonly ("cellular" | "ethernet" | "wifi" | "satellite")[] | undefined } | null; etag: string; created: string; updated: string } };
  };
  /** Add profiles from a CSV or an Excel workbook in the field `profile`: good rows are added, bad rows listed. `POST /data_manager/v1/dm/profile/batch` */
  "esims.import": {
    kind: "json";
    input: { query?: { dryRun?: string | undefined; confirmed?: string | undefined; encoding?: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | "windows-1250" | "macintosh" | "big5" | undefined; iccidsConfirmed?: string | undefined } | undefined; body?: { realm?: string | undefined; org?: string | undefined } | undefined; file: Blob; fileName?: string | undefined };
    answer: { result: { dryRun: boolean; success: number; total: number; fail: readonly ({ row: number; serial: string; eid: string; ac: string; iccid: string; apn1: string; apn2: string; name: string; error: string })[]; failed: number; ids: readonly (string)[]; changes: { fields: readonly ({ field: "serial" | "mac" | "model" | "endpoint" | "group" | "vehicle" | "note" | "tags" | "started" | "expired" | "name" | "eid" | "iccid" | "apn1" | "apn2"; rows: number })[]; rows: readonly ({ row: number; serial: string; changes: readonly ({ field: "serial" | "mac" | "model" | "endpoint" | "group" | "vehicle" | "note" | "tags" | "started" | "expired" | "name" | "eid" | "iccid" | "apn1" | "apn2"; before: string; after: string })[] })[]; newTags: readonly (string)[] }; doubts: readonly ({ doubt: "check-digit" | "digit-too-many"; typed: string; meant: string; row: number; serial: string })[]; doubted: number; file: { encoding?: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | "windows-1250" | "macintosh" | "big5" | undefined; encodingAssumed?: boolean | undefined; sheet?: string | undefined; ignored: readonly (string)[] }; report: string; reported: number; impact: { carrier: number; unreachable: number; accessPoint: number; vehicles: readonly ({ device: string; serial: string; vehicle: string; kind: "carrier" | "unreachable" | "access-point"; from: string; to: string })[]; confirmation: string } } };
  };
  /** eSIM profiles of an organization, or with `serial` and `eid` those of one router. `GET /data_manager/v1/dm/profiles` */
  "esims.list": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; sort?: "serial" | "-serial" | "name" | "-name" | "carrier" | "-carrier" | "iccid" | "-iccid" | "apn" | "-apn" | "status" | "-status" | "updated" | "-updated" | undefined; search?: string | undefined; field?: "serial" | "name" | "carrier" | "iccid" | "apn" | undefined; ignoreCase?: "true" | undefined; serial?: string | undefined; eid?: string | undefined; status?: "in-use" | "activated" | "downloading" | "assigning" | "fail-to-download" | "out-of-memory" | undefined; around?: string | undefined } | undefined };
    answer: { result: readonly ({ pk: string; profile: string; device: string; serial: string; eid: string; ac: string; act: boolean; iccid: string; apn: string; apn2: string; name: string; carrier: string; status: "Assigning..." | "Downloading..." | "Activated" | "In Use" | "Deleting..." | "Fail to download" | "Fail to activate" | "Out of memory" | "Not Purchased"; statusIcon: "online" | "expire" | "doing"; priority: number; reason: string; requested: boolean; window: { hours?: readonly ({ days: readonly (number)[]; from: string; until: string })[] | undefined; zone: string; local?: boolean | undefined; ignitionOffMinutes?: number | undefined; stillMinutes?: number | undefined; geofences?: readonly (string)[] | undefined; minVoltage?: number | undefined; minSignal?: number | undefined; uplinks?: readonly ("cellular" | "ethernet" | "wifi" | "satellite")[] | undefined } | null; etag: string; created: string; updated: string; vehicle?: string | undefined; signal?: number | null | undefined })[]; total?: number | undefined; offset?: number | undefined; next?: string | null | undefined; previous?: string | null | undefined; router?: { vehicle: string; hasEuicc: boolean | null } | undefined };
  };
  /** Reorder the profiles of one router, all at once. If another profile becomes the first one, the router switches to it, and returns if it cannot connect with it. `POST /data_manager/v1/dm/profile/order` */
  "esims.order": {
    kind: "json";
    input: { query?: { dryRun?: string | undefined; confirmed?: string | undefined } | undefined; body: { realm?: string | undefined; org?: string | undefined; order: readonly ({ profile: string; priority: number })[] } };
    answer: { result: readonly ({ pk: string; profile: string; device: string; serial: string; eid: string; ac: string; act: boolean; iccid: string; apn: string; apn2: string; name: string; carrier: string; status: "Assigning..." | "Downloading..." | "Activated" | "In Use" | "Deleting..." | "Fail to download" | "Fail to activate" | "Out of memory" | "Not Purchased"; statusIcon: "online" | "expire" | "doing"; priority: number; reason: string; requested: boolean; window: { hours?: readonly ({ days: readonly (number)[]; from: string; until: string })[] | undefined; zone: string; local?: boolean | undefined; ignitionOffMinutes?: number | undefined; stillMinutes?: number | undefined; geofences?: readonly (string)[] | undefined; minVoltage?: number | undefined; minSignal?: number | undefined; uplinks?: readonly ("cellular" | "ethernet" | "wifi" | "satellite")[] | undefined } | null; etag: string; created: string; updated: string })[]; impact: { carrier: number; unreachable: number; accessPoint: number; vehicles: readonly ({ device: string; serial: string; vehicle: string; kind: "carrier" | "unreachable" | "access-point"; from: string; to: string })[]; confirmation: string } };
  };
  /** Retry a failed download on the router: 'Assigning...' at once. To retry a failed activation call `use`. `POST /data_manager/v1/dm/profile/resume` */
  "esims.resume": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; profile: string } };
    answer: { result: { pk: string; profile: string; device: string; serial: string; eid: string; ac: string; act: boolean; iccid: string; apn: string; apn2: string; name: string; carrier: string; status: "Assigning..." | "Downloading..." | "Activated" | "In Use" | "Deleting..." | "Fail to download" | "Fail to activate" | "Out of memory" | "Not Purchased"; statusIcon: "online" | "expire" | "doing"; priority: number; reason: string; requested: boolean; window: { hours?: readonly ({ days: readonly (number)[]; from: string; until: string })[] | undefined; zone: string; local?: boolean | undefined; ignitionOffMinutes?: number | undefined; stillMinutes?: number | undefined; geofences?: readonly (string)[] | undefined; minVoltage?: number | undefined; minSignal?: number | undefined; uplinks?: readonly ("cellular" | "ethernet" | "wifi" | "satellite")[] | undefined } | null; etag: string; created: string; updated: string } };
  };
  /** Change a profile: name, access points, priority; the ICCID only of a failed preloaded one. A priority that makes another profile the first one switches the router. If-Match is honoured. `PATCH /data_manager/v1/dm/profile/{profile}` */
  "esims.save": {
    kind: "json";
    input: { params: { profile: string }; query?: { dryRun?: string | undefined; confirmed?: string | undefined } | undefined; body?: { realm?: string | undefined; org?: string | undefined; name?: string | undefined; apn1?: string | undefined; apn2?: string | undefined; priority?: number | undefined; ac?: string | undefined; confirmationCode?: string | undefined; iccid?: string | undefined; iccidConfirmed?: string | undefined } | undefined };
    answer: { result: { pk: string; profile: string; device: string; serial: string; eid: string; ac: string; act: boolean; iccid: string; apn: string; apn2: string; name: string; carrier: string; status: "Assigning..." | "Downloading..." | "Activated" | "In Use" | "Deleting..." | "Fail to download" | "Fail to activate" | "Out of memory" | "Not Purchased"; statusIcon: "online" | "expire" | "doing"; priority: number; reason: string; requested: boolean; window: { hours?: readonly ({ days: readonly (number)[]; from: string; until: string })[] | undefined; zone: string; local?: boolean | undefined; ignitionOffMinutes?: number | undefined; stillMinutes?: number | undefined; geofences?: readonly (string)[] | undefined; minVoltage?: number | undefined; minSignal?: number | undefined; uplinks?: readonly ("cellular" | "ethernet" | "wifi" | "satellite")[] | undefined } | null; etag: string; created: string; updated: string }; impact: { carrier: number; unreachable: number; accessPoint: number; vehicles: readonly ({ device: string; serial: string; vehicle: string; kind: "carrier" | "unreachable" | "access-point"; from: string; to: string })[]; confirmation: string } };
  };
  /** Switch a router to one of its profiles, now or when its `window` opens; null withdraws a switch that waits. It must connect with it within some minutes, or it returns to the previous one. `POST /data_manager/v1/dm/profile/use` */
  "esims.use": {
    kind: "json";
    input: { query?: { dryRun?: string | undefined; confirmed?: string | undefined } | undefined; body: { realm?: string | undefined; org?: string | undefined; profile: string; window?: { hours?: readonly ({ days: readonly (number)[]; from: string; until: string })[] | undefined; zone: string; local?: boolean | undefined; ignitionOffMinutes?: number | undefined; stillMinutes?: number | undefined; geofences?: readonly (string)[] | undefined; minVoltage?: number | undefined; minSignal?: number | undefined; uplinks?: readonly ("cellular" | "ethernet" | "wifi" | "satellite")[] | undefined } | null | undefined } };
    answer: { result: { pk: string; profile: string; device: string; serial: string; eid: string; ac: string; act: boolean; iccid: string; apn: string; apn2: string; name: string; carrier: string; status: "Assigning..." | "Downloading..." | "Activated" | "In Use" | "Deleting..." | "Fail to download" | "Fail to activate" | "Out of memory" | "Not Purchased"; statusIcon: "online" | "expire" | "doing"; priority: number; reason: string; requested: boolean; window: { hours?: readonly ({ days: readonly (number)[]; from: string; until: string })[] | undefined; zone: string; local?: boolean | undefined; ignitionOffMinutes?: number | undefined; stillMinutes?: number | undefined; geofences?: readonly (string)[] | undefined; minVoltage?: number | undefined; minSignal?: number | undefined; uplinks?: readonly ("cellular" | "ethernet" | "wifi" | "satellite")[] | undefined } | null; etag: string; created: string; updated: string }; impact: { carrier: number; unreachable: number; accessPoint: number; vehicles: readonly ({ device: string; serial: string; vehicle: string; kind: "carrier" | "unreachable" | "access-point"; from: string; to: string })[]; confirmation: string } };
  };
  /** Delete an image from the catalogue; rejected while a group has it bound, naming the groups. `DELETE /data_manager/v1/dm/firmware/{firmware}` */
  "firmware.delete": {
    kind: "json";
    input: { params: { firmware: string }; query?: { realm?: string | undefined } | undefined };
    answer: { result: { deleted: number } };
  };
  /** Firmware of the main account's catalogue, newest first. `GET /data_manager/v1/dm/firmware` */
  "firmware.list": {
    kind: "json";
    input: { query?: { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; sort?: "version" | "-version" | "profile" | "-profile" | "size" | "-size" | "updated" | "-updated" | "created" | "-created" | undefined; search?: string | undefined; field?: "note" | "version" | "profile" | undefined; ignoreCase?: "true" | undefined; realm?: string | undefined; org?: string | undefined; profile?: string | undefined } | undefined };
    answer: { result: readonly ({ pk: string; version: string; note: string; size: number; profile: string; created: string; updated: string; file: string; sha256: string; signedBy: string | null; groups: number; otaSchedule: "immediate" | "bootup" | null; postpone: number | null; group: string })[]; total?: number | undefined; offset?: number | undefined; next?: string | null | undefined; previous?: string | null | undefined };
  };
  /** Add an image to the catalogue. Its signed trailer must be from a trusted key, with the given model and version. `POST /data_manager/v1/dm/firmware` */
  "firmware.upload": {
    kind: "json";
    input: { body: { realm?: string | undefined; version: string; profile: string; note?: string | undefined; unsigned?: "true" | "false" | undefined }; file: Blob; fileName?: string | undefined };
    answer: { result: { pk: string; version: string; note: string; size: number; profile: string; created: string; updated: string; file: string; sha256: string; signedBy: string | null; groups: number; otaSchedule: "immediate" | "bootup" | null; postpone: number | null; group: string } };
  };
  /** Add a geofence: a circle or a polygon. Vehicles that are inside already do not enter it. `POST /data_manager/v1/dm/geofences` */
  "geofences.add": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; name: string; shape: { kind: "circle"; latitude: number; longitude: number; radius: number } | { kind: "polygon"; rings: readonly (readonly ([number, number])[])[] } } };
    answer: { result: { id: string; name: string; shape: { kind: "circle"; latitude: number; longitude: number; radius: number } | { kind: "polygon"; rings: readonly (readonly ([number, number])[])[] }; inside: number; version: number } };
  };
  /** Delete a geofence; what happened at it stays on the timelines. `DELETE /data_manager/v1/dm/geofences/{geofence}` */
  "geofences.delete": {
    kind: "json";
    input: { params: { geofence: string }; query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: { deleted: number } };
  };
  /** Add geofences from GeoJSON (RFC 7946): Polygons, MultiPolygons, and Points with `radius` in metres among their properties; all of these or none. What is no area is left out. `POST /data_manager/v1/dm/geofences/import` */
  "geofences.import": {
    kind: "json";
    input: { query?: { dryRun?: string | undefined } | undefined; body: { realm?: string | undefined; org?: string | undefined; geojson: string } };
    answer: { result: { dryRun: boolean; added: number; leftOutCount: number; leftOut: readonly ({ feature: number; reason: "empty" | "geometry" | "no_radius" })[] } };
  };
  /** The geofences of an organization by name, at most 500, with the number of vehicles inside. `GET /data_manager/v1/dm/geofences` */
  "geofences.list": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: readonly ({ id: string; name: string; shape: { kind: "circle"; latitude: number; longitude: number; radius: number } | { kind: "polygon"; rings: readonly (readonly ([number, number])[])[] }; inside: number; version: number })[] };
  };
  /** Change the name or the area of a geofence. With another area, vehicles that are inside it now do not enter it. `PATCH /data_manager/v1/dm/geofences/{geofence}` */
  "geofences.save": {
    kind: "json";
    input: { params: { geofence: string }; body?: { realm?: string | undefined; org?: string | undefined; name?: string | undefined; shape?: { kind: "circle"; latitude: number; longitude: number; radius: number } | { kind: "polygon"; rings: readonly (readonly ([number, number])[])[] } | undefined } | undefined };
    answer: { result: { id: string; name: string; shape: { kind: "circle"; latitude: number; longitude: number; radius: number } | { kind: "polygon"; rings: readonly (readonly ([number, number])[])[] }; inside: number; version: number } };
  };
  /** Give a user Full Control of a group, or set Only Read. `PATCH /data_manager/v1/dm/group/{group}/accounts` */
  "groups.changeControl": {
    kind: "json";
    input: { params: { group: string }; body: { realm?: string | undefined; org?: string | undefined; account: string; control: "full" | "read" } };
    answer: { result: { control: "full" | "read" } };
  };
  /** Users of the organization by e-mail, with their right to the group. `GET /data_manager/v1/dm/group/{group}/accounts` */
  "groups.controls": {
    kind: "json";
    input: { params: { group: string }; query?: { realm?: string | undefined; org?: string | undefined; limit?: number | undefined; cursor?: string | undefined } | undefined };
    answer: { result: readonly ({ id: string; email: string; name: string; control: "full" | "read" })[]; next: string | null };
  };
  /** Create a group, move the given devices of the default group into it and bind files to it, all or nothing. `POST /data_manager/v1/dm/group` */
  "groups.create": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; name: string; description?: string | undefined; tags?: readonly (string)[] | undefined; reportSeconds?: number | null | undefined; devices?: readonly (string)[] | undefined; firmware?: string | undefined; config?: string | undefined; configVersion?: number | undefined; schedule?: "immediate" | "bootup" | undefined; postpone?: number | string | undefined; failureThreshold?: number | undefined; canaries?: number | undefined; first?: { devices: readonly (string)[] } | { tag: string } | undefined; waves?: { rule: "success" | "hours" | "person"; hours?: number | undefined; shares?: readonly (number)[] | undefined } | null | undefined; window?: { hours?: readonly ({ days: readonly (number)[]; from: string; until: string })[] | undefined; zone: string; local?: boolean | undefined; ignitionOffMinutes?: number | undefined; stillMinutes?: number | undefined; geofences?: readonly (string)[] | undefined; minVoltage?: number | undefined; minSignal?: number | undefined; uplinks?: readonly ("cellular" | "ethernet" | "wifi" | "satellite")[] | undefined } | null | undefined; mode?: "all" | undefined; confirmed?: { firmware?: string | undefined; config?: string | undefined } | undefined } };
    answer: { result: { id: string; group: string; groupName: string; group_name: string; description: string; tags: readonly (string)[]; reportSeconds: number | null; created: string; deviceCount: number; devices?: readonly (string)[] | undefined; schedule: "immediate" | "bootup"; postpone: number | null; firmware: string; config: string; bind: { firmware: readonly ({ profile: string; otaSchedule: "immediate" | "bootup"; postpone: number | null; name: string; version: number | null; state: "running" | "paused" | "cancelled" })[]; config: readonly ({ profile: string; otaSchedule: "immediate" | "bootup"; postpone: number | null; name: string; version: number | null; state: "running" | "paused" | "cancelled" })[]; status: readonly ({ group: string; file: string; success: number; fail: number; kind: "firmware" | "config"; failed: number; rolledBack: number; unsupported: number; busy: number })[] }; successful: number; number?: number | undefined; org: string } };
  };
  /** Delete groups; their devices return to the default group, their rollouts end. `confirmed` is the confirmation of their `moveImpact` that the user has seen. `DELETE /data_manager/v1/dm/group` */
  "groups.delete": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; groups: readonly (string)[]; confirmed?: string | undefined } };
    answer: { result: { deleted: number } };
  };
  /** The same list as CSV or Excel workbook (Groups_export), filtered and sorted alike. `GET /data_manager/v1/dm/group/export` */
  "groups.export": {
    kind: "file";
    input: { query?: { realm?: string | undefined; org?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; sort?: "name" | "-name" | "description" | "-description" | "created" | "-created" | "devices" | "-devices" | "firmware" | "-firmware" | "config" | "-config" | "schedule" | "-schedule" | "postpone" | "-postpone" | undefined; search?: string | undefined; field?: "group" | "firmware" | "config" | "description" | undefined; ignoreCase?: "true" | undefined; schedule?: "immediate" | "bootup" | undefined; rollout?: "failed" | "paused" | undefined; from?: string | undefined; until?: string | undefined; zone?: string | undefined; around?: string | undefined; devices?: "true" | "false" | undefined; language?: "en-US" | "zh-TW" | undefined; format?: "csv" | "xlsx" | undefined; columns?: string | undefined; only?: string | undefined } | undefined };
    answer: string;
  };
  /** One group with its bindings and number; answers an ETag. `GET /data_manager/v1/dm/group/{group}` */
  "groups.get": {
    kind: "json";
    input: { params: { group: string }; query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: { id: string; group: string; groupName: string; group_name: string; description: string; tags: readonly (string)[]; reportSeconds: number | null; created: string; deviceCount: number; devices?: readonly (string)[] | undefined; schedule: "immediate" | "bootup"; postpone: number | null; firmware: string; config: string; bind: { firmware: readonly ({ profile: string; otaSchedule: "immediate" | "bootup"; postpone: number | null; name: string; version: number | null; state: "running" | "paused" | "cancelled" })[]; config: readonly ({ profile: string; otaSchedule: "immediate" | "bootup"; postpone: number | null; name: string; version: number | null; state: "running" | "paused" | "cancelled" })[]; status: readonly ({ group: string; file: string; success: number; fail: number; kind: "firmware" | "config"; failed: number; rolledBack: number; unsupported: number; busy: number })[] }; successful: number; number: number; org: string; models: readonly (string)[]; control: "full" | "read"; fullControl: readonly (string)[] } };
  };
  /** Groups of an organization, the default group first. `GET /data_manager/v1/dm/group` */
  "groups.list": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; sort?: "name" | "-name" | "description" | "-description" | "created" | "-created" | "devices" | "-devices" | "firmware" | "-firmware" | "config" | "-config" | "schedule" | "-schedule" | "postpone" | "-postpone" | undefined; search?: string | undefined; field?: "group" | "firmware" | "config" | "description" | undefined; ignoreCase?: "true" | undefined; schedule?: "immediate" | "bootup" | undefined; rollout?: "failed" | "paused" | undefined; from?: string | undefined; until?: string | undefined; zone?: string | undefined; around?: string | undefined; devices?: "true" | "false" | undefined } | undefined };
    answer: { result: readonly ({ id: string; group: string; groupName: string; group_name: string; description: string; tags: readonly (string)[]; reportSeconds: number | null; created: string; deviceCount: number; devices?: readonly (string)[] | undefined; schedule: "immediate" | "bootup"; postpone: number | null; firmware: string; config: string; bind: { firmware: readonly ({ profile: string; otaSchedule: "immediate" | "bootup"; postpone: number | null; name: string; version: number | null; state: "running" | "paused" | "cancelled" })[]; config: readonly ({ profile: string; otaSchedule: "immediate" | "bootup"; postpone: number | null; name: string; version: number | null; state: "running" | "paused" | "cancelled" })[]; status: readonly ({ group: string; file: string; success: number; fail: number; kind: "firmware" | "config"; failed: number; rolledBack: number; unsupported: number; busy: number })[] }; successful: number; number?: number | undefined; org: string })[]; total?: number | undefined; offset?: number | undefined; next?: string | null | undefined; previous?: string | null | undefined };
  };
  /** The devices of a group, paged and searched, for the move dialog. `GET /data_manager/v1/dm/group/{group}/devices` */
  "groups.members": {
    kind: "json";
    input: { params: { group: string }; query?: { realm?: string | undefined; org?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; sort?: "serial" | "-serial" | "vehicle" | "-vehicle" | undefined; search?: string | undefined; field?: "serial" | "vehicle" | undefined; ignoreCase?: "true" | undefined } | undefined };
    answer: { result: readonly ({ device: string; serial_number: string; vehicle_number: string; model: string | null; presence: "online" | "offline" | "unknown"; presence_since: number | null; offline_expected: "parked" | "planned" | null; subscription_status: string; movable: boolean })[]; total?: number | undefined; offset?: number | undefined; next?: string | null | undefined; previous?: string | null | undefined };
  };
  /** Change name, description, tags, report interval and members of a group; users need Full Control of it. If-Match is honoured. `PATCH /data_manager/v1/dm/group/{group}` */
  "groups.save": {
    kind: "json";
    input: { params: { group: string }; body?: { realm?: string | undefined; org?: string | undefined; group?: string | undefined; name?: string | undefined; description?: string | undefined; tags?: readonly (string)[] | undefined; reportSeconds?: number | null | undefined; is_postpone?: boolean | undefined; devices?: readonly (string)[] | undefined; add?: readonly (string)[] | undefined; remove?: readonly (string)[] | undefined } | undefined };
    answer: { result: { id: string; group: string; groupName: string; group_name: string; description: string; tags: readonly (string)[]; reportSeconds: number | null; created: string; deviceCount: number; devices?: readonly (string)[] | undefined; schedule: "immediate" | "bootup"; postpone: number | null; firmware: string; config: string; bind: { firmware: readonly ({ profile: string; otaSchedule: "immediate" | "bootup"; postpone: number | null; name: string; version: number | null; state: "running" | "paused" | "cancelled" })[]; config: readonly ({ profile: string; otaSchedule: "immediate" | "bootup"; postpone: number | null; name: string; version: number | null; state: "running" | "paused" | "cancelled" })[]; status: readonly ({ group: string; file: string; success: number; fail: number; kind: "firmware" | "config"; failed: number; rolledBack: number; unsupported: number; busy: number })[] }; successful: number; number?: number | undefined; org: string } };
  };
  /** Change a group, its members and its bindings, all or nothing; only admins may bind. If-Match is honoured; sent again after a lost answer, it succeeds without a second rollout. `PUT /data_manager/v1/dm/group/{group}` */
  "groups.saveWhole": {
    kind: "json";
    input: { params: { group: string }; body?: { realm?: string | undefined; org?: string | undefined; group?: string | undefined; name?: string | undefined; description?: string | undefined; tags?: readonly (string)[] | undefined; reportSeconds?: number | null | undefined; is_postpone?: boolean | undefined; devices?: readonly (string)[] | undefined; add?: readonly (string)[] | undefined; remove?: readonly (string)[] | undefined; firmware?: string | undefined; config?: string | undefined; configVersion?: number | undefined; schedule?: "immediate" | "bootup" | undefined; postpone?: number | string | undefined; failureThreshold?: number | undefined; canaries?: number | undefined; first?: { devices: readonly (string)[] } | { tag: string } | undefined; waves?: { rule: "success" | "hours" | "person"; hours?: number | undefined; shares?: readonly (number)[] | undefined } | null | undefined; window?: { hours?: readonly ({ days: readonly (number)[]; from: string; until: string })[] | undefined; zone: string; local?: boolean | undefined; ignitionOffMinutes?: number | undefined; stillMinutes?: number | undefined; geofences?: readonly (string)[] | undefined; minVoltage?: number | undefined; minSignal?: number | undefined; uplinks?: readonly ("cellular" | "ethernet" | "wifi" | "satellite")[] | undefined } | null | undefined; mode?: "all" | undefined; confirmed?: { firmware?: string | undefined; config?: string | undefined; joining?: string | undefined; leaving?: string | undefined } | undefined } | undefined };
    answer: { result: { id: string; group: string; groupName: string; group_name: string; description: string; tags: readonly (string)[]; reportSeconds: number | null; created: string; deviceCount: number; devices?: readonly (string)[] | undefined; schedule: "immediate" | "bootup"; postpone: number | null; firmware: string; config: string; bind: { firmware: readonly ({ profile: string; otaSchedule: "immediate" | "bootup"; postpone: number | null; name: string; version: number | null; state: "running" | "paused" | "cancelled" })[]; config: readonly ({ profile: string; otaSchedule: "immediate" | "bootup"; postpone: number | null; name: string; version: number | null; state: "running" | "paused" | "cancelled" })[]; status: readonly ({ group: string; file: string; success: number; fail: number; kind: "firmware" | "config"; failed: number; rolledBack: number; unsupported: number; busy: number })[] }; successful: number; number?: number | undefined; org: string } };
  };
  /** Assign a domain to an identity provider of an organization, or take it away, in place of a DNS record. `PUT /dmp_aa/api/v1/identityProviders/{provider}/domains/{domain}` */
  "identityProviders.assignDomain": {
    kind: "json";
    input: { params: { provider: string; domain: string }; body: { assigned: boolean } };
    answer: { result: { id: string; org: string | null; orgName: string; name: string; issuer: string; clientId: string; scopes: string; enabled: boolean; trustsEmail: boolean; rules: readonly ({ claim: string; value: string; role: "admin" | "user" | "none"; limit?: { groups: readonly (string)[]; tags: readonly (string)[] } | undefined })[]; defaultRole: "admin" | "user" | "none"; required: boolean; breakGlass: readonly (string)[]; domains: readonly ({ domain: string; confirmed: "dns" | "assigned" | null; text: string })[]; people: number; created: string; by: string; version: string } };
  };
  /** Begin a sign-in by the identity provider of an e-mail address: answers the address to open in this browser. `POST /dmp_aa/api/v1/auth/provider` */
  "identityProviders.begin": {
    kind: "json";
    input: { body: { email: string; next?: string | undefined } };
    answer: { result: { url: string } };
  };
  /** Begin another sign-in by the identity provider of this session, which requests it even of who is signed in there: answers the address to open. For some minutes after it, acts that need the own password need none. `POST /dmp_aa/api/v1/auth/provider/confirmation` */
  "identityProviders.beginConfirmation": {
    kind: "json";
    input: { body?: { next?: string | undefined } | undefined };
    answer: { result: { url: string | null } };
  };
  /** Confirm a domain of an identity provider of the own company, by the DNS record that its `text` is in. `POST /dmp_aa/api/v1/identityProviders/{provider}/domains/{domain}/confirm` */
  "identityProviders.confirmDomain": {
    kind: "json";
    input: { params: { provider: string; domain: string } };
    answer: { result: { id: string; org: string | null; orgName: string; name: string; issuer: string; clientId: string; scopes: string; enabled: boolean; trustsEmail: boolean; rules: readonly ({ claim: string; value: string; role: "admin" | "user" | "none"; limit?: { groups: readonly (string)[]; tags: readonly (string)[] } | undefined })[]; defaultRole: "admin" | "user" | "none"; required: boolean; breakGlass: readonly (string)[]; domains: readonly ({ domain: string; confirmed: "dns" | "assigned" | null; text: string })[]; people: number; created: string; by: string; version: string } };
  };
  /** Whether the person can sign in again by the identity provider in place of the own password, and has just done so. `GET /dmp_aa/api/v1/auth/provider/confirmation` */
  "identityProviders.confirmation": {
    kind: "json";
    input: Record<string, never>;
    answer: { result: { possible: boolean; until: string | null } };
  };
  /** Add an identity provider of the own company: OpenID Connect with discovery, authorization code and PKCE. `POST /dmp_aa/api/v1/identityProviders` */
  "identityProviders.create": {
    kind: "json";
    input: { body: { name: string; issuer: string; clientId: string; clientSecret?: string | undefined; scopes?: string | undefined; enabled?: boolean | undefined; trustsEmail?: boolean | undefined; rules?: readonly ({ claim: string; value: string; role: "admin" | "user" | "none"; limit?: { groups: readonly (string)[]; tags: readonly (string)[] } | undefined })[] | undefined; defaultRole?: "admin" | "user" | "none" | undefined; required?: boolean | undefined; breakGlass?: readonly (string)[] | undefined; domains?: readonly (string)[] | undefined } };
    answer: { result: { id: string; org: string | null; orgName: string; name: string; issuer: string; clientId: string; scopes: string; enabled: boolean; trustsEmail: boolean; rules: readonly ({ claim: string; value: string; role: "admin" | "user" | "none"; limit?: { groups: readonly (string)[]; tags: readonly (string)[] } | undefined })[]; defaultRole: "admin" | "user" | "none"; required: boolean; breakGlass: readonly (string)[]; domains: readonly ({ domain: string; confirmed: "dns" | "assigned" | null; text: string })[]; people: number; created: string; by: string; version: string } };
  };
  /** Delete an identity provider of the own company, and end the sessions by it. `DELETE /dmp_aa/api/v1/identityProviders/{provider}` */
  "identityProviders.delete": {
    kind: "json";
    input: { params: { provider: string } };
    answer: { result: { deleted: number } };
  };
  /** Where an identity provider sends a browser back to: signs it in and opens the console. `GET /console/oidc/callback` */
  "identityProviders.finish": {
    kind: "json";
    input: { query?: { code?: string | undefined; state?: string | undefined; iss?: string | undefined; error?: string | undefined; error_description?: string | undefined } | undefined };
    answer: Record<string, unknown>;
  };
  /** Identity providers of the own company; for a main account also those of its organizations. `GET /dmp_aa/api/v1/identityProviders` */
  "identityProviders.list": {
    kind: "json";
    input: { query?: { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined } | undefined };
    answer: { result: readonly ({ id: string; org: string | null; orgName: string; name: string; issuer: string; clientId: string; scopes: string; enabled: boolean; trustsEmail: boolean; rules: readonly ({ claim: string; value: string; role: "admin" | "user" | "none"; limit?: { groups: readonly (string)[]; tags: readonly (string)[] } | undefined })[]; defaultRole: "admin" | "user" | "none"; required: boolean; breakGlass: readonly (string)[]; domains: readonly ({ domain: string; confirmed: "dns" | "assigned" | null; text: string })[]; people: number; created: string; by: string; version: string })[]; total?: number | undefined; offset?: number | undefined; next?: string | null | undefined; previous?: string | null | undefined };
  };
  /** Ends sessions in the name of an identity provider: OpenID Connect Back-Channel Logout 1.0. `POST /dmp_aa/api/v1/auth/provider/{provider}/logout` */
  "identityProviders.logout": {
    kind: "json";
    input: { params: { provider: string }; body: { logout_token: string } };
    answer: { result: { ended: number } };
  };
  /** Replace the fields of an identity provider of the own company. Once people must sign in by it, their sessions by password end. Accepts If-Match with its `version`. `PUT /dmp_aa/api/v1/identityProviders/{provider}` */
  "identityProviders.save": {
    kind: "json";
    input: { params: { provider: string }; body: { name: string; issuer: string; clientId: string; clientSecret?: string | undefined; scopes?: string | undefined; enabled?: boolean | undefined; trustsEmail?: boolean | undefined; rules?: readonly ({ claim: string; value: string; role: "admin" | "user" | "none"; limit?: { groups: readonly (string)[]; tags: readonly (string)[] } | undefined })[] | undefined; defaultRole?: "admin" | "user" | "none" | undefined; required?: boolean | undefined; breakGlass?: readonly (string)[] | undefined; domains?: readonly (string)[] | undefined } };
    answer: { result: { id: string; org: string | null; orgName: string; name: string; issuer: string; clientId: string; scopes: string; enabled: boolean; trustsEmail: boolean; rules: readonly ({ claim: string; value: string; role: "admin" | "user" | "none"; limit?: { groups: readonly (string)[]; tags: readonly (string)[] } | undefined })[]; defaultRole: "admin" | "user" | "none"; required: boolean; breakGlass: readonly (string)[]; domains: readonly ({ domain: string; confirmed: "dns" | "assigned" | null; text: string })[]; people: number; created: string; by: string; version: string } };
  };
  /** Test the connection to an identity provider without a sign-in, and say what is wrong. `POST /dmp_aa/api/v1/identityProviders/{provider}/test` */
  "identityProviders.test": {
    kind: "json";
    input: { params: { provider: string } };
    answer: { result: readonly ({ step: "discovery" | "issuer" | "endpoints" | "keys" | "clock" | "credentials" | "redirect" | "logout"; outcome: "ok" | "warning" | "failed"; reason: "ok" | "not_tried" | "unreachable" | "html" | "status" | "not_json" | "too_long" | "differs" | "missing" | "no_keys" | "clock_differs" | "client_rejected" | "rejected" | "unsupported"; detail: string })[] };
  };
  /** Add a router to the inventory; its secret is minted and shown once. `POST /data_manager/v1/dm/inventory` */
  "inventory.add": {
    kind: "json";
    input: { body: { serial_number: string; mac: string; model?: string | undefined; endpointId?: string | undefined } };
    answer: { result: { id: string; serial_number: string; mac: string; model: string; endpointId: string; org: { id: string; name: string } | null; device: string | null; presence: "online" | "offline" | "unknown"; last_seen: number | null; created: string; previousSecretUntil: number | null; awaitsSecretUse: boolean; rejection: { at: number; reason: "endpoint" | "controller" | "no-connect-record" | "silent" | "no-record" | "not-usp" | "subprotocol" | "secret-missing" | "certificate-missing" | "certificate-other" | "certificate-revoked" | "certificate-expired" | "certificate-endpoint" | "session-context" | "unreadable" | "identity-shared" | "serial-mismatch"; received: string | null; expected: string | null; address: string; isOther: boolean } | null; authentication: "secret" | "certificate" | "either" | "both"; certificateEnds: number | null; secret: string; url: string; controllerId: string } };
  };
  /** Remove routers from the inventory; if one belongs to an organization, the call is rejected and none is deleted. `DELETE /data_manager/v1/dm/inventory` */
  "inventory.delete": {
    kind: "json";
    input: { body: { routers: readonly (string)[] } };
    answer: { result: { deleted: number } };
  };
  /** End the old secret of a router after a rotation, because others know it; the connection is closed. `DELETE /data_manager/v1/dm/inventory/{router}/secret/previous` */
  "inventory.endPreviousSecret": {
    kind: "json";
    input: { params: { router: string } };
    answer: { result: { id: string; serial_number: string; mac: string; model: string; endpointId: string; org: { id: string; name: string } | null; device: string | null; presence: "online" | "offline" | "unknown"; last_seen: number | null; created: string; previousSecretUntil: number | null; awaitsSecretUse: boolean; rejection: { at: number; reason: "endpoint" | "controller" | "no-connect-record" | "silent" | "no-record" | "not-usp" | "subprotocol" | "secret-missing" | "certificate-missing" | "certificate-other" | "certificate-revoked" | "certificate-expired" | "certificate-endpoint" | "session-context" | "unreadable" | "identity-shared" | "serial-mismatch"; received: string | null; expected: string | null; address: string; isOther: boolean } | null; authentication: "secret" | "certificate" | "either" | "both"; certificateEnds: number | null } };
  };
  /** The inventory as CSV or Excel workbook, without secrets. `GET /data_manager/v1/dm/inventory/export` */
  "inventory.export": {
    kind: "file";
    input: { query?: { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; sort?: "serial" | "-serial" | "mac" | "-mac" | "model" | "-model" | "organization" | "-organization" | "presence" | "-presence" | "created" | "-created" | undefined; search?: string | undefined; field?: "serial" | "mac" | "model" | "endpoint" | "organization" | undefined; ignoreCase?: "true" | undefined; claimed?: "claimed" | "unclaimed" | undefined; around?: string | undefined; language?: "en-US" | "zh-TW" | undefined; zone?: string | undefined; format?: "csv" | "xlsx" | undefined; columns?: string | undefined; only?: string | undefined } | undefined };
    answer: string;
  };
  /** One router of the inventory, with the settings of its agent. `GET /data_manager/v1/dm/inventory/{router}` */
  "inventory.get": {
    kind: "json";
    input: { params: { router: string } };
    answer: { result: { id: string; serial_number: string; mac: string; model: string; endpointId: string; org: { id: string; name: string } | null; device: string | null; presence: "online" | "offline" | "unknown"; last_seen: number | null; created: string; previousSecretUntil: number | null; awaitsSecretUse: boolean; rejection: { at: number; reason: "endpoint" | "controller" | "no-connect-record" | "silent" | "no-record" | "not-usp" | "subprotocol" | "secret-missing" | "certificate-missing" | "certificate-other" | "certificate-revoked" | "certificate-expired" | "certificate-endpoint" | "session-context" | "unreadable" | "identity-shared" | "serial-mismatch"; received: string | null; expected: string | null; address: string; isOther: boolean } | null; authentication: "secret" | "certificate" | "either" | "both"; certificateEnds: number | null; agent: { url: string; endpointId: string; controllerId: string }; certificates: readonly ({ id: string; serial_number: string; subject: string; endpointId: string; state: "valid" | "retiring" | "replaced" | "expired" | "revoked"; created: number; expires: number; retires: number | null; revoked: number | null; last_used: number | null })[]; asksForCertificates: boolean } };
  };
  /** Add routers from a CSV or an Excel workbook (SN, MAC, optional Model and Endpoint ID). The minted secrets are returned once, as rows to save. `POST /data_manager/v1/dm/inventory/batch` */
  "inventory.import": {
    kind: "json";
    input: { query?: { dryRun?: string | undefined; encoding?: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | "windows-1250" | "macintosh" | "big5" | undefined } | undefined; body?: { realm?: string | undefined } | undefined; file: Blob; fileName?: string | undefined };
    answer: { result: { dryRun: boolean; success: number; total: number; fail: readonly ({ row: number; serial: string; mac: string; error: string })[]; failed: number; ids: readonly (string)[]; changes: { fields: readonly ({ field: "serial" | "mac" | "model" | "endpoint" | "group" | "vehicle" | "note" | "tags" | "started" | "expired" | "name" | "eid" | "iccid" | "apn1" | "apn2"; rows: number })[]; rows: readonly ({ row: number; serial: string; changes: readonly ({ field: "serial" | "mac" | "model" | "endpoint" | "group" | "vehicle" | "note" | "tags" | "started" | "expired" | "name" | "eid" | "iccid" | "apn1" | "apn2"; before: string; after: string })[] })[]; newTags: readonly (string)[] }; file: { encoding?: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | "windows-1250" | "macintosh" | "big5" | undefined; encodingAssumed?: boolean | undefined; sheet?: string | undefined; ignored: readonly (string)[] }; report: string; reported: number; minted: readonly ({ serial: string; mac: string; endpointId: string; secret: string })[] } };
  };
  /** Issue a client certificate for a router: with a new key, which is shown once, or for a request (PKCS #10). Older ones are valid for 7 days more. `POST /data_manager/v1/dm/inventory/{router}/certificates` */
  "inventory.issueCertificate": {
    kind: "json";
    input: { params: { router: string }; body?: { csr?: string | undefined; days?: number | undefined } | undefined };
    answer: { result: { id: string; serial_number: string; expires: number; certificate: string; key: string | null; authority: string } };
  };
  /** Every router the main account sells, claimed or in stock. `GET /data_manager/v1/dm/inventory` */
  "inventory.list": {
    kind: "json";
    input: { query?: { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; sort?: "serial" | "-serial" | "mac" | "-mac" | "model" | "-model" | "organization" | "-organization" | "presence" | "-presence" | "created" | "-created" | undefined; search?: string | undefined; field?: "serial" | "mac" | "model" | "endpoint" | "organization" | undefined; ignoreCase?: "true" | undefined; claimed?: "claimed" | "unclaimed" | undefined; around?: string | undefined } | undefined };
    answer: { result: readonly ({ id: string; serial_number: string; mac: string; model: string; endpointId: string; org: { id: string; name: string } | null; device: string | null; presence: "online" | "offline" | "unknown"; last_seen: number | null; created: string; previousSecretUntil: number | null; awaitsSecretUse: boolean; rejection: { at: number; reason: "endpoint" | "controller" | "no-connect-record" | "silent" | "no-record" | "not-usp" | "subprotocol" | "secret-missing" | "certificate-missing" | "certificate-other" | "certificate-revoked" | "certificate-expired" | "certificate-endpoint" | "session-context" | "unreadable" | "identity-shared" | "serial-mismatch"; received: string | null; expected: string | null; address: string; isOther: boolean } | null; authentication: "secret" | "certificate" | "either" | "both"; certificateEnds: number | null })[]; total?: number | undefined; offset?: number | undefined; next?: string | null | undefined; previous?: string | null | undefined };
  };
  /** How often routers of each model of the inventory report their readings; at most 200 models, by name. `GET /data_manager/v1/dm/inventory/model_settings` */
  "inventory.modelSettings": {
    kind: "json";
    input: Record<string, never>;
    answer: { result: { models: readonly ({ model: string; reportSeconds: number | null })[]; reportSeconds: number } };
  };
  /** Models of the routers in stock, at most 200, by name. `GET /data_manager/v1/dm/inventory/models` */
  "inventory.models": {
    kind: "json";
    input: { query?: { realm?: string | undefined } | undefined };
    answer: { result: readonly ({ model: string })[] };
  };
  /** Revoke a client certificate: it becomes invalid, and the connection of its router is closed at once. `DELETE /data_manager/v1/dm/inventory/{router}/certificates/{certificate}` */
  "inventory.revokeCertificate": {
    kind: "json";
    input: { params: { router: string; certificate: string } };
    answer: { result: { id: string; serial_number: string; subject: string; endpointId: string; state: "valid" | "retiring" | "replaced" | "expired" | "revoked"; created: number; expires: number; retires: number | null; revoked: number | null; last_used: number | null } };
  };
  /** Mint a new secret for a router; the old one is valid until 24 h after the first use of the new one. `POST /data_manager/v1/dm/inventory/{router}/secret` */
  "inventory.rotateSecret": {
    kind: "json";
    input: { params: { router: string } };
    answer: { result: { id: string; serial_number: string; mac: string; model: string; endpointId: string; org: { id: string; name: string } | null; device: string | null; presence: "online" | "offline" | "unknown"; last_seen: number | null; created: string; previousSecretUntil: number | null; awaitsSecretUse: boolean; rejection: { at: number; reason: "endpoint" | "controller" | "no-connect-record" | "silent" | "no-record" | "not-usp" | "subprotocol" | "secret-missing" | "certificate-missing" | "certificate-other" | "certificate-revoked" | "certificate-expired" | "certificate-endpoint" | "session-context" | "unreadable" | "identity-shared" | "serial-mismatch"; received: string | null; expected: string | null; address: string; isOther: boolean } | null; authentication: "secret" | "certificate" | "either" | "both"; certificateEnds: number | null; secret: string; url: string; controllerId: string } };
  };
  /** Set how often routers of some models report, all or none; connected routers follow within half a minute. `PUT /data_manager/v1/dm/inventory/model_settings` */
  "inventory.saveModelSettings": {
    kind: "json";
    input: { body: { models: readonly ({ model: string; reportSeconds: number | null })[] } };
    answer: { result: { models: readonly ({ model: string; reportSeconds: number | null })[]; reportSeconds: number } };
  };
  /** Change the endpoint id of a router, or how it proves its identity; its secret stays, and its connection is closed. `PATCH /data_manager/v1/dm/inventory/{router}` */
  "inventory.update": {
    kind: "json";
    input: { params: { router: string }; body?: { endpointId?: string | undefined; authentication?: "secret" | "certificate" | "either" | "both" | undefined } | undefined };
    answer: { result: { id: string; serial_number: string; mac: string; model: string; endpointId: string; org: { id: string; name: string } | null; device: string | null; presence: "online" | "offline" | "unknown"; last_seen: number | null; created: string; previousSecretUntil: number | null; awaitsSecretUse: boolean; rejection: { at: number; reason: "endpoint" | "controller" | "no-connect-record" | "silent" | "no-record" | "not-usp" | "subprotocol" | "secret-missing" | "certificate-missing" | "certificate-other" | "certificate-revoked" | "certificate-expired" | "certificate-endpoint" | "session-context" | "unreadable" | "identity-shared" | "serial-mismatch"; received: string | null; expected: string | null; address: string; isOther: boolean } | null; authentication: "secret" | "certificate" | "either" | "both"; certificateEnds: number | null } };
  };
  /** Stop a job before its next batch; what it has changed stays. `POST /data_manager/v1/dm/jobs/{job}/cancel` */
  "jobs.cancel": {
    kind: "json";
    input: { params: { job: string }; body?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: { id: string; org: string | null; kind: "move" | "subscription" | "tags" | "command" | "send" | "delete" | "remove"; list: "groups" | "configs" | "users" | "colleagues" | "inventory" | "organizations" | "notifications" | "firmware" | "apiKeys" | null; undo: boolean; state: "selecting" | "running" | "done" | "cancelled"; total: number; done: number; failed: number; skipped: number; name: string | null; send: "reboot" | "identify" | "report" | "roaming" | "name" | "zone" | "restart-modem" | "factory-reset" | "apply-settings" | "backup-config" | "set-password" | "restore-config" | null; started: string | null; expired: string | null; add: readonly (string)[]; remove: readonly (string)[]; by: string; created: string; ended: string | null; retriable: boolean; undoable: boolean } };
  };
  /** A job with its progress. `GET /data_manager/v1/dm/jobs/{job}` */
  "jobs.get": {
    kind: "json";
    input: { params: { job: string }; query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: { id: string; org: string | null; kind: "move" | "subscription" | "tags" | "command" | "send" | "delete" | "remove"; list: "groups" | "configs" | "users" | "colleagues" | "inventory" | "organizations" | "notifications" | "firmware" | "apiKeys" | null; undo: boolean; state: "selecting" | "running" | "done" | "cancelled"; total: number; done: number; failed: number; skipped: number; name: string | null; send: "reboot" | "identify" | "report" | "roaming" | "name" | "zone" | "restart-modem" | "factory-reset" | "apply-settings" | "backup-config" | "set-password" | "restore-config" | null; started: string | null; expired: string | null; add: readonly (string)[]; remove: readonly (string)[]; by: string; created: string; ended: string | null; retriable: boolean; undoable: boolean } };
  };
  /** The result of a job for each device. `GET /data_manager/v1/dm/jobs/{job}/devices` */
  "jobs.items": {
    kind: "json";
    input: { params: { job: string }; query?: { realm?: string | undefined; org?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; state?: "waiting" | "sending" | "done" | "failed" | "skipped" | undefined } | undefined };
    answer: { result: readonly ({ n: number; device: string; serial_number: string; vehicle_number: string; org: string; state: "waiting" | "sending" | "done" | "failed" | "skipped"; reason: "unchanged" | "gone" | "changed-since" | "group.not_found" | "tags.too_many" | "command.too_many_open" | "command.not_found" | "command.offline" | "command.no_answer" | "command.rejected" | "command.unsupported" | "permission.denied" | "session.invalid" | "interrupted" | "account.is_self" | "account.last_admin" | "account.last_colleague" | "account.last_break_glass" | "account.last_excepted" | "approval.waiting" | "config.bound" | "firmware.bound" | "group.is_default" | "inventory.claimed" | "internal" | null; message: string | null; row: { id: string; name: string } | null })[]; total?: number | undefined; offset?: number | undefined; next?: string | null | undefined; previous?: string | null | undefined };
  };
  /** Changes of many devices, the newest first; those that ended more than 30 days ago are deleted. `GET /data_manager/v1/dm/jobs` */
  "jobs.list": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; active?: "true" | undefined } | undefined };
    answer: { result: readonly ({ id: string; org: string | null; kind: "move" | "subscription" | "tags" | "command" | "send" | "delete" | "remove"; list: "groups" | "configs" | "users" | "colleagues" | "inventory" | "organizations" | "notifications" | "firmware" | "apiKeys" | null; undo: boolean; state: "selecting" | "running" | "done" | "cancelled"; total: number; done: number; failed: number; skipped: number; name: string | null; send: "reboot" | "identify" | "report" | "roaming" | "name" | "zone" | "restart-modem" | "factory-reset" | "apply-settings" | "backup-config" | "set-password" | "restore-config" | null; started: string | null; expired: string | null; add: readonly (string)[]; remove: readonly (string)[]; by: string; created: string; ended: string | null; retriable: boolean; undoable: boolean })[]; total?: number | undefined; offset?: number | undefined; next?: string | null | undefined; previous?: string | null | undefined };
  };
  /** How many devices a job would change, and what a group would start on them at once. Changes nothing. `POST /data_manager/v1/dm/jobs/preview` */
  "jobs.preview": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; action: { kind: "move"; group: string } | { kind: "subscription"; started: string; expired: string } | { kind: "tags"; add?: readonly (string)[] | undefined; remove?: readonly (string)[] | undefined } | { kind: "command"; command: string } | { kind: "send"; command?: string | undefined; send?: "reboot" | "identify" | "report" | "roaming" | "name" | "zone" | "restart-modem" | "apply-settings" | "backup-config" | "set-password" | undefined; argument?: string | undefined; wait?: number | undefined; window?: { hours?: readonly ({ days: readonly (number)[]; from: string; until: string })[] | undefined; zone: string; local?: boolean | undefined; ignitionOffMinutes?: number | undefined; stillMinutes?: number | undefined; geofences?: readonly (string)[] | undefined; minVoltage?: number | undefined; minSignal?: number | undefined; uplinks?: readonly ("cellular" | "ethernet" | "wifi" | "satellite")[] | undefined } | undefined } | { kind: "delete" }; selection: { devices: readonly (string)[] } | { filter: { search?: string | undefined; field?: "serial" | "vehicle" | "group" | "config" | "organization" | "note" | "any" | undefined; ignoreCase?: "true" | undefined; service?: "subscribed" | "expiring" | "not-subscribed" | "starting" | undefined; presence?: "online" | "offline" | "unknown" | "parked" | "planned" | "never" | undefined; offline?: "15m" | "1h" | "6h" | "1d" | "7d" | undefined; signal?: "weak" | undefined; position?: "never" | "old" | "rejected" | undefined; connection?: "rejected" | undefined; geofence?: string | undefined; health?: "good" | "fair" | "poor" | undefined; diagnosis?: "any" | "identity" | "supply" | "antenna" | "restarts" | "sim" | "storage" | "heat" | "unstable" | "drops" | "position" | "place" | "clock" | undefined; sim?: "failed" | undefined; group?: string | undefined; carrier?: string | undefined; tag?: string | undefined; expiration?: "today" | "week" | "month" | undefined; zone?: string | undefined } } } };
    answer: { result: { devices: number; online: number; unchanged: number; arrivals: { firmware: { routers: number; change: number; already: number; offline: number; unsuited: number; otherModels: readonly (string)[]; ofOtherModel: number; older: number; newer: readonly (string)[]; unsigned: number; vehicles: readonly (string)[]; confirmation: string; name: string } | null; config: { routers: number; change: number; already: number; offline: number; unsuited: number; otherModels: readonly (string)[]; ofOtherModel: number; older: number; newer: readonly (string)[]; unsigned: number; vehicles: readonly (string)[]; confirmation: string; name: string } | null; confirmation: string } | null; confirmation: string; ids: readonly (string)[] | null } };
  };
  /** Do it again for exactly the devices or rows that failed, as a new job. `POST /data_manager/v1/dm/jobs/{job}/retry` */
  "jobs.retry": {
    kind: "json";
    input: { params: { job: string }; body?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: { id: string; org: string | null; kind: "move" | "subscription" | "tags" | "command" | "send" | "delete" | "remove"; list: "groups" | "configs" | "users" | "colleagues" | "inventory" | "organizations" | "notifications" | "firmware" | "apiKeys" | null; undo: boolean; state: "selecting" | "running" | "done" | "cancelled"; total: number; done: number; failed: number; skipped: number; name: string | null; send: "reboot" | "identify" | "report" | "roaming" | "name" | "zone" | "restart-modem" | "factory-reset" | "apply-settings" | "backup-config" | "set-password" | "restore-config" | null; started: string | null; expired: string | null; add: readonly (string)[]; remove: readonly (string)[]; by: string; created: string; ended: string | null; retriable: boolean; undoable: boolean } };
  };
  /** Change many devices in the background: those named, or all that match a filter of the device list; or delete rows of another list. The caller, a person or an API key, also needs the call that does the same to one device or row, for example devices.delete. With a foreign id the call is a 404. `POST /data_manager/v1/dm/jobs` */
  "jobs.start": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; action: { kind: "move"; group: string } | { kind: "subscription"; started: string; expired: string } | { kind: "tags"; add?: readonly (string)[] | undefined; remove?: readonly (string)[] | undefined } | { kind: "command"; command: string } | { kind: "send"; command?: string | undefined; send?: "reboot" | "identify" | "report" | "roaming" | "name" | "zone" | "restart-modem" | "apply-settings" | "backup-config" | "set-password" | undefined; argument?: string | undefined; wait?: number | undefined; window?: { hours?: readonly ({ days: readonly (number)[]; from: string; until: string })[] | undefined; zone: string; local?: boolean | undefined; ignitionOffMinutes?: number | undefined; stillMinutes?: number | undefined; geofences?: readonly (string)[] | undefined; minVoltage?: number | undefined; minSignal?: number | undefined; uplinks?: readonly ("cellular" | "ethernet" | "wifi" | "satellite")[] | undefined } | undefined } | { kind: "delete" } | { kind: "remove"; list: "groups" | "configs" | "users" | "colleagues" | "inventory" | "organizations" | "notifications" | "firmware" | "apiKeys" }; selection: { devices: readonly (string)[] } | { filter: { search?: string | undefined; field?: "serial" | "vehicle" | "group" | "config" | "organization" | "note" | "any" | undefined; ignoreCase?: "true" | undefined; service?: "subscribed" | "expiring" | "not-subscribed" | "starting" | undefined; presence?: "online" | "offline" | "unknown" | "parked" | "planned" | "never" | undefined; offline?: "15m" | "1h" | "6h" | "1d" | "7d" | undefined; signal?: "weak" | undefined; position?: "never" | "old" | "rejected" | undefined; connection?: "rejected" | undefined; geofence?: string | undefined; health?: "good" | "fair" | "poor" | undefined; diagnosis?: "any" | "identity" | "supply" | "antenna" | "restarts" | "sim" | "storage" | "heat" | "unstable" | "drops" | "position" | "place" | "clock" | undefined; sim?: "failed" | undefined; group?: string | undefined; carrier?: string | undefined; tag?: string | undefined; expiration?: "today" | "week" | "month" | undefined; zone?: string | undefined } } | { rows: readonly (string)[] }; confirmed?: string | undefined; preview?: string | undefined } };
    answer: { result: { id: string; org: string | null; kind: "move" | "subscription" | "tags" | "command" | "send" | "delete" | "remove"; list: "groups" | "configs" | "users" | "colleagues" | "inventory" | "organizations" | "notifications" | "firmware" | "apiKeys" | null; undo: boolean; state: "selecting" | "running" | "done" | "cancelled"; total: number; done: number; failed: number; skipped: number; name: string | null; send: "reboot" | "identify" | "report" | "roaming" | "name" | "zone" | "restart-modem" | "factory-reset" | "apply-settings" | "backup-config" | "set-password" | "restore-config" | null; started: string | null; expired: string | null; add: readonly (string)[]; remove: readonly (string)[]; by: string; created: string; ended: string | null; retriable: boolean; undoable: boolean } };
  };
  /** Restore the former values as a new job, of the devices whose value is still the one that the job has set. `POST /data_manager/v1/dm/jobs/{job}/undo` */
  "jobs.undo": {
    kind: "json";
    input: { params: { job: string }; body?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: { id: string; org: string | null; kind: "move" | "subscription" | "tags" | "command" | "send" | "delete" | "remove"; list: "groups" | "configs" | "users" | "colleagues" | "inventory" | "organizations" | "notifications" | "firmware" | "apiKeys" | null; undo: boolean; state: "selecting" | "running" | "done" | "cancelled"; total: number; done: number; failed: number; skipped: number; name: string | null; send: "reboot" | "identify" | "report" | "roaming" | "name" | "zone" | "restart-modem" | "factory-reset" | "apply-settings" | "backup-config" | "set-password" | "restore-config" | null; started: string | null; expired: string | null; add: readonly (string)[]; remove: readonly (string)[]; by: string; created: string; ended: string | null; retriable: boolean; undoable: boolean } };
  };
  /** Make a link that shows where one vehicle, or those of a group, are now, without sign-in; it ends by itself. The answer has its token once: the page is /share#token. `POST /data_manager/v1/dm/links` */
  "links.create": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; device?: string | undefined; group?: string | undefined; note?: string | undefined; showsNames: boolean; hours: number } };
    answer: { result: { id: string; org: string; orgName: string; note: string; device: string | null; group: string | null; shows: string; showsNames: boolean; state: "active" | "expired" | "revoked" | "gone" | "maker"; created: string; by: string; expires: string; ended: string | null; opened: number; lastOpened: string | null }; token: string };
  };
  /** End a link at once; its page says so from then on. `DELETE /data_manager/v1/dm/links/{link}` */
  "links.end": {
    kind: "json";
    input: { params: { link: string }; body?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: { deleted: number } };
  };
  /** Links that show vehicles without sign-in, with their end and how often they were opened, the newest first. `GET /data_manager/v1/dm/links` */
  "links.list": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined } | undefined };
    answer: { result: readonly ({ id: string; org: string; orgName: string; note: string; device: string | null; group: string | null; shows: string; showsNames: boolean; state: "active" | "expired" | "revoked" | "gone" | "maker"; created: string; by: string; expires: string; ended: string | null; opened: number; lastOpened: string | null })[]; total?: number | undefined; offset?: number | undefined; next?: string | null | undefined; previous?: string | null | undefined };
  };
  /** What the page of a link shows: places and times, and nothing else of vehicles. No sign-in. `POST /data_manager/v1/dm/links/open` */
  "links.open": {
    kind: "json";
    input: { body: { token: string; first?: boolean | undefined } };
    answer: { result: { name: string | null; until: string; vehicles: readonly ([string | null, number, number, number])[]; isCut: boolean } };
  };
  /** Server-sent events for changes within the scope; resumes by Last-Event-ID, or begins after the `highline-event-id` of an earlier answer. `GET /data_manager/v1/events` */
  "live.stream": {
    kind: "events";
    input: { query?: { realm?: string | undefined; org?: string | undefined; after?: string | undefined } | undefined };
    answer: { topic: "accounts" | "alerts" | "charts" | "apiKeys" | "approvals" | "jobs" | "commands" | "configs" | "devices" | "telemetry" | "esims" | "firmware" | "geofences" | "groups" | "providers" | "inventory" | "links" | "logs" | "notifications" | "organizations" | "positions" | "properties" | "recordings" | "remote" | "reports" | "roles" | "rollouts" | "backups" | "settings" | "scim" | "summaries" | "tools" | "usage" | "views" | "visits" | "webhooks" | "beat" | "reset" | "ended"; ids: readonly (string)[]; org: string | null };
  };
  /** The whole log as a signed file that `highline audit verify` checks offline. `GET /data_manager/v1/operation_log/evidence` */
  "logs.evidence": {
    kind: "file";
    input: { query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: string;
  };
  /** The same list as CSV or Excel workbook (Logs_export), filtered alike. `GET /data_manager/v1/operation_log/export` */
  "logs.export": {
    kind: "file";
    input: { query?: { realm?: string | undefined; org?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; sort?: "time" | "-time" | undefined; search?: string | undefined; field?: "any" | "email" | "ip" | "action" | undefined; ignoreCase?: "true" | undefined; span?: "today" | "yesterday" | "week" | "month" | "custom" | undefined; person?: string | undefined; kind?: "device" | "group" | "rollout" | "firmware" | "config" | "esim" | "account" | "organization" | "router" | "job" | "command" | "property" | "report" | "chart" | "notification" | "geofence" | "alert" | "alert rule" | undefined; from?: string | undefined; until?: string | undefined; entry?: number | undefined; zone?: string | undefined; language?: "en-US" | "zh-TW" | undefined; format?: "csv" | "xlsx" | undefined; columns?: string | undefined; only?: string | undefined } | undefined };
    answer: string;
  };
  /** The public key (PEM) by which exported logs and checkpoints are verified. `GET /data_manager/v1/operation_log/key` */
  "logs.key": {
    kind: "json";
    input: Record<string, never>;
    answer: { result: { publicKey: string } };
  };
  /** The log of an organization, newest first; without `org` a main account reads its own, with the events of no organization. `GET /data_manager/v1/operation_log` */
  "logs.list": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; sort?: "time" | "-time" | undefined; search?: string | undefined; field?: "any" | "email" | "ip" | "action" | undefined; ignoreCase?: "true" | undefined; span?: "today" | "yesterday" | "week" | "month" | "custom" | undefined; person?: string | undefined; kind?: "device" | "group" | "rollout" | "firmware" | "config" | "esim" | "account" | "organization" | "router" | "job" | "command" | "property" | "report" | "chart" | "notification" | "geofence" | "alert" | "alert rule" | undefined; from?: string | undefined; until?: string | undefined; entry?: number | undefined; zone?: string | undefined } | undefined };
    answer: { result: readonly ({ timestamp: number; email: string; ip: string; subject: string; sentence: { key: string; params: readonly (string | number | { terms: readonly (string)[] } | { key: string; params: readonly (string | number | { terms: readonly (string)[] })[] })[] } | null; detail: Record<string, unknown>; role: string; key: string | null; with: readonly ({ as: "approval" | "support" | "guest"; email: string })[]; about: { kind: string; id: string }; hash: string; seq: number })[]; total?: number | undefined; offset?: number | undefined; next?: string | null | undefined; previous?: string | null | undefined };
  };
  /** E-mail addresses of those who are in a log, in alphabetical order; at most 200. `GET /data_manager/v1/operation_log/people` */
  "logs.people": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: readonly (string)[] };
  };
  /** Figures of the fleet for Prometheus, by organization: devices by state, offline for longer, with weak signal, failed SIMs, subscriptions, open alerts, and data used this month. `GET /metrics` */
  "metrics.read": {
    kind: "file";
    input: { query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: string;
  };
  /** What the organization keeps of clients of its vehicles. `GET /data_manager/v1/dm/clients/settings` */
  "networks.clientSettings": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: { keep: "nothing" | "list" | "use"; days: 7 | 30 | 90; version: string } };
  };
  /** What the clients of a device used by day, and each of them on one day, from counters of its router; where the organization keeps it. `GET /data_manager/v1/dm/device/networks/use` */
  "networks.clientUse": {
    kind: "json";
    input: { query: { realm?: string | undefined; org?: string | undefined; device: string; day?: string | undefined; search?: string | undefined; limit?: number | undefined } };
    answer: { result: { settings: { keep: "nothing" | "list" | "use"; days: 7 | 30 | 90; version: string }; today: string; readAt: number | null; days: readonly ({ day: string; clients: number; sent: number; received: number })[]; day: string; clients: readonly ({ name: string; mac: string; random: boolean; sent: number; received: number })[]; found: number; total: number } };
  };
  /** What each client of a device used on each day that is kept, as CSV or Excel workbook. `GET /data_manager/v1/dm/device/networks/use/export` */
  "networks.exportClientUse": {
    kind: "file";
    input: { query: { realm?: string | undefined; org?: string | undefined; device: string; language?: "en-US" | "zh-TW" | undefined; format?: "csv" | "xlsx" | undefined } };
    answer: string;
  };
  /** Uplinks, Wi-Fi or clients of a device: read from its router now where that is connected, at most every 4 seconds, else as last reported. `GET /data_manager/v1/dm/device/networks` */
  "networks.read": {
    kind: "json";
    input: { query: { realm?: string | undefined; org?: string | undefined; device: string; part: "uplinks" | "wifi" | "clients"; search?: string | undefined; limit?: number | undefined } };
    answer: { result: { readAt: number | null; live: boolean; uplinks: readonly ({ name: string; kind: "cellular" | "ethernet" | "wifi" | "satellite"; enabled: boolean; up: boolean; carries: boolean; addresses: readonly (string)[]; sent: number | null; received: number | null })[] | null; wifi: { radios: readonly ({ name: string; band: string; channel: number | null; enabled: boolean; up: boolean })[]; ssids: readonly ({ ssid: string; radio: string; enabled: boolean; up: boolean; clients: number | null })[]; checks: readonly ({ check: "radio" | "ssid" | "dhcp" | "uplink" | "dns" | "data"; state: "ok" | "failed" | "unknown" | "skipped" })[]; cause: "radio-off" | "radio-fault" | "ssid-off" | "access-point-off" | "dhcp-off" | "dhcp-full" | "uplink-down" | "dns-off" | "dns-fault" | "data-used-up" | null } | null; clients: readonly ({ name: string; mac: string; random: boolean; addresses: readonly (string)[]; connection: string; wireless: boolean; signal: number | null; since: number | null; sent: number | null; received: number | null })[] | null; off?: true | undefined; found: number; total: number } };
  };
  /** Switch on the setting of a router that keeps its Wi-Fi from working, if that is still the cause. `POST /data_manager/v1/dm/device/networks` */
  "networks.repair": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; device: string; cause: "radio-off" | "ssid-off" | "access-point-off" | "dhcp-off" | "dns-off" } };
    answer: { result: { outcome: "done" | "rejected" | "unsupported"; message: string } };
  };
  /** Change what is kept of clients; what is kept no longer is deleted at once. Accepts If-Match with its `version`. `PUT /data_manager/v1/dm/clients/settings` */
  "networks.saveClientSettings": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; keep: "nothing" | "list" | "use"; days: 7 | 30 | 90 } };
    answer: { result: { keep: "nothing" | "list" | "use"; days: 7 | 30 | 90; version: string } };
  };
  /** Say that a mail was returned, as `highline mail bounce` does for a mail server; the address that it was returned to is the secret that allows it. `POST /dmp_aa/api/v1/mails/bounce` */
  "notifications.bounce": {
    kind: "json";
    input: { body: { address: string; status: string; reason: string } };
    answer: { result: { outcome: "noted" | "ignored" } };
  };
  /** Delete the notification entries of addresses. `DELETE /data_manager/v1/notify/user` */
  "notifications.delete": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; mails: readonly (string)[] } };
    answer: { result: { deleted: number } };
  };
  /** The notification entries of an organization, by address. `GET /data_manager/v1/notify/user` */
  "notifications.list": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; sort?: string | undefined; search?: string | undefined; field?: string | undefined; ignoreCase?: "true" | undefined; mail?: string | undefined } | undefined };
    answer: { result: readonly ({ mail: string; recipient: string; types: readonly ("TODAY_NOTIFY_SUBSCRIPTION" | "WEEK_NOTIFY_SUBSCRIPTION" | "MONTH_NOTIFY_SUBSCRIPTION" | "FIRMWARE_UPLOADED" | "FOTA_GROUP_SETUP" | "DEVICE_DELETED" | "DEVICE_ADDED" | "CONFIG_UPLOADED" | "BATTERY_LOW" | "BATTERY_LOW_CLEAR" | "THERMAL_5G_PROTECT" | "THERMAL_5G_PROTECT_CLEAR" | "DEVICE_ADMIN_CHANGE_PASSWORD" | "DEVICE_FACTORY_RESET" | "DATA_USE")[]; gids: readonly (string)[]; role: "admin" | "user" | null; version: string })[]; total?: number | undefined; offset?: number | undefined; next?: string | null | undefined; previous?: string | null | undefined };
  };
  /** Set the notifications of an address; without events the entry ends. Accepts If-Match with the `version` it is based on. `POST /data_manager/v1/notify/user` */
  "notifications.save": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; mail: string; recipient?: string | undefined; events: readonly ("TODAY_NOTIFY_SUBSCRIPTION" | "WEEK_NOTIFY_SUBSCRIPTION" | "MONTH_NOTIFY_SUBSCRIPTION" | "FIRMWARE_UPLOADED" | "FOTA_GROUP_SETUP" | "DEVICE_DELETED" | "DEVICE_ADDED" | "CONFIG_UPLOADED" | "BATTERY_LOW" | "BATTERY_LOW_CLEAR" | "THERMAL_5G_PROTECT" | "THERMAL_5G_PROTECT_CLEAR" | "DEVICE_ADMIN_CHANGE_PASSWORD" | "DEVICE_FACTORY_RESET" | "DATA_USE")[]; gids?: readonly (string)[] | undefined; language?: "en-US" | "zh-TW" | undefined; zone?: string | undefined } };
    answer: { result: { mail: string; recipient: string; types: readonly ("TODAY_NOTIFY_SUBSCRIPTION" | "WEEK_NOTIFY_SUBSCRIPTION" | "MONTH_NOTIFY_SUBSCRIPTION" | "FIRMWARE_UPLOADED" | "FOTA_GROUP_SETUP" | "DEVICE_DELETED" | "DEVICE_ADDED" | "CONFIG_UPLOADED" | "BATTERY_LOW" | "BATTERY_LOW_CLEAR" | "THERMAL_5G_PROTECT" | "THERMAL_5G_PROTECT_CLEAR" | "DEVICE_ADMIN_CHANGE_PASSWORD" | "DEVICE_FACTORY_RESET" | "DATA_USE")[]; gids: readonly (string)[]; role: "admin" | "user" | null; version: string } };
  };
  /** Retry undelivered mails, under their old Message-ID. `POST /data_manager/v1/notify/undelivered` */
  "notifications.sendAgain": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; ids: readonly (string)[] } };
    answer: { result: { queued: number } };
  };
  /** Send one mail to your own address at once, and answer what the mail server said; at most ten in an hour. `POST /data_manager/v1/notify/test` */
  "notifications.test": {
    kind: "json";
    input: { body?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: { mail: string; outcome: "sent" | "kept" | "rejected" | "unanswered"; answer: string } };
  };
  /** An organization's mails that could not be delivered or were returned, newest first. `GET /data_manager/v1/notify/undelivered` */
  "notifications.undelivered": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; sort?: string | undefined; search?: string | undefined; field?: string | undefined; ignoreCase?: "true" | undefined } | undefined };
    answer: { result: readonly ({ id: string; mail: string; subject: string; reason: string; attempts: number; returned: boolean; created: number })[]; total?: number | undefined; offset?: number | undefined; next?: string | null | undefined; previous?: string | null | undefined };
  };
  /** Create an organization with its default group and, if given, its contact, who is invited as its admin. `POST /dmp_aa/api/v1/services/` */
  "organizations.create": {
    kind: "json";
    input: { query?: { dryRun?: string | undefined } | undefined; body: { realm?: string | undefined; name: string; tags?: readonly (string)[] | undefined; type?: "project" | undefined; phone?: string | undefined; address?: string | undefined; contact?: { email: string; name?: string | undefined } | undefined; requestKey?: string | undefined; language?: "en-US" | "zh-TW" | undefined } };
    answer: { result: { id: string; dryRun: boolean } };
  };
  /** Delete an organization: none of its users can sign in and its routers are back in stock at once; what is left is purged after 30 days. `DELETE /data_manager/v1/dm/org` */
  "organizations.delete": {
    kind: "json";
    input: { body?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: { deleted: number; devices: number } };
  };
  /** The devices of an organization, by serial number. `GET /dmp_aa/api/v1/services/{org}` */
  "organizations.devices": {
    kind: "json";
    input: { params: { org: string }; query?: { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined } | undefined };
    answer: { result: { list: readonly ({ device: string; device_id: string; serial_number: string; mac: string; vehicle_number: string; vehicleNumber: string; note: string; tags: readonly (string)[]; group: string; group_name: string; field_value: boolean; presence: "online" | "offline" | "unknown"; presence_since: number | null; presence_reason: string | null; offline_expected: "parked" | "planned" | null; rejected: "endpoint" | "controller" | "no-connect-record" | "silent" | "no-record" | "not-usp" | "subprotocol" | "secret-missing" | "certificate-missing" | "certificate-other" | "certificate-revoked" | "certificate-expired" | "certificate-endpoint" | "session-context" | "unreadable" | "identity-shared" | "serial-mismatch" | null; last_seen: number | null; device_name: string; device_type_id: string; updated: string; device_created: string; projectId: string; projectName: string; org: string; subscription_status: string; started: string; expired: string; is_expired: boolean; udid: string; properties: readonly ({ id: string; value: string })[]; cellular_mno: string | null; cellular_imsi: string | null; cellular_iccid: string | null; cellular_mtn: string | null; cellular_imei: string | null; cellular_eid: string | null; cellular_rssi: number | null; cellular_technology: string | null; health: number | null; diagnosis: "identity" | "supply" | "antenna" | "restarts" | "sim" | "storage" | "heat" | "unstable" | "drops" | "position" | "place" | "clock" | null; position_at: number | null; estimated_position: { latitude: number; longitude: number; radius: number; at: number } | null })[] }; total?: number | undefined; offset?: number | undefined; next?: string | null | undefined; previous?: string | null | undefined };
  };
  /** The organizations of a main account as CSV or Excel workbook. `GET /dmp_aa/api/v1/services/export` */
  "organizations.export": {
    kind: "file";
    input: { query?: { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; sort?: "name" | "-name" | "contact" | "-contact" | "phone" | "-phone" | "address" | "-address" | "devices" | "-devices" | "created" | "-created" | "online" | "-online" | "expiring" | "-expiring" | "failedRollouts" | "-failedRollouts" | undefined; search?: string | undefined; field?: "name" | "email" | "phone" | "address" | undefined; ignoreCase?: "true" | undefined; founder?: string | undefined; id?: string | undefined; rollout?: "failed" | "paused" | undefined; around?: string | undefined; accounts?: "true" | "false" | undefined; language?: "en-US" | "zh-TW" | undefined; format?: "csv" | "xlsx" | undefined; columns?: string | undefined; only?: string | undefined } | undefined };
    answer: string;
  };
  /** Figures of all organizations of a main account together, and its stock: what the list of organizations does not answer. `GET /data_manager/v1/dm/fleet` */
  "organizations.fleet": {
    kind: "json";
    input: Record<string, never>;
    answer: { result: { organizations: number; devices: number; online: number; rollouts: { failed: number; paused: number }; stock: number } };
  };
  /** Organizations: all of a main account, or the own one of an admin or user; for a single `id`, answers its ETag. `GET /dmp_aa/api/v1/services/` */
  "organizations.list": {
    kind: "json";
    input: { query?: { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; sort?: "name" | "-name" | "contact" | "-contact" | "phone" | "-phone" | "address" | "-address" | "devices" | "-devices" | "created" | "-created" | "online" | "-online" | "expiring" | "-expiring" | "failedRollouts" | "-failedRollouts" | undefined; search?: string | undefined; field?: "name" | "email" | "phone" | "address" | undefined; ignoreCase?: "true" | undefined; founder?: string | undefined; id?: string | undefined; rollout?: "failed" | "paused" | undefined; around?: string | undefined; accounts?: "true" | "false" | undefined } | undefined };
    answer: { result: { list: readonly ({ id: string; name: string; tags: readonly (string)[]; type: "project"; phone: string; address: string; contacter: string; description: string; contacts: readonly ({ email: string; phone: string; address: string; role?: string | undefined })[]; devices: number; expire: number; expireDevices: string; ended: number; online: number; neverConnected: number; offlineExpected: number; failedRollouts: number; pausedRollouts: number; retentionDays: number | null; maxRetentionDays: number; created: string; updated: string; rowId: number; accounts?: readonly (string)[] | undefined; fullControl?: readonly (string)[] | undefined; onlyRead?: readonly (string)[] | undefined })[] }; total?: number | undefined; offset?: number | undefined; next?: string | null | undefined; previous?: string | null | undefined };
  };
  /** Change name, phone, address and tags of an organization, and for how many days it keeps readings and history. If-Match is honoured. `PUT /dmp_aa/api/v1/services/{org}` */
  "organizations.save": {
    kind: "json";
    input: { params: { org: string }; body?: { realm?: string | undefined; name?: string | undefined; phone?: string | undefined; address?: string | undefined; tags?: readonly (string)[] | undefined; retentionDays?: number | null | undefined } | undefined };
    answer: { result: { id: string; name: string; tags: readonly (string)[]; type: "project"; phone: string; address: string; contacter: string; description: string; contacts: readonly ({ email: string; phone: string; address: string; role?: string | undefined })[]; devices: number; expire: number; expireDevices: string; ended: number; online: number; neverConnected: number; offlineExpected: number; failedRollouts: number; pausedRollouts: number; retentionDays: number | null; maxRetentionDays: number; created: string; updated: string; rowId: number; accounts?: readonly (string)[] | undefined; fullControl?: readonly (string)[] | undefined; onlyRead?: readonly (string)[] | undefined } };
  };
  /** Transfer devices to another organization of the same main account, all or none: routers, eSIMs and history move with them; positions, tags and group bindings do not, and what `lost` counts is deleted or cancelled. ?dryRun returns this and what the target starts on them, and transfers nothing. `POST /data_manager/v1/dm/org/device` */
  "organizations.transferDevices": {
    kind: "json";
    input: { query?: { dryRun?: string | undefined; confirmed?: string | undefined } | undefined; body: { realm?: string | undefined; origin?: string | undefined; target: string; serials: readonly (string)[] } };
    answer: { result: { transferred: number }; impact: { firmware: { routers: number; change: number; already: number; offline: number; unsuited: number; otherModels: readonly (string)[]; ofOtherModel: number; older: number; newer: readonly (string)[]; unsigned: number; vehicles: readonly (string)[]; confirmation: string; name: string } | null; config: { routers: number; change: number; already: number; offline: number; unsuited: number; otherModels: readonly (string)[]; ofOtherModel: number; older: number; newer: readonly (string)[]; unsigned: number; vehicles: readonly (string)[]; confirmation: string; name: string } | null; confirmation: string }; lost: { values: number; pictures: number; settings: number; commands: number } };
  };
  /** Evidence for a carrier as PDF: outages of a vehicle or of a place with map, chart and table, and what other vehicles met there. `GET /data_manager/v1/dm/outages/evidence` */
  "outages.evidencePack": {
    kind: "file";
    input: { query?: { realm?: string | undefined; org?: string | undefined; from?: string | undefined; until?: string | undefined; zone?: string | undefined; device?: string | undefined; group?: string | undefined; tag?: string | undefined; carrier?: string | undefined; hexagon?: string | undefined; kind?: "lost" | "closed" | "server" | "parked" | "planned" | "all" | undefined; language?: "en-US" | "zh-TW" | undefined } | undefined };
    answer: string;
  };
  /** The same list as CSV or Excel workbook. `GET /data_manager/v1/dm/outages/export` */
  "outages.exportOutages": {
    kind: "file";
    input: { query?: { realm?: string | undefined; org?: string | undefined; from?: string | undefined; until?: string | undefined; zone?: string | undefined; device?: string | undefined; group?: string | undefined; tag?: string | undefined; carrier?: string | undefined; hexagon?: string | undefined; kind?: "lost" | "closed" | "server" | "parked" | "planned" | "all" | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; sort?: "from" | "-from" | undefined; search?: string | undefined; field?: "vehicle" | "serial" | undefined; ignoreCase?: "true" | undefined; format?: "csv" | "xlsx" | undefined; columns?: string | undefined; language?: "en-US" | "zh-TW" | undefined } | undefined };
    answer: string;
  };
  /** The same sums as CSV or Excel workbook. `GET /data_manager/v1/dm/outages/sums/export` */
  "outages.exportSums": {
    kind: "file";
    input: { query?: { realm?: string | undefined; org?: string | undefined; from?: string | undefined; until?: string | undefined; zone?: string | undefined; device?: string | undefined; group?: string | undefined; tag?: string | undefined; carrier?: string | undefined; hexagon?: string | undefined; kind?: "lost" | "closed" | "server" | "parked" | "planned" | "all" | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; sort?: "minutes" | "-minutes" | "outages" | "-outages" | "share" | "-share" | undefined; by?: "vehicles" | "groups" | "carriers" | "cells" | "hexagons" | "months" | undefined; format?: "csv" | "xlsx" | undefined; columns?: string | undefined; language?: "en-US" | "zh-TW" | undefined } | undefined };
    answer: string;
  };
  /** Times without a connection with carrier, cell, signal and place before them, the newest first. `GET /data_manager/v1/dm/outages` */
  "outages.listOutages": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined; from?: string | undefined; until?: string | undefined; zone?: string | undefined; device?: string | undefined; group?: string | undefined; tag?: string | undefined; carrier?: string | undefined; hexagon?: string | undefined; kind?: "lost" | "closed" | "server" | "parked" | "planned" | "all" | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; sort?: "from" | "-from" | undefined; search?: string | undefined; field?: "vehicle" | "serial" | undefined; ignoreCase?: "true" | undefined } | undefined };
    answer: { result: readonly ({ device: string; name: string; serial: string; org: string; orgName: string; from: number; until: number | null; minutes: number; kind: "lost" | "closed" | "server" | "parked" | "planned"; reason: "connected" | "replaced" | "cloned" | "serial-mismatch" | "no-answer" | "closed-by-router" | "connection-lost" | "disconnected" | "protocol-fault" | "flooding" | "server-restarted" | "not-seen-since-restart"; carrier: string; technology: string; servingCell: string; rsrp: number | null; latitude: number | null; longitude: number | null; hexagon: string | null })[]; total?: number | undefined; offset?: number | undefined; next?: string | null | undefined; previous?: string | null | undefined };
  };
  /** Outages of a period by vehicle, group, carrier, cell, place or month, with the share of availability. `GET /data_manager/v1/dm/outages/sums` */
  "outages.sumOutages": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined; from?: string | undefined; until?: string | undefined; zone?: string | undefined; device?: string | undefined; group?: string | undefined; tag?: string | undefined; carrier?: string | undefined; hexagon?: string | undefined; kind?: "lost" | "closed" | "server" | "parked" | "planned" | "all" | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; sort?: "minutes" | "-minutes" | "outages" | "-outages" | "share" | "-share" | undefined; by?: "vehicles" | "groups" | "carriers" | "cells" | "hexagons" | "months" | undefined } | undefined };
    answer: { result: readonly ({ id: string; name: string; org: string; orgName: string; outages: number; minutes: number; longestMinutes: number; vehicles: number; excludedMinutes: number; parkedMinutes: number; plannedMinutes: number; share: number | null; target: number | null; latitude: number | null; longitude: number | null })[]; total?: number | undefined; offset?: number | undefined; next?: string | null | undefined; previous?: string | null | undefined };
  };
  /** Describe places by the nearest street and crossing of the base map, and by the nearest geofence of the organization or the nearest town. `at` has up to 50 pairs of latitude and longitude (degrees, WGS 84) such as `41.9,-87.6;41.8,-87.7`; one result for each, in this order. `GET /data_manager/v1/dm/places` */
  "places.describe": {
    kind: "json";
    input: { query: { realm?: string | undefined; org?: string | undefined; at: string } };
    answer: { result: readonly ({ street: string | null; crossing: string | null; near: { kind: "geofence" | "town"; name: string; chinese: string | null; metres: number; direction: "n" | "ne" | "e" | "se" | "s" | "sw" | "w" | "nw" } | null })[] };
  };
  /** The newest positions as GTFS-Realtime VehiclePositions, or as GeoJSON, for programs with an API key; the whole data set, at most 100,000 vehicles. Answers an ETag and takes If-None-Match. `GET /data_manager/v1/dm/positions/feed` */
  "positions.feed": {
    kind: "file";
    input: { query?: { realm?: string | undefined; org?: string | undefined; format?: "gtfs-rt" | "geojson" | undefined; group?: string | undefined; routes?: "groups" | undefined; maxAge?: number | undefined } | undefined };
    answer: string;
  };
  /** The newest position of each device that matches the filters of the device list, at most 10,000. Answers an ETag; with `since` only what is new. `GET /data_manager/v1/dm/positions` */
  "positions.map": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined; search?: string | undefined; field?: "serial" | "vehicle" | "group" | "config" | "organization" | "note" | "any" | undefined; ignoreCase?: "true" | undefined; service?: "subscribed" | "expiring" | "not-subscribed" | "starting" | undefined; presence?: "online" | "offline" | "unknown" | "parked" | "planned" | "never" | undefined; offline?: "15m" | "1h" | "6h" | "1d" | "7d" | undefined; signal?: "weak" | undefined; position?: "never" | "old" | "rejected" | undefined; connection?: "rejected" | undefined; geofence?: string | undefined; health?: "good" | "fair" | "poor" | undefined; diagnosis?: "any" | "identity" | "supply" | "antenna" | "restarts" | "sim" | "storage" | "heat" | "unstable" | "drops" | "position" | "place" | "clock" | undefined; sim?: "failed" | undefined; group?: string | undefined; carrier?: string | undefined; tag?: string | undefined; expiration?: "today" | "week" | "month" | undefined; zone?: string | undefined; bbox?: string | undefined; since?: number | undefined } | undefined };
    answer: { result: { vehicles: readonly ([string, string, number, number, number, "online" | "offline" | "unknown" | "parked" | "planned", number | null, number | null, number | null, number | null, boolean, "critical" | "warning" | "info" | null, "identity" | "supply" | "antenna" | "restarts" | "sim" | "storage" | "heat" | "unstable" | "drops" | "position" | "place" | "clock" | null])[]; isCut: boolean; estimated?: readonly ([string, string, number, number, number, "online" | "offline" | "unknown" | "parked" | "planned", number | null, number, "critical" | "warning" | "info" | null, "identity" | "supply" | "antenna" | "restarts" | "sim" | "storage" | "heat" | "unstable" | "drops" | "position" | "place" | "clock" | null])[] | undefined; never?: number | undefined; old?: number | undefined; rejected?: number | undefined; asOf: number } };
  };
  /** Where a device was on a day: positions with speed and signal, stops, times without a position, and the newest position. `GET /data_manager/v1/dm/device/trail` */
  "positions.trail": {
    kind: "json";
    input: { query: { realm?: string | undefined; org?: string | undefined; device: string; day?: string | undefined; zone?: string | undefined } };
    answer: { result: { day: string; from: number; until: number; fixes: readonly ([number, number, number, number | null, number | null, number | null, number | null, boolean])[]; every: number; stops: readonly ({ from: number; until: number; latitude: number; longitude: number })[]; gaps: readonly ([number, number])[]; km: number; newest: { at: number; latitude: number; longitude: number; speed: number | null; accuracy: number | null } | null; faults: readonly ({ reason: "outside" | "zero" | "future" | "old" | "expired" | "too_many" | "malformed" | "too_large" | "doctype" | "not_xml" | "namespace" | "shape" | "week-rollover" | "local-time"; since: number; last: number; count: number; received: string | null })[] } };
  };
  /** The positions of a device on a day as a file: GeoJSON (RFC 7946), GPX 1.1 or CSV. `GET /data_manager/v1/dm/device/trail/file` */
  "positions.trailFile": {
    kind: "file";
    input: { query: { realm?: string | undefined; org?: string | undefined; device: string; day?: string | undefined; zone?: string | undefined; format: "geojson" | "gpx" | "csv"; language?: "en-US" | "zh-TW" | undefined } };
    answer: string;
  };
  /** Add a custom property: bool, number, string or picture. It can be neither removed nor changed afterwards. `POST /data_manager/v1/dm/properties` */
  "properties.add": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; name: string; type: "bool" | "number" | "string" | "picture"; unit?: string | undefined } };
    answer: { result: { key: string; name: string; type: "bool" | "number" | "string" | "picture"; unit: string } };
  };
  /** Custom properties of an organization, at most 32, by name. `GET /data_manager/v1/dm/properties` */
  "properties.list": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: readonly ({ key: string; name: string; type: "bool" | "number" | "string" | "picture"; unit: string })[] };
  };
  /** All custom properties of a device by name, with its values. `GET /data_manager/v1/dm/device/properties` */
  "properties.ofDevice": {
    kind: "json";
    input: { query: { realm?: string | undefined; org?: string | undefined; device: string } };
    answer: { result: readonly ({ key: string; name: string; type: "bool" | "number" | "string" | "picture"; unit: string; value: boolean | number | string | null; picture: { type: "image/png" | "image/jpeg" | "image/webp"; size: number; sha256: string } | null; version: string })[] };
  };
  /** The picture of a property on a device. `GET /data_manager/v1/dm/properties/{property}/{device}/picture` */
  "properties.picture": {
    kind: "file";
    input: { params: { property: string; device: string }; query?: { realm?: string | undefined; org?: string | undefined; of?: string | undefined } | undefined };
    answer: string;
  };
  /** Set the value of a property on a device, except pictures; null removes it, of a picture too. Honours If-Match. `PATCH /data_manager/v1/dm/properties/{property}/{device}` */
  "properties.set": {
    kind: "json";
    input: { params: { property: string; device: string }; body: { realm?: string | undefined; org?: string | undefined; value: boolean | number | string | null } };
    answer: { result: { key: string; name: string; type: "bool" | "number" | "string" | "picture"; unit: string; value: boolean | number | string | null; picture: { type: "image/png" | "image/jpeg" | "image/webp"; size: number; sha256: string } | null; version: string } };
  };
  /** Set the picture of a property on a device: PNG, JPEG or WebP, at most 2 MiB, in the field `picture`. Honours If-Match. `POST /data_manager/v1/dm/properties/{property}/{device}/picture` */
  "properties.upload": {
    kind: "json";
    input: { params: { property: string; device: string }; body?: { realm?: string | undefined; org?: string | undefined } | undefined; file: Blob; fileName?: string | undefined };
    answer: { result: { key: string; name: string; type: "bool" | "number" | "string" | "picture"; unit: string; value: boolean | number | string | null; picture: { type: "image/png" | "image/jpeg" | "image/webp"; size: number; sha256: string } | null; version: string } };
  };
  /** The same list as CSV or Excel workbook. `GET /data_manager/v1/dm/recordings/export` */
  "recordings.export": {
    kind: "file";
    input: { query?: { realm?: string | undefined; org?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; sort?: string | undefined; search?: string | undefined; field?: "person" | "vehicle" | "serial" | undefined; ignoreCase?: "true" | undefined; device?: string | undefined; recording?: string | undefined; format?: "csv" | "xlsx" | undefined; columns?: string | undefined; language?: "en-US" | "zh-TW" | undefined; zone?: string | undefined } | undefined };
    answer: string;
  };
  /** A recording as an asciicast file (version 2), also while it goes on. Each call is logged. `GET /data_manager/v1/dm/recordings/{recording}/file` */
  "recordings.file": {
    kind: "file";
    input: { params: { recording: string }; query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: string;
  };
  /** Recorded terminals, the newest first. `GET /data_manager/v1/dm/recordings` */
  "recordings.list": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; sort?: string | undefined; search?: string | undefined; field?: "person" | "vehicle" | "serial" | undefined; ignoreCase?: "true" | undefined; device?: string | undefined; recording?: string | undefined } | undefined };
    answer: { result: readonly ({ id: string; device: string; name: string; serial: string; client: { mac: string; address: string; port: number } | null; by: string; began: number; ended: number | null; end: "cancelled" | "aborted" | "busy" | "no-answer" | "rejected" | "expired" | "idle" | "time-limit" | "signed-out" | "permission-lost" | "device-gone" | "not-subscribed" | "offline" | "tunnel-lost" | "client-moved" | "rule-changed" | "recording-full" | "recording-failed" | "server-stopped" | "server-restarted" | "exited" | "sign-in-failed" | "interrupted" | null; bytes: number })[]; total?: number | undefined; offset?: number | undefined; next?: string | null | undefined; previous?: string | null | undefined };
  };
  /** Have terminals in the browser recorded from now on, or not. Fewer days delete older recordings within the hour. Accepts If-Match with its `version`. `PUT /data_manager/v1/dm/recordings/settings` */
  "recordings.saveSettings": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; recorded: boolean; days: number } };
    answer: { result: { recorded: boolean; days: number; version: string } };
  };
  /** Whether terminals in the browser are recorded, and how many days recordings are kept. `GET /data_manager/v1/dm/recordings/settings` */
  "recordings.settings": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: { recorded: boolean; days: number; version: string } };
  };
  /** Whether a recording is unchanged: its chain of SHA-256 hashes is calculated again, and compared with the log. `GET /data_manager/v1/dm/recordings/{recording}/seal` */
  "recordings.verify": {
    kind: "json";
    input: { params: { recording: string }; query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: { seal: "unbroken" | "changed" | "open" | "log-deleted"; sha256: string } };
  };
  /** End the remote session of a router, of any user of the organization. It is no error if none is open. `POST /data_manager/v1/dm/device/arctive` */
  "remoteAccess.cancel": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; device: string } };
    answer: { result: { ended: boolean } };
  };
  /** Whether the caller can open clients of a device now, or why not. `GET /data_manager/v1/dm/device/clients/access` */
  "remoteAccess.clientAccess": {
    kind: "json";
    input: { query: { realm?: string | undefined; org?: string | undefined; device: string } };
    answer: { result: { obstacle: "off" | "role" | "unread" | "not-subscribed" | "offline" | "unsupported" | "no-answer" | null; pages: boolean; ports: boolean; rule: { roles: readonly ("admin" | "user")[]; ranges: readonly (string)[]; ports: readonly ({ from: number; to: number })[]; version: string }; busy: boolean; own: { mac: string; address: string; port: number; service: "http" | "https" | "ssh" | "tcp"; since: number } | null } };
  };
  /** Who may open which clients of vehicles. `GET /data_manager/v1/dm/clients/access` */
  "remoteAccess.clientRule": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: { roles: readonly ("admin" | "user")[]; ranges: readonly (string)[]; ports: readonly ({ from: number; to: number })[]; version: string } };
  };
  /** Open a session to a router's shell or web page. One at a time; the router connects out to us. `POST /data_manager/v1/dm/cmds/connectDevice` */
  "remoteAccess.connect": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; serial: string; type: "ssh" | "gui" } };
    answer: { statusCode: number; url: string; port: number; statusMsg?: string | undefined };
  };
  /** End the session to a client of a device: the caller's own, for an admin of any user. It is no error if none is open. `POST /data_manager/v1/dm/cmds/endClient` */
  "remoteAccess.endClient": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; device: string } };
    answer: { result: { ended: boolean } };
  };
  /** The present remote session of a router, null for none. `GET /data_manager/v1/dm/device/connection` */
  "remoteAccess.get": {
    kind: "json";
    input: { query: { realm?: string | undefined; org?: string | undefined; device: string } };
    answer: { result: { type: "ssh" | "gui"; by: string; own: boolean; since: number; credentials_expire: number | null; client?: { mac: string; address: string; port: number; service: "http" | "https" | "ssh" | "tcp" } | undefined } | null; types: readonly ("ssh" | "gui")[] };
  };
  /** Open a session to a port of a client of a device: a web page under a host name of its own, which the first browser keeps by its cookie, or a TCP port that accepts the caller's address alone. New connections are accepted for 5 minutes. `POST /data_manager/v1/dm/cmds/openClient` */
  "remoteAccess.openClient": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; device: string; mac: string; address: string; port: number; service: "http" | "https" | "ssh" | "tcp" } };
    answer: { statusCode: number; url: string; port: number; certificate: string | null; from: string | null; statusMsg?: string | undefined };
  };
  /** Open a session to the SSH server of a client for a terminal in the browser, with a sign-in of that client. Ticket and recording as for remoteAccess.openTerminal. `POST /data_manager/v1/dm/cmds/openClientTerminal` */
  "remoteAccess.openClientTerminal": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; device: string; mac: string; address: string; port: number; username: string; password: string } };
    answer: { statusCode: number; ticket: string; recorded: boolean; statusMsg?: string | undefined };
  };
  /** Open a session to a router's shell for a terminal in the browser. The ticket is valid for 30 seconds and once, as a subprotocol of the WebSocket /terminal. `POST /data_manager/v1/dm/cmds/openTerminal` */
  "remoteAccess.openTerminal": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; serial: string } };
    answer: { statusCode: number; ticket: string; recorded: boolean; statusMsg?: string | undefined };
  };
  /** Reset a router's own sign-in to its default. `POST /data_manager/v1/dm/cmds/resetGuiPassword` */
  "remoteAccess.resetPassword": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; serial: string } };
    answer: { result: { reset: true } };
  };
  /** Allow roles to open clients of vehicles, by IPv4 network and port. Overlapping ones are joined in the response. Open sessions that are allowed no longer end within seconds. Accepts If-Match with its `version`. `PUT /data_manager/v1/dm/clients/access` */
  "remoteAccess.saveClientRule": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; roles: readonly ("admin" | "user")[]; ranges: readonly (string)[]; ports: readonly ({ from: number; to: number })[] } };
    answer: { result: { roles: readonly ("admin" | "user")[]; ranges: readonly (string)[]; ports: readonly ({ from: number; to: number })[]; version: string } };
  };
  /** Credentials for the session just opened, generated for it, returned once, valid for 5 minutes. `POST /data_manager/v1/dm/cmds/getOneTimeSecret` */
  "remoteAccess.secret": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; serial: string; type: "ssh" | "gui" } };
    answer: { statusCode: number; content: { username: string; password: string; expires: number } };
  };
  /** How many records a query would touch, and the windows that it would be answered in. `GET /data_manager/api/v1/statistics/query_count` */
  "reports.count": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined; project?: string | undefined; on?: string | undefined; to?: string | undefined; id?: string | undefined; group?: string | undefined; device?: string | undefined; property?: string | undefined; value?: string | undefined } | undefined };
    answer: { result: { count: number; perDay: number; days: number; windows: readonly (string)[]; window: string } };
  };
  /** Delete one of the caller's saved reports. `DELETE /data_manager/api/v1/reports/{report}` */
  "reports.delete": {
    kind: "json";
    input: { params: { report: string }; query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: { deleted: number } };
  };
  /** Devices by name with their properties, for the pickers of reports and analysis. `search` looks in their names. `GET /data_manager/api/v1/devices` */
  "reports.devices": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; sort?: string | undefined; search?: string | undefined; field?: string | undefined; ignoreCase?: "true" | undefined; project?: string | undefined; group?: string | undefined } | undefined };
    answer: { result: readonly ({ device_id: string; device_name: string; device_type: string; device_type_name: string; properties: readonly ({ property_id: string; property_name: string; property_type: "bool" | "number" | "string" | "picture"; unit: string })[]; projectId: string })[]; total?: number | undefined; offset?: number | undefined; next?: string | null | undefined; previous?: string | null | undefined };
  };
  /** The same records as an Excel workbook, or as CSV. `GET /data_manager/api/v1/records/export` */
  "reports.export": {
    kind: "file";
    input: { query?: { realm?: string | undefined; org?: string | undefined; project?: string | undefined; on?: string | undefined; to?: string | undefined; id?: string | undefined; group?: string | undefined; device?: string | undefined; property?: string | undefined; value?: string | undefined; format?: "xlsx" | "csv" | undefined; name?: string | undefined; zone?: string | undefined; language?: "en-US" | "zh-TW" | undefined } | undefined };
    answer: string;
  };
  /** The caller's own saved reports, by name. `GET /data_manager/api/v1/reports` */
  "reports.list": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: readonly ({ id: string; reportName: string; dayType: "today" | "yesterday" | "week" | "month" | null; startDate: string; endDate: string; queryId: string; groupId: string; projectId: string; deviceId: string; properties: { id: string }; num: string })[] };
  };
  /** The values that routers of an organization report over time: names, types and units. `GET /data_manager/api/v1/properties` */
  "reports.properties": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined; project?: string | undefined } | undefined };
    answer: { result: readonly ({ property_id: string; property_name: string; property_type: "bool" | "number" | "string" | "picture"; unit: string })[] };
  };
  /** Collected records, newest first. Without `limit` all of them are streamed. `GET /data_manager/api/v1/records` */
  "reports.records": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined; project?: string | undefined; on?: string | undefined; to?: string | undefined; id?: string | undefined; group?: string | undefined; device?: string | undefined; property?: string | undefined; value?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined } | undefined };
    answer: { result: readonly ({ device: string; device_name: string; device_type: string; group: string; group_name: string; udid: string; on: number; field: string; field_name: string; field_type: "bool" | "number" | "string" | "picture"; field_value: number | boolean | string })[]; total?: number | undefined; offset?: number | undefined; next?: string | null | undefined; previous?: string | null | undefined; more?: boolean | undefined };
  };
  /** Save a query under a name; the same name again replaces it. At most 100 per user. `POST /data_manager/api/v1/reports` */
  "reports.save": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; reportName: string; dayType?: "" | "today" | "yesterday" | "week" | "month" | null | undefined; startDate?: string | undefined; endDate?: string | undefined; queryId?: string | undefined; projectId?: string | undefined; groupId?: string | undefined; deviceId?: string | undefined; properties?: { id: string } | undefined; num?: string | undefined } };
    answer: { result: { id: string; reportName: string; dayType: "today" | "yesterday" | "week" | "month" | null; startDate: string; endDate: string; queryId: string; groupId: string; projectId: string; deviceId: string; properties: { id: string }; num: string } };
  };
  /** Make a role from rights. `POST /dmp_aa/api/v1/own_roles` */
  "roles.create": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; name: string; rights: readonly (string)[]; limitedTo?: { groups: readonly (string)[]; tags: readonly (string)[] } | null | undefined } };
    answer: { result: { id: string; org: string | null; orgName: string; name: string; rights: readonly (string)[]; limitedTo: { groups: readonly ({ id: string; name: string })[]; tags: readonly (string)[] } | null; people: number; by: string; created: string; version: string } };
  };
  /** Delete a role. Who has it needs another one: an own role, or the role of users. `DELETE /dmp_aa/api/v1/own_roles/{role}` */
  "roles.delete": {
    kind: "json";
    input: { params: { role: string }; body?: { realm?: string | undefined; org?: string | undefined; instead?: string | undefined } | undefined };
    answer: { result: { deleted: 1 } };
  };
  /** Give a person a role of an own making, or none (null). An admin becomes a user with it. `PUT /dmp_aa/api/v1/accounts/{id}/own_role` */
  "roles.give": {
    kind: "json";
    input: { params: { id: string }; body: { role: string | null } };
    answer: { result: { ownRole: { id: string; name: string; rights: readonly (string)[] } | null } };
  };
  /** Roles that an organization made, or a main account for its own people and its organizations, the newest first. `GET /dmp_aa/api/v1/own_roles` */
  "roles.list": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined } | undefined };
    answer: { result: readonly ({ id: string; org: string | null; orgName: string; name: string; rights: readonly (string)[]; limitedTo: { groups: readonly ({ id: string; name: string })[]; tags: readonly (string)[] } | null; people: number; by: string; created: string; version: string })[]; total?: number | undefined; offset?: number | undefined; next?: string | null | undefined; previous?: string | null | undefined };
  };
  /** The rights that the caller may give a role of this scope, each with the calls that it is for. `GET /dmp_aa/api/v1/own_roles/rights` */
  "roles.rights": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: readonly ({ area: string; access: "read" | "write"; operations: readonly ({ id: string; method: string; path: string; summary: string })[] })[]; withheld: readonly (string)[] };
  };
  /** Replace name, rights and limit of a role, at once for everyone who has it. Accepts If-Match with its `version`. `PUT /dmp_aa/api/v1/own_roles/{role}` */
  "roles.save": {
    kind: "json";
    input: { params: { role: string }; body: { realm?: string | undefined; org?: string | undefined; name: string; rights: readonly (string)[]; limitedTo?: { groups: readonly (string)[]; tags: readonly (string)[] } | null | undefined } };
    answer: { result: { id: string; org: string | null; orgName: string; name: string; rights: readonly (string)[]; limitedTo: { groups: readonly ({ id: string; name: string })[]; tags: readonly (string)[] } | null; people: number; by: string; created: string; version: string } };
  };
  /** A role of an own making, with who has it. `GET /dmp_aa/api/v1/own_roles/{role}` */
  "roles.show": {
    kind: "json";
    input: { params: { role: string }; query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: { id: string; org: string | null; orgName: string; name: string; rights: readonly (string)[]; limitedTo: { groups: readonly ({ id: string; name: string })[]; tags: readonly (string)[] } | null; people: number; by: string; created: string; version: string; holders: readonly ({ id: string; name: string; email: string })[] } };
  };
  /** The rollouts of one group: firmware, config and settings; without a group that of the settings of the organization. `GET /data_manager/v1/binding/group/rollouts` */
  "rollouts.list": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined; group?: string | undefined } | undefined };
    answer: { result: readonly ({ id: string; kind: "firmware" | "config" | "settings"; profile: string; name: string; version: number | null; schedule: "immediate" | "bootup"; postpone: number | null; state: "running" | "paused" | "cancelled"; pausedReason: "person" | "threshold" | null; failureThreshold: number; canaries: number; waves: { rule: "success" | "hours" | "person"; hours: number | null; open: number; waves: readonly ({ routers: number; successful: number; failed: number })[]; waits: "routers" | "hours" | "person" | "failure" | "empty" | null; next: number | null } | null; window: { hours?: readonly ({ days: readonly (number)[]; from: string; until: string })[] | undefined; zone: string; local?: boolean | undefined; ignitionOffMinutes?: number | undefined; stillMinutes?: number | undefined; geofences?: readonly (string)[] | undefined; minVoltage?: number | undefined; minSignal?: number | undefined; uplinks?: readonly ("cellular" | "ethernet" | "wifi" | "satellite")[] | undefined } | null; created: string; by: string; total: number; states: Partial<Record<"waiting" | "downloading" | "verifying" | "applying" | "rebooting" | "successful" | "failed" | "rolled-back" | "unsupported", number>>; offline: number; outdated: number })[] };
  };
  /** Pause, resume or cancel a rollout, retry exactly the failed routers, or go on with the next wave or back to the one before. `POST /data_manager/v1/binding/group/rollout` */
  "rollouts.steer": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; rollout: string; action: "pause" | "resume" | "cancel" | "retry" | "wave"; devices?: readonly (string)[] | undefined; wave?: number | undefined } };
    answer: { result: { id: string; kind: "firmware" | "config" | "settings"; profile: string; name: string; version: number | null; schedule: "immediate" | "bootup"; postpone: number | null; state: "running" | "paused" | "cancelled"; pausedReason: "person" | "threshold" | null; failureThreshold: number; canaries: number; waves: { rule: "success" | "hours" | "person"; hours: number | null; open: number; waves: readonly ({ routers: number; successful: number; failed: number })[]; waits: "routers" | "hours" | "person" | "failure" | "empty" | null; next: number | null } | null; window: { hours?: readonly ({ days: readonly (number)[]; from: string; until: string })[] | undefined; zone: string; local?: boolean | undefined; ignitionOffMinutes?: number | undefined; stillMinutes?: number | undefined; geofences?: readonly (string)[] | undefined; minVoltage?: number | undefined; minSignal?: number | undefined; uplinks?: readonly ("cellular" | "ethernet" | "wifi" | "satellite")[] | undefined } | null; created: string; by: string; total: number; states: Partial<Record<"waiting" | "downloading" | "verifying" | "applying" | "rebooting" | "successful" | "failed" | "rolled-back" | "unsupported", number>>; offline: number; outdated: number } };
  };
  /** The routers of a rollout by state, with reasons. `GET /data_manager/v1/binding/group/targets` */
  "rollouts.targets": {
    kind: "json";
    input: { query: { realm?: string | undefined; org?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; sort?: "state" | "-state" | "serial" | "-serial" | "updated" | "-updated" | undefined; search?: string | undefined; field?: "serial" | "vehicle" | undefined; ignoreCase?: "true" | undefined; rollout: string; state?: "waiting" | "downloading" | "verifying" | "applying" | "rebooting" | "successful" | "failed" | "rolled-back" | "unsupported" | undefined } };
    answer: { result: readonly ({ device: string; serial_number: string; vehicle_number: string; presence: "online" | "offline" | "unknown"; state: "waiting" | "downloading" | "verifying" | "applying" | "rebooting" | "successful" | "failed" | "rolled-back" | "unsupported"; reason: string | null; detail: string | null; percent: number; attempt: number; current: string | null; checkedBy: string | null; updated: number })[]; total?: number | undefined; offset?: number | undefined; next?: string | null | undefined; previous?: string | null | undefined };
  };
  /** The lines of a version, and of another one of the same device to compare it with. Passwords and keys are masked; equal ones have the same number. `GET /data_manager/v1/dm/router-backups/{backup}/text` */
  "routerBackups.compare": {
    kind: "json";
    input: { params: { backup: string }; query?: { realm?: string | undefined; org?: string | undefined; against?: string | undefined } | undefined };
    answer: { result: { text: string | null; against: string | null } };
  };
  /** The file of a version as the router sent it, with its passwords and keys: each call is logged. `GET /data_manager/v1/dm/router-backups/{backup}/file` */
  "routerBackups.file": {
    kind: "file";
    input: { params: { backup: string }; query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: string;
  };
  /** Versions of the configuration of a device’s router, the newest first, without their contents. `GET /data_manager/v1/dm/devices/{device}/backups` */
  "routerBackups.list": {
    kind: "json";
    input: { params: { device: string }; query?: { realm?: string | undefined; org?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined } | undefined };
    answer: { result: readonly ({ id: string; device: string; serial_number: string; model: string; firmware: string; name: string; bytes: number; sha256: string; text: boolean; created: string; confirmed: string; by: string })[]; total?: number | undefined; offset?: number | undefined; next?: string | null | undefined; previous?: string | null | undefined };
  };
  /** Devices by serial number whose last backup is older than so many days, or that have none. `GET /data_manager/v1/dm/router-backups/overdue` */
  "routerBackups.overdue": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; days?: number | undefined } | undefined };
    answer: { result: readonly ({ device: string; serial_number: string; vehicle_number: string; online: boolean; last: string | null; offered: boolean | null })[]; total?: number | undefined; offset?: number | undefined; next?: string | null | undefined; previous?: string | null | undefined };
  };
  /** Send a version back to the router that its device has now: the same one, or its replacement of the same model. With `wait` it waits like any command. `POST /data_manager/v1/dm/router-backups/{backup}/restore` */
  "routerBackups.restore": {
    kind: "json";
    input: { params: { backup: string }; body: { realm?: string | undefined; org?: string | undefined; confirmation: string; wait?: number | undefined } };
    answer: { result: { id: string; device: string; serial_number: string; vehicle_number: string; kind: "reboot" | "identify" | "report" | "roaming" | "name" | "zone" | "restart-modem" | "factory-reset" | "apply-settings" | "backup-config" | "set-password" | "restore-config"; argument: string; name: string; state: "waiting" | "sent" | "running" | "done" | "failed" | "expired" | "cancelled"; reason: "unsupported" | "rejected" | "failed" | "interrupted" | "no-answer" | "no-file" | "gone" | "replaced" | "not-allowed" | "window-hours" | "window-ignition" | "window-moving" | "window-geofence" | "window-voltage" | "window-signal" | "window-uplink" | "window-no-ignition" | "window-no-position" | "window-no-geofence" | "window-no-voltage" | "window-no-signal" | "window-no-uplink" | null; message: string; by: string; job: string | null; created: string; expires: string; sent: string | null; ended: string | null } };
  };
  /** Change when routers are backed up by themselves, and how long versions are kept. A router is backed up at once by `commands.send` or a job of the kind `backup-config`. Accepts If-Match with its `version`. `PUT /data_manager/v1/dm/router-backups/settings` */
  "routerBackups.saveSettings": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; nightly: boolean; hour: number; zone: string; versions: number; days: number } };
    answer: { result: { nightly: boolean; hour: number; zone: string; versions: number; days: number; by: string; stopped: string | null; version: string } };
  };
  /** When routers of an organization are backed up by themselves, and how long versions are kept. `GET /data_manager/v1/dm/router-backups/settings` */
  "routerBackups.settings": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: { nightly: boolean; hour: number; zone: string; versions: number; days: number; by: string; stopped: string | null; version: string } };
  };
  /** Devices with the state of the password of their own web page, by id, without the passwords. `GET /data_manager/v1/dm/router-passwords` */
  "routerPasswords.list": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; device?: string | undefined; due?: "true" | undefined } | undefined };
    answer: { result: readonly ({ device: string; serial_number: string; vehicle_number: string; username: string | null; set: string | null; due: string | null; is_due: boolean; pending: "unconfirmed" | "waiting" | null; offered: boolean | null })[]; total?: number | undefined; offset?: number | undefined; next?: string | null | undefined; previous?: string | null | undefined };
  };
  /** Change how passwords of routers are generated and when they are due; automatic rotation needs days. Accepts If-Match with its `version`. `PUT /data_manager/v1/dm/router-passwords/settings` */
  "routerPasswords.saveSettings": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; length: number; symbols: boolean; rotateDays: number | null; automatic: boolean } };
    answer: { result: { length: number; symbols: boolean; rotateDays: number | null; automatic: boolean; version: string } };
  };
  /** Set the password of a router’s own user, typed or random, at once or with `wait` when it connects. A random one is in this answer; later it is shown by its own call. `POST /data_manager/v1/dm/device/password` */
  "routerPasswords.set": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; device: string; username?: string | undefined; password?: string | undefined; wait?: number | undefined; window?: { hours?: readonly ({ days: readonly (number)[]; from: string; until: string })[] | undefined; zone: string; local?: boolean | undefined; ignitionOffMinutes?: number | undefined; stillMinutes?: number | undefined; geofences?: readonly (string)[] | undefined; minVoltage?: number | undefined; minSignal?: number | undefined; uplinks?: readonly ("cellular" | "ethernet" | "wifi" | "satellite")[] | undefined } | undefined } };
    answer: { result: { command: { id: string; device: string; serial_number: string; vehicle_number: string; kind: "reboot" | "identify" | "report" | "roaming" | "name" | "zone" | "restart-modem" | "factory-reset" | "apply-settings" | "backup-config" | "set-password" | "restore-config"; argument: string; name: string; state: "waiting" | "sent" | "running" | "done" | "failed" | "expired" | "cancelled"; reason: "unsupported" | "rejected" | "failed" | "interrupted" | "no-answer" | "no-file" | "gone" | "replaced" | "not-allowed" | "window-hours" | "window-ignition" | "window-moving" | "window-geofence" | "window-voltage" | "window-signal" | "window-uplink" | "window-no-ignition" | "window-no-position" | "window-no-geofence" | "window-no-voltage" | "window-no-signal" | "window-no-uplink" | null; message: string; by: string; job: string | null; created: string; expires: string; sent: string | null; ended: string | null }; password: string | null } };
  };
  /** How the organization generates passwords of routers, and when they are due. `GET /data_manager/v1/dm/router-passwords/settings` */
  "routerPasswords.settings": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: { length: number; symbols: boolean; rotateDays: number | null; automatic: boolean; version: string } };
  };
  /** Show the passwords that a router may have, the newest first; it is logged. A person sends the own password of the account, an API key does not. `POST /data_manager/v1/dm/device/password/show` */
  "routerPasswords.show": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; device: string; own_password?: string | undefined } };
    answer: { result: readonly ({ username: string; password: string; state: "set" | "unconfirmed" | "waiting"; at: string })[] };
  };
  /** Make a secret with which the directory of the organization signs in. The answer shows it once. `POST /data_manager/v1/dm/scim/secrets` */
  "scim.createSecret": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; name: string; days: number } };
    answer: { result: { address: string; secrets: readonly ({ id: string; name: string; hint: string; by: string; created: string; expires: string; expired: boolean; lastUsed: string | null; lastAddress: string | null })[]; defaultRole: "user" | "none"; groups: readonly ({ id: string; name: string; role: "admin" | "user" | null; people: number })[]; calls: readonly ({ at: string; method: string; path: string; status: number; detail: string; address: string })[]; version: string }; secret: string };
  };
  /** The directory of the organization: where it calls, its secrets, its groups with their roles, and its last calls. `GET /data_manager/v1/dm/scim` */
  "scim.get": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: { address: string; secrets: readonly ({ id: string; name: string; hint: string; by: string; created: string; expires: string; expired: boolean; lastUsed: string | null; lastAddress: string | null })[]; defaultRole: "user" | "none"; groups: readonly ({ id: string; name: string; role: "admin" | "user" | null; people: number })[]; calls: readonly ({ at: string; method: string; path: string; status: number; detail: string; address: string })[]; version: string } };
  };
  /** Revoke a secret of the directory. It is rejected at once. `DELETE /data_manager/v1/dm/scim/secrets/{secret}` */
  "scim.revokeSecret": {
    kind: "json";
    input: { params: { secret: string }; body?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: { address: string; secrets: readonly ({ id: string; name: string; hint: string; by: string; created: string; expires: string; expired: boolean; lastUsed: string | null; lastAddress: string | null })[]; defaultRole: "user" | "none"; groups: readonly ({ id: string; name: string; role: "admin" | "user" | null; people: number })[]; calls: readonly ({ at: string; method: string; path: string; status: number; detail: string; address: string })[]; version: string } };
  };
  /** Choose what the people of the groups of the directory may do; it counts at once. Accepts If-Match with its `version`. `PUT /data_manager/v1/dm/scim/roles` */
  "scim.saveRoles": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; defaultRole: "user" | "none"; groups: readonly ({ id: string; role: "admin" | "user" | null })[] } };
    answer: { result: { address: string; secrets: readonly ({ id: string; name: string; hint: string; by: string; created: string; expires: string; expired: boolean; lastUsed: string | null; lastAddress: string | null })[]; defaultRole: "user" | "none"; groups: readonly ({ id: string; name: string; role: "admin" | "user" | null; people: number })[]; calls: readonly ({ at: string; method: string; path: string; status: number; detail: string; address: string })[]; version: string } };
  };
  /** Find devices, SIMs, groups, people, firmware, config files, organizations and saved views whose name or number contains a text, ignoring case; at most 5 of each kind, the closest first. One or two characters find what begins with them. `GET /data_manager/v1/dm/search` */
  "search.find": {
    kind: "json";
    input: { query: { realm?: string | undefined; org?: string | undefined; text: string } };
    answer: { result: readonly ({ kind: "device" | "sim" | "group" | "person" | "firmware" | "config" | "organization" | "view"; id: string; title: string; detail: string; field: "vehicle" | "serial" | "iccid" | "imei" | "mtn" | "mac" | "name" | "email" | "version" | "model" | "carrier"; value: string; org: string; orgName: string })[] };
  };
  /** Create a secret for an authenticator app; codes are required only after a first one was confirmed. `POST /dmp_aa/api/v1/auth/second-factor` */
  "secondFactor.begin": {
    kind: "json";
    input: { body: { password: string } };
    answer: { result: { uri: string; secret: string } };
  };
  /** Create a secret for an authenticator app with e-mail and password, where the company requires a second factor. `POST /dmp_aa/api/v1/auth/second-factor/sign-in` */
  "secondFactor.beginAtSignIn": {
    kind: "json";
    input: { body: { email: string; password: string } };
    answer: { result: { uri: string; secret: string } };
  };
  /** Turn the second factor on with a first code; answers the recovery codes, only once. `POST /dmp_aa/api/v1/auth/second-factor/confirm` */
  "secondFactor.confirm": {
    kind: "json";
    input: { body: { code: string } };
    answer: { result: { recoveryCodes: readonly (string)[] } };
  };
  /** Turn that second factor on with a first code, and sign in; answers the recovery codes, only once. `POST /dmp_aa/api/v1/auth/second-factor/sign-in/confirm` */
  "secondFactor.confirmAtSignIn": {
    kind: "json";
    input: { body: { email: string; password: string; code: string } };
    answer: { result: { id: string; vap: string; recoveryCodes: readonly (string)[] } };
  };
  /** Turn the second factor off, with the password and a code. `DELETE /dmp_aa/api/v1/auth/second-factor` */
  "secondFactor.end": {
    kind: "json";
    input: { body: { password: string; code: string } };
    answer: { result: { ended: number } };
  };
  /** Whether the caller's account requires a second factor. `GET /dmp_aa/api/v1/auth/second-factor` */
  "secondFactor.get": {
    kind: "json";
    input: Record<string, never>;
    answer: { result: { enabled: boolean; since: number | null; recoveryCodes: number } };
  };
  /** Turn off a colleague's second factor, whose phone and recovery codes are lost. `DELETE /dmp_aa/api/v1/accounts/{id}/second-factor` */
  "secondFactor.reset": {
    kind: "json";
    input: { params: { id: string } };
    answer: { result: { ended: number } };
  };
  /** Make what the router of a device reports instead of what is set an exception of this device. `POST /data_manager/v1/dm/device/settings/adopt` */
  "settings.adopt": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; device: string } };
    answer: { result: { device: string; serial_number: string; vehicle_number: string; online: boolean; state: "as-set" | "differs" | "incomplete" | "not-readable" | "not-sent" | "none"; checked: string | null; values: readonly ({ path: string; value: string | null; resolved: string | null; from: "organization" | "group" | "device"; overrides: readonly ({ path: string; value: string | null; from: "organization" | "group" | "device" })[]; state: "as-set" | "hidden" | "differs" | "rejected" | "returned" | "missing" | "no-value" | "invalid" | "not-sent"; actual: string | null; since: string | null; by: string; message: string })[]; removals: readonly (string)[]; command: { id: string; state: "waiting" | "sent" | "running" | "done" | "failed" | "expired" | "cancelled"; reason: "unsupported" | "rejected" | "failed" | "interrupted" | "no-answer" | "no-file" | "gone" | "replaced" | "not-allowed" | "window-hours" | "window-ignition" | "window-moving" | "window-geofence" | "window-voltage" | "window-signal" | "window-uplink" | "window-no-ignition" | "window-no-position" | "window-no-geofence" | "window-no-voltage" | "window-no-signal" | "window-no-uplink" | null; message: string; created: string; ended: string | null } | null } };
  };
  /** Make what routers report instead of what is set exceptions of their devices: of a group, or of the organization; at most 500 devices at a time. `POST /data_manager/v1/dm/settings/adopt` */
  "settings.adoptMany": {
    kind: "json";
    input: { body?: { realm?: string | undefined; org?: string | undefined; group?: string | undefined } | undefined };
    answer: { result: { devices: number; left: number } };
  };
  /** Delete a schema file by its name; values of its parameters stay stored and are not sent any more. `POST /data_manager/v1/dm/settings/schemas/delete` */
  "settings.deleteSchema": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; name: string } };
    answer: { result: readonly ({ name: string; models: readonly (string)[]; settings: readonly ({ path: string; label: { en: string; zh?: string | undefined }; help?: { en: string; zh?: string | undefined } | undefined; type: "flag" | "text" | "number" | "choice" | "address" | "addresses"; least?: number | undefined; most?: number | undefined; options?: readonly (string)[] | undefined; secret?: boolean | undefined; can_cut?: boolean | undefined })[] })[] };
  };
  /** The same list as CSV or Excel workbook, with the values that differ. `GET /data_manager/v1/dm/settings/devices/export` */
  "settings.export": {
    kind: "file";
    input: { query?: { realm?: string | undefined; org?: string | undefined; group?: string | undefined; state?: "as-set" | "differs" | "incomplete" | "not-readable" | "not-sent" | "none" | undefined; format?: "csv" | "xlsx" | undefined; language?: "en-US" | "zh-TW" | undefined; zone?: string | undefined; columns?: string | undefined } | undefined };
    answer: string;
  };
  /** Set values of devices from CSV: a column SN, and one for each path. An empty cell changes nothing, `-` removes the value of the device. Good rows are saved, bad rows listed; nothing is sent. `POST /data_manager/v1/dm/device/settings/import` */
  "settings.import": {
    kind: "json";
    input: { query?: { dryRun?: string | undefined } | undefined; body: { realm?: string | undefined; org?: string | undefined; csv: string } };
    answer: { result: { dryRun: boolean; rows: number; changed: number; unchanged: number; failed: number; fail: readonly ({ row: number; serial: string; kind: "device" | "twice" | "value" | "entries" | "cells" | "unreadable"; path: string })[]; doubted: number; doubts: readonly ({ row: number; serial: string; path: string; kind: "variable" | "invalid"; text: string })[]; file: { encoding?: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | "windows-1250" | "macintosh" | "big5" | undefined; encodingAssumed?: boolean | undefined; sheet?: string | undefined; ignored: readonly (string)[] } } };
  };
  /** Set values of devices from a CSV file or an Excel workbook: a column SN, and one for each path; other columns are ignored and named. An empty cell changes nothing, `-` removes the value of the device. Good rows are saved, bad rows listed; nothing is sent. `POST /data_manager/v1/dm/device/settings/import/file` */
  "settings.importFile": {
    kind: "json";
    input: { query?: { dryRun?: string | undefined; encoding?: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | "windows-1250" | "macintosh" | "big5" | undefined } | undefined; body?: { realm?: string | undefined; org?: string | undefined } | undefined; file: Blob; fileName?: string | undefined };
    answer: { result: { dryRun: boolean; rows: number; changed: number; unchanged: number; failed: number; fail: readonly ({ row: number; serial: string; kind: "device" | "twice" | "value" | "entries" | "cells" | "unreadable"; path: string })[]; doubted: number; doubts: readonly ({ row: number; serial: string; path: string; kind: "variable" | "invalid"; text: string })[]; file: { encoding?: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | "windows-1250" | "macintosh" | "big5" | undefined; encodingAssumed?: boolean | undefined; sheet?: string | undefined; ignored: readonly (string)[] } } };
  };
  /** Replace what the organization, a group or a device sets by a profile; nothing is sent to routers. With `dryRun` the difference and every wrong row are answered, and nothing is saved; neither is anything while a row is wrong. Honours If-Match. `POST /data_manager/v1/dm/settings/profile` */
  "settings.importProfile": {
    kind: "json";
    input: { query?: { dryRun?: string | undefined } | undefined; body: { realm?: string | undefined; org?: string | undefined; group?: string | undefined; device?: string | undefined; profile: { format: "highline-settings-profile"; version: 1; name: string; values: readonly ({ path: string; value: string | null })[] } } };
    answer: { result: { dryRun: boolean; saved: boolean; problems: readonly ({ row: number; path: string; kind: "unknown" | "value" | "twice" | "secret" | "entries" })[]; changes: readonly ({ path: string; before: string | null; after: string | null; isSecret: boolean })[]; values: readonly ({ path: string; value: string | null })[] } };
  };
  /** Devices by serial number with the state of their settings, the result of the last command that applied them included. `GET /data_manager/v1/dm/settings/devices` */
  "settings.list": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined; group?: string | undefined; state?: "as-set" | "differs" | "incomplete" | "not-readable" | "not-sent" | "none" | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined } | undefined };
    answer: { result: readonly ({ device: string; serial_number: string; vehicle_number: string; online: boolean; state: "as-set" | "differs" | "incomplete" | "not-readable" | "not-sent" | "none"; checked: string | null; command: { id: string; state: "waiting" | "sent" | "running" | "done" | "failed" | "expired" | "cancelled"; reason: "unsupported" | "rejected" | "failed" | "interrupted" | "no-answer" | "no-file" | "gone" | "replaced" | "not-allowed" | "window-hours" | "window-ignition" | "window-moving" | "window-geofence" | "window-voltage" | "window-signal" | "window-uplink" | "window-no-ignition" | "window-no-position" | "window-no-geofence" | "window-no-voltage" | "window-no-signal" | "window-no-uplink" | null; message: string; created: string; ended: string | null } | null; group: string; group_name: string; differs: number; since: string | null; exceptions: number })[]; total?: number | undefined; offset?: number | undefined; next?: string | null | undefined; previous?: string | null | undefined };
  };
  /** Every value that is set for a device, where it comes from, and what its router reports: read now where that is connected, at most every 10 seconds. `GET /data_manager/v1/dm/device/settings` */
  "settings.ofDevice": {
    kind: "json";
    input: { query: { realm?: string | undefined; org?: string | undefined; device: string } };
    answer: { result: { device: string; serial_number: string; vehicle_number: string; online: boolean; state: "as-set" | "differs" | "incomplete" | "not-readable" | "not-sent" | "none"; checked: string | null; values: readonly ({ path: string; value: string | null; resolved: string | null; from: "organization" | "group" | "device"; overrides: readonly ({ path: string; value: string | null; from: "organization" | "group" | "device" })[]; state: "as-set" | "hidden" | "differs" | "rejected" | "returned" | "missing" | "no-value" | "invalid" | "not-sent"; actual: string | null; since: string | null; by: string; message: string })[]; removals: readonly (string)[]; command: { id: string; state: "waiting" | "sent" | "running" | "done" | "failed" | "expired" | "cancelled"; reason: "unsupported" | "rejected" | "failed" | "interrupted" | "no-answer" | "no-file" | "gone" | "replaced" | "not-allowed" | "window-hours" | "window-ignition" | "window-moving" | "window-geofence" | "window-voltage" | "window-signal" | "window-uplink" | "window-no-ignition" | "window-no-position" | "window-no-geofence" | "window-no-voltage" | "window-no-signal" | "window-no-uplink" | null; message: string; created: string; ended: string | null } | null } };
  };
  /** What would change on how many devices if these values were saved, and which devices lack a variable. `POST /data_manager/v1/dm/settings/preview` */
  "settings.preview": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; group?: string | undefined; device?: string | undefined; values: readonly ({ path: string; value: string | null })[]; secretsOf?: number | undefined } };
    answer: { result: { devices: number; changing: number; changes: readonly ({ path: string; before: string | null; after: string | null; isSecret: boolean; devices: number; canCut: boolean })[]; withoutReturn: { devices: number; serials: readonly (string)[] }; problems: readonly ({ path: string; kind: "variable" | "invalid"; text: string; devices: number; serials: readonly (string)[] })[] } };
  };
  /** What the organization, a group or a device sets on routers, as a profile: JSON that `settings.importProfile` takes; secrets are null. `GET /data_manager/v1/dm/settings/profile` */
  "settings.profile": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined; group?: string | undefined; device?: string | undefined } | undefined };
    answer: { result: { format: "highline-settings-profile"; version: 1; name: string; values: readonly ({ path: string; value: string | null })[] } };
  };
  /** What the organization, a group or a device sets on routers, and what it inherits; secrets are never shown. `GET /data_manager/v1/dm/settings` */
  "settings.read": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined; group?: string | undefined; device?: string | undefined } | undefined };
    answer: { result: { level: "organization" | "group" | "device"; name: string; version: number; changed: string | null; by: string; values: readonly ({ path: string; value: string | null })[]; inherited: readonly ({ path: string; value: string | null; from: "organization" | "group" | "device" })[]; devices: number; exceptions: number } };
  };
  /** What the router of a device runs now, as a profile: every parameter of its schema that it reports. `GET /data_manager/v1/dm/device/settings/running` */
  "settings.running": {
    kind: "json";
    input: { query: { realm?: string | undefined; org?: string | undefined; device: string } };
    answer: { result: { format: "highline-settings-profile"; version: 1; name: string; values: readonly ({ path: string; value: string | null })[] } };
  };
  /** Replace what the organization, a group or a device sets on routers. Nothing is sent by this: `bindings.settings` does that, and `commands.send` of the kind `apply-settings` for one device. Honours If-Match. `PUT /data_manager/v1/dm/settings` */
  "settings.save": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; group?: string | undefined; device?: string | undefined; values: readonly ({ path: string; value: string | null })[]; secretsOf?: number | undefined } };
    answer: { result: { level: "organization" | "group" | "device"; name: string; version: number; changed: string | null; by: string; values: readonly ({ path: string; value: string | null })[]; inherited: readonly ({ path: string; value: string | null; from: "organization" | "group" | "device" })[]; devices: number; exceptions: number } };
  };
  /** Store a schema file, in place of one of the same name; at most 10. `PUT /data_manager/v1/dm/settings/schemas` */
  "settings.saveSchema": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; schema: { name: string; models: readonly (string)[]; settings: readonly ({ path: string; label: { en: string; zh?: string | undefined }; help?: { en: string; zh?: string | undefined } | undefined; type: "flag" | "text" | "number" | "choice" | "address" | "addresses"; least?: number | undefined; most?: number | undefined; options?: readonly (string)[] | undefined; secret?: boolean | undefined; can_cut?: boolean | undefined })[] } } };
    answer: { result: readonly ({ name: string; models: readonly (string)[]; settings: readonly ({ path: string; label: { en: string; zh?: string | undefined }; help?: { en: string; zh?: string | undefined } | undefined; type: "flag" | "text" | "number" | "choice" | "address" | "addresses"; least?: number | undefined; most?: number | undefined; options?: readonly (string)[] | undefined; secret?: boolean | undefined; can_cut?: boolean | undefined })[] })[] };
  };
  /** Schema files of the organization: parameters of models of other vendors, or their ranges, which the form of settings then has. `GET /data_manager/v1/dm/settings/schemas` */
  "settings.schemas": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: readonly ({ name: string; models: readonly (string)[]; settings: readonly ({ path: string; label: { en: string; zh?: string | undefined }; help?: { en: string; zh?: string | undefined } | undefined; type: "flag" | "text" | "number" | "choice" | "address" | "addresses"; least?: number | undefined; most?: number | undefined; options?: readonly (string)[] | undefined; secret?: boolean | undefined; can_cut?: boolean | undefined })[] })[] };
  };
  /** What the organization, a group or a device set before, the newest first: former versions are kept for a year. To return to one, save its values with its number as `secretsOf`. `GET /data_manager/v1/dm/settings/versions` */
  "settings.versions": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined; group?: string | undefined; device?: string | undefined; before?: number | undefined } | undefined };
    answer: { result: readonly ({ version: number; changed: string; by: string; values: readonly ({ path: string; value: string | null })[] })[] };
  };
  /** Confirm an address, or end its mails with one click (RFC 8058), by the link of a mail. `POST /dmp_aa/api/v1/summaries/link` */
  "summaries.answerLink": {
    kind: "json";
    input: { query: { token: string }; body?: unknown };
    answer: { result: { purpose: "confirmed" | "unsubscribed" } };
  };
  /** Save a summary, and send it on a schedule; addresses outside confirm first. `POST /data_manager/v1/dm/summaries` */
  "summaries.create": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; name: string; kind: "data-use" | "availability" | "outages" | "signal" | "coverage" | "alerts" | "people" | "remote-sessions" | "inventory" | "settings" | "subscriptions"; format: "pdf" | "xlsx" | "csv"; group?: string | null | undefined; carrier?: string | null | undefined; tag?: string | null | undefined; sumBy?: "sims" | "vehicles" | "groups" | "plans" | "carriers" | null | undefined; columns?: readonly (string)[] | null | undefined; separator?: "comma" | "semicolon" | "tab" | undefined; zone: string; language: "en-US" | "zh-TW"; every: "never" | "day" | "week" | "month"; onDay: number; hour: number; recipients: readonly (string)[] } };
    answer: { result: { id: string; org: string | null; orgName: string; name: string; kind: "data-use" | "availability" | "outages" | "signal" | "coverage" | "alerts" | "people" | "remote-sessions" | "inventory" | "settings" | "subscriptions"; format: "pdf" | "xlsx" | "csv"; group: string | null; carrier: string | null; tag: string | null; sumBy: "sims" | "vehicles" | "groups" | "plans" | "carriers" | null; columns: readonly (string)[] | null; separator: "comma" | "semicolon" | "tab"; zone: string; language: "en-US" | "zh-TW"; every: "never" | "day" | "week" | "month"; onDay: number; hour: number; recipients: readonly (string)[]; unconfirmed: readonly (string)[]; paused: readonly (string)[]; nextAt: string | null; sentFiles: readonly (string)[]; lastRun: { at: string; state: "waiting" | "sent" | "failed"; reason: string } | null; created: string; by: string; version: string } };
  };
  /** Delete a saved summary; nothing more is sent. `DELETE /data_manager/v1/dm/summaries/{summary}` */
  "summaries.delete": {
    kind: "json";
    input: { params: { summary: string }; body?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: { deleted: number } };
  };
  /** Print documents without a logo. `DELETE /data_manager/v1/dm/summaries/settings/logo` */
  "summaries.deleteLogo": {
    kind: "json";
    input: { body?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: { target: number | null; carrierTargets: readonly ({ carrier: string; target: number })[]; filesDays: number; hasLogo: boolean; version: string } };
  };
  /** The whole report as PDF (the first 2,000 rows), Excel workbook or CSV; its first lines say what, whose and when. `GET /data_manager/v1/dm/summaries/file` */
  "summaries.file": {
    kind: "file";
    input: { query: { realm?: string | undefined; org?: string | undefined; kind: "data-use" | "availability" | "outages" | "signal" | "coverage" | "alerts" | "people" | "remote-sessions" | "inventory" | "settings" | "subscriptions"; from?: string | undefined; until?: string | undefined; zone?: string | undefined; group?: string | undefined; carrier?: string | undefined; tag?: string | undefined; sumBy?: "sims" | "vehicles" | "groups" | "plans" | "carriers" | undefined; columns?: string | undefined; language?: "en-US" | "zh-TW" | undefined; format?: "pdf" | "xlsx" | "csv" | undefined; separator?: "comma" | "semicolon" | "tab" | undefined } };
    answer: string;
  };
  /** Saved summaries with their schedule and last run, the newest first. `GET /data_manager/v1/dm/summaries` */
  "summaries.list": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined } | undefined };
    answer: { result: readonly ({ id: string; org: string | null; orgName: string; name: string; kind: "data-use" | "availability" | "outages" | "signal" | "coverage" | "alerts" | "people" | "remote-sessions" | "inventory" | "settings" | "subscriptions"; format: "pdf" | "xlsx" | "csv"; group: string | null; carrier: string | null; tag: string | null; sumBy: "sims" | "vehicles" | "groups" | "plans" | "carriers" | null; columns: readonly (string)[] | null; separator: "comma" | "semicolon" | "tab"; zone: string; language: "en-US" | "zh-TW"; every: "never" | "day" | "week" | "month"; onDay: number; hour: number; recipients: readonly (string)[]; unconfirmed: readonly (string)[]; paused: readonly (string)[]; nextAt: string | null; sentFiles: readonly (string)[]; lastRun: { at: string; state: "waiting" | "sent" | "failed"; reason: string } | null; created: string; by: string; version: string })[]; total?: number | undefined; offset?: number | undefined; next?: string | null | undefined; previous?: string | null | undefined };
  };
  /** A report about a period: data used, availability, outages, signal, coverage, alerts, people’s acts, remote sessions; or about now: inventory, settings, subscriptions. Its first rows. `GET /data_manager/v1/dm/summaries/preview` */
  "summaries.preview": {
    kind: "json";
    input: { query: { realm?: string | undefined; org?: string | undefined; kind: "data-use" | "availability" | "outages" | "signal" | "coverage" | "alerts" | "people" | "remote-sessions" | "inventory" | "settings" | "subscriptions"; from?: string | undefined; until?: string | undefined; zone?: string | undefined; group?: string | undefined; carrier?: string | undefined; tag?: string | undefined; sumBy?: "sims" | "vehicles" | "groups" | "plans" | "carriers" | undefined; columns?: string | undefined; language?: "en-US" | "zh-TW" | undefined } };
    answer: { result: { title: string; lines: readonly (string)[]; columns: readonly ({ title: string; isNumber: boolean })[]; allColumns: readonly ({ id: string; title: string })[]; rows: readonly (readonly (string)[])[]; isCut: boolean } };
  };
  /** Send to a recipient of `paused` again, of all summaries of the organization or main account. `POST /data_manager/v1/dm/summaries/{summary}/resume` */
  "summaries.resume": {
    kind: "json";
    input: { params: { summary: string }; body: { realm?: string | undefined; org?: string | undefined; mail: string } };
    answer: { result: { id: string; org: string | null; orgName: string; name: string; kind: "data-use" | "availability" | "outages" | "signal" | "coverage" | "alerts" | "people" | "remote-sessions" | "inventory" | "settings" | "subscriptions"; format: "pdf" | "xlsx" | "csv"; group: string | null; carrier: string | null; tag: string | null; sumBy: "sims" | "vehicles" | "groups" | "plans" | "carriers" | null; columns: readonly (string)[] | null; separator: "comma" | "semicolon" | "tab"; zone: string; language: "en-US" | "zh-TW"; every: "never" | "day" | "week" | "month"; onDay: number; hour: number; recipients: readonly (string)[]; unconfirmed: readonly (string)[]; paused: readonly (string)[]; nextAt: string | null; sentFiles: readonly (string)[]; lastRun: { at: string; state: "waiting" | "sent" | "failed"; reason: string } | null; created: string; by: string; version: string } };
  };
  /** Replace a saved summary. Accepts If-Match with its `version`. `PUT /data_manager/v1/dm/summaries/{summary}` */
  "summaries.save": {
    kind: "json";
    input: { params: { summary: string }; body: { realm?: string | undefined; org?: string | undefined; name: string; kind: "data-use" | "availability" | "outages" | "signal" | "coverage" | "alerts" | "people" | "remote-sessions" | "inventory" | "settings" | "subscriptions"; format: "pdf" | "xlsx" | "csv"; group?: string | null | undefined; carrier?: string | null | undefined; tag?: string | null | undefined; sumBy?: "sims" | "vehicles" | "groups" | "plans" | "carriers" | null | undefined; columns?: readonly (string)[] | null | undefined; separator?: "comma" | "semicolon" | "tab" | undefined; zone: string; language: "en-US" | "zh-TW"; every: "never" | "day" | "week" | "month"; onDay: number; hour: number; recipients: readonly (string)[] } };
    answer: { result: { id: string; org: string | null; orgName: string; name: string; kind: "data-use" | "availability" | "outages" | "signal" | "coverage" | "alerts" | "people" | "remote-sessions" | "inventory" | "settings" | "subscriptions"; format: "pdf" | "xlsx" | "csv"; group: string | null; carrier: string | null; tag: string | null; sumBy: "sims" | "vehicles" | "groups" | "plans" | "carriers" | null; columns: readonly (string)[] | null; separator: "comma" | "semicolon" | "tab"; zone: string; language: "en-US" | "zh-TW"; every: "never" | "day" | "week" | "month"; onDay: number; hour: number; recipients: readonly (string)[]; unconfirmed: readonly (string)[]; paused: readonly (string)[]; nextAt: string | null; sentFiles: readonly (string)[]; lastRun: { at: string; state: "waiting" | "sent" | "failed"; reason: string } | null; created: string; by: string; version: string } };
  };
  /** Put a PNG or JPEG file at the head of documents. `POST /data_manager/v1/dm/summaries/settings/logo` */
  "summaries.saveLogo": {
    kind: "json";
    input: { body?: { realm?: string | undefined; org?: string | undefined } | undefined; file: Blob; fileName?: string | undefined };
    answer: { result: { target: number | null; carrierTargets: readonly ({ carrier: string; target: number })[]; filesDays: number; hasLogo: boolean; version: string } };
  };
  /** Replace it, all but the logo. Accepts If-Match with its `version`. `PUT /data_manager/v1/dm/summaries/settings` */
  "summaries.saveSettings": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; target: number | null; carrierTargets: readonly ({ carrier: string; target: number })[]; filesDays: number } };
    answer: { result: { target: number | null; carrierTargets: readonly ({ carrier: string; target: number })[]; filesDays: number; hasLogo: boolean; version: string } };
  };
  /** Send a saved summary to its recipients now. `POST /data_manager/v1/dm/summaries/{summary}/send` */
  "summaries.send": {
    kind: "json";
    input: { params: { summary: string }; body?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: { id: string; org: string | null; orgName: string; name: string; kind: "data-use" | "availability" | "outages" | "signal" | "coverage" | "alerts" | "people" | "remote-sessions" | "inventory" | "settings" | "subscriptions"; format: "pdf" | "xlsx" | "csv"; group: string | null; carrier: string | null; tag: string | null; sumBy: "sims" | "vehicles" | "groups" | "plans" | "carriers" | null; columns: readonly (string)[] | null; separator: "comma" | "semicolon" | "tab"; zone: string; language: "en-US" | "zh-TW"; every: "never" | "day" | "week" | "month"; onDay: number; hour: number; recipients: readonly (string)[]; unconfirmed: readonly (string)[]; paused: readonly (string)[]; nextAt: string | null; sentFiles: readonly (string)[]; lastRun: { at: string; state: "waiting" | "sent" | "failed"; reason: string } | null; created: string; by: string; version: string } };
  };
  /** The file that a saved summary sent at a time of `sentFiles`, as long as the organization keeps it. `GET /data_manager/v1/dm/summaries/{summary}/sent` */
  "summaries.sentFile": {
    kind: "file";
    input: { params: { summary: string }; query?: { realm?: string | undefined; org?: string | undefined; at?: string | undefined } | undefined };
    answer: string;
  };
  /** What the reports of an organization have in common: availability that is agreed, logo, how long files are kept. `GET /data_manager/v1/dm/summaries/settings` */
  "summaries.settings": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: { target: number | null; carrierTargets: readonly ({ carrier: string; target: number })[]; filesDays: number; hasLogo: boolean; version: string } };
  };
  /** What is stored of a device of the last days, without secrets and positions, as a ZIP file of JSON lines: readings, connections, alerts, log, rollouts, tests. What the own role or API key of the caller does not let it read elsewhere is left out. Each call is logged. `GET /data_manager/v1/dm/devices/{device}/support-bundle` */
  "tools.bundle": {
    kind: "file";
    input: { params: { device: string }; query?: { realm?: string | undefined; org?: string | undefined; days?: number | undefined } | undefined };
    answer: string;
  };
  /** The capture or the log that a router sent. It may hold what passengers and drivers sent, so each call is logged. `GET /data_manager/v1/dm/tools/{run}/file` */
  "tools.file": {
    kind: "file";
    input: { params: { run: string }; query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: string;
  };
  /** A test with its result, and the last 20 of its kind and device before it, the newest first. `GET /data_manager/v1/dm/tools/{run}` */
  "tools.get": {
    kind: "json";
    input: { params: { run: string }; query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: { run: { id: string; device: string; input: { tool: "ping"; host: string; ipVersion: "4" | "6" | "any"; count: number; bytes: number } | { tool: "traceroute"; host: string; ipVersion: "4" | "6" | "any"; hops: number } | { tool: "dns"; host: string; server: string } | { tool: "download"; bytes: number } | { tool: "upload"; bytes: number } | { tool: "capture"; seconds: number; bytes: number } | { tool: "log" }; state: "running" | "done" | "failed"; by: string; rule: string | null; started: string; ended: string | null; result: { tool: "ping"; status: "complete" | "unknown-host" | "no-route" | "too-many-hops" | "no-server" | "no-connection" | "no-answer" | "interrupted" | "not-uploaded" | "other"; address: string | null; answered: number; lost: number; least: number | null; average: number | null; most: number | null } | { tool: "traceroute"; status: "complete" | "unknown-host" | "no-route" | "too-many-hops" | "no-server" | "no-connection" | "no-answer" | "interrupted" | "not-uploaded" | "other"; address: string | null; hops: readonly ({ host: string; address: string; times: readonly (number)[] })[] } | { tool: "dns"; status: "complete" | "unknown-host" | "no-route" | "too-many-hops" | "no-server" | "no-connection" | "no-answer" | "interrupted" | "not-uploaded" | "other"; answers: readonly ({ status: "found" | "unknown-host" | "no-server" | "timeout" | "other"; addresses: readonly (string)[]; server: string; milliseconds: number | null })[] } | { tool: "download"; status: "complete" | "unknown-host" | "no-route" | "too-many-hops" | "no-server" | "no-connection" | "no-answer" | "interrupted" | "not-uploaded" | "other"; address: string | null; transferred: number; milliseconds: number | null; bitsPerSecond: number | null } | { tool: "upload"; status: "complete" | "unknown-host" | "no-route" | "too-many-hops" | "no-server" | "no-connection" | "no-answer" | "interrupted" | "not-uploaded" | "other"; address: string | null; transferred: number; milliseconds: number | null; bitsPerSecond: number | null } | { tool: "capture"; status: "complete" | "unknown-host" | "no-route" | "too-many-hops" | "no-server" | "no-connection" | "no-answer" | "interrupted" | "not-uploaded" | "other"; packets: number | null } | { tool: "log"; status: "complete" | "unknown-host" | "no-route" | "too-many-hops" | "no-server" | "no-connection" | "no-answer" | "interrupted" | "not-uploaded" | "other" } | null; failure: { cause: "unsupported" | "busy" | "rejected" | "interrupted" | "failed" | "offline" | "no-end" | "not-allowed"; message: string } | null; file: { bytes: number; sha256: string } | null }; earlier: readonly ({ id: string; device: string; input: { tool: "ping"; host: string; ipVersion: "4" | "6" | "any"; count: number; bytes: number } | { tool: "traceroute"; host: string; ipVersion: "4" | "6" | "any"; hops: number } | { tool: "dns"; host: string; server: string } | { tool: "download"; bytes: number } | { tool: "upload"; bytes: number } | { tool: "capture"; seconds: number; bytes: number } | { tool: "log" }; state: "running" | "done" | "failed"; by: string; rule: string | null; started: string; ended: string | null; result: { tool: "ping"; status: "complete" | "unknown-host" | "no-route" | "too-many-hops" | "no-server" | "no-connection" | "no-answer" | "interrupted" | "not-uploaded" | "other"; address: string | null; answered: number; lost: number; least: number | null; average: number | null; most: number | null } | { tool: "traceroute"; status: "complete" | "unknown-host" | "no-route" | "too-many-hops" | "no-server" | "no-connection" | "no-answer" | "interrupted" | "not-uploaded" | "other"; address: string | null; hops: readonly ({ host: string; address: string; times: readonly (number)[] })[] } | { tool: "dns"; status: "complete" | "unknown-host" | "no-route" | "too-many-hops" | "no-server" | "no-connection" | "no-answer" | "interrupted" | "not-uploaded" | "other"; answers: readonly ({ status: "found" | "unknown-host" | "no-server" | "timeout" | "other"; addresses: readonly (string)[]; server: string; milliseconds: number | null })[] } | { tool: "download"; status: "complete" | "unknown-host" | "no-route" | "too-many-hops" | "no-server" | "no-connection" | "no-answer" | "interrupted" | "not-uploaded" | "other"; address: string | null; transferred: number; milliseconds: number | null; bitsPerSecond: number | null } | { tool: "upload"; status: "complete" | "unknown-host" | "no-route" | "too-many-hops" | "no-server" | "no-connection" | "no-answer" | "interrupted" | "not-uploaded" | "other"; address: string | null; transferred: number; milliseconds: number | null; bitsPerSecond: number | null } | { tool: "capture"; status: "complete" | "unknown-host" | "no-route" | "too-many-hops" | "no-server" | "no-connection" | "no-answer" | "interrupted" | "not-uploaded" | "other"; packets: number | null } | { tool: "log"; status: "complete" | "unknown-host" | "no-route" | "too-many-hops" | "no-server" | "no-connection" | "no-answer" | "interrupted" | "not-uploaded" | "other" } | null; failure: { cause: "unsupported" | "busy" | "rejected" | "interrupted" | "failed" | "offline" | "no-end" | "not-allowed"; message: string } | null; file: { bytes: number; sha256: string } | null })[] } };
  };
  /** Tests that were run on a router within the last 90 days, the newest first. `GET /data_manager/v1/dm/devices/{device}/tools` */
  "tools.list": {
    kind: "json";
    input: { params: { device: string }; query?: { realm?: string | undefined; org?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; tool?: "ping" | "traceroute" | "dns" | "download" | "upload" | "capture" | "log" | undefined } | undefined };
    answer: { result: readonly ({ id: string; device: string; input: { tool: "ping"; host: string; ipVersion: "4" | "6" | "any"; count: number; bytes: number } | { tool: "traceroute"; host: string; ipVersion: "4" | "6" | "any"; hops: number } | { tool: "dns"; host: string; server: string } | { tool: "download"; bytes: number } | { tool: "upload"; bytes: number } | { tool: "capture"; seconds: number; bytes: number } | { tool: "log" }; state: "running" | "done" | "failed"; by: string; rule: string | null; started: string; ended: string | null; result: { tool: "ping"; status: "complete" | "unknown-host" | "no-route" | "too-many-hops" | "no-server" | "no-connection" | "no-answer" | "interrupted" | "not-uploaded" | "other"; address: string | null; answered: number; lost: number; least: number | null; average: number | null; most: number | null } | { tool: "traceroute"; status: "complete" | "unknown-host" | "no-route" | "too-many-hops" | "no-server" | "no-connection" | "no-answer" | "interrupted" | "not-uploaded" | "other"; address: string | null; hops: readonly ({ host: string; address: string; times: readonly (number)[] })[] } | { tool: "dns"; status: "complete" | "unknown-host" | "no-route" | "too-many-hops" | "no-server" | "no-connection" | "no-answer" | "interrupted" | "not-uploaded" | "other"; answers: readonly ({ status: "found" | "unknown-host" | "no-server" | "timeout" | "other"; addresses: readonly (string)[]; server: string; milliseconds: number | null })[] } | { tool: "download"; status: "complete" | "unknown-host" | "no-route" | "too-many-hops" | "no-server" | "no-connection" | "no-answer" | "interrupted" | "not-uploaded" | "other"; address: string | null; transferred: number; milliseconds: number | null; bitsPerSecond: number | null } | { tool: "upload"; status: "complete" | "unknown-host" | "no-route" | "too-many-hops" | "no-server" | "no-connection" | "no-answer" | "interrupted" | "not-uploaded" | "other"; address: string | null; transferred: number; milliseconds: number | null; bitsPerSecond: number | null } | { tool: "capture"; status: "complete" | "unknown-host" | "no-route" | "too-many-hops" | "no-server" | "no-connection" | "no-answer" | "interrupted" | "not-uploaded" | "other"; packets: number | null } | { tool: "log"; status: "complete" | "unknown-host" | "no-route" | "too-many-hops" | "no-server" | "no-connection" | "no-answer" | "interrupted" | "not-uploaded" | "other" } | null; failure: { cause: "unsupported" | "busy" | "rejected" | "interrupted" | "failed" | "offline" | "no-end" | "not-allowed"; message: string } | null; file: { bytes: number; sha256: string } | null })[]; total?: number | undefined; offset?: number | undefined; next?: string | null | undefined; previous?: string | null | undefined };
  };
  /** The tests that the data model of a connected router has. `GET /data_manager/v1/dm/devices/{device}/tools/offered` */
  "tools.offered": {
    kind: "json";
    input: { params: { device: string }; query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: readonly ("ping" | "traceroute" | "dns" | "download" | "upload" | "capture" | "log")[] };
  };
  /** Have a router run a test: one of a kind at once. Its end comes as an event of the topic `tools` and with tools.get. `POST /data_manager/v1/dm/devices/{device}/tools` */
  "tools.run": {
    kind: "json";
    input: { params: { device: string }; body: { realm?: string | undefined; org?: string | undefined; input: { tool: "ping"; host: string; ipVersion: "4" | "6" | "any"; count: number; bytes: number } | { tool: "traceroute"; host: string; ipVersion: "4" | "6" | "any"; hops: number } | { tool: "dns"; host: string; server: string } | { tool: "download"; bytes: number } | { tool: "upload"; bytes: number } | { tool: "capture"; seconds: number; bytes: number } | { tool: "log" } } };
    answer: { result: { id: string; device: string; input: { tool: "ping"; host: string; ipVersion: "4" | "6" | "any"; count: number; bytes: number } | { tool: "traceroute"; host: string; ipVersion: "4" | "6" | "any"; hops: number } | { tool: "dns"; host: string; server: string } | { tool: "download"; bytes: number } | { tool: "upload"; bytes: number } | { tool: "capture"; seconds: number; bytes: number } | { tool: "log" }; state: "running" | "done" | "failed"; by: string; rule: string | null; started: string; ended: string | null; result: { tool: "ping"; status: "complete" | "unknown-host" | "no-route" | "too-many-hops" | "no-server" | "no-connection" | "no-answer" | "interrupted" | "not-uploaded" | "other"; address: string | null; answered: number; lost: number; least: number | null; average: number | null; most: number | null } | { tool: "traceroute"; status: "complete" | "unknown-host" | "no-route" | "too-many-hops" | "no-server" | "no-connection" | "no-answer" | "interrupted" | "not-uploaded" | "other"; address: string | null; hops: readonly ({ host: string; address: string; times: readonly (number)[] })[] } | { tool: "dns"; status: "complete" | "unknown-host" | "no-route" | "too-many-hops" | "no-server" | "no-connection" | "no-answer" | "interrupted" | "not-uploaded" | "other"; answers: readonly ({ status: "found" | "unknown-host" | "no-server" | "timeout" | "other"; addresses: readonly (string)[]; server: string; milliseconds: number | null })[] } | { tool: "download"; status: "complete" | "unknown-host" | "no-route" | "too-many-hops" | "no-server" | "no-connection" | "no-answer" | "interrupted" | "not-uploaded" | "other"; address: string | null; transferred: number; milliseconds: number | null; bitsPerSecond: number | null } | { tool: "upload"; status: "complete" | "unknown-host" | "no-route" | "too-many-hops" | "no-server" | "no-connection" | "no-answer" | "interrupted" | "not-uploaded" | "other"; address: string | null; transferred: number; milliseconds: number | null; bitsPerSecond: number | null } | { tool: "capture"; status: "complete" | "unknown-host" | "no-route" | "too-many-hops" | "no-server" | "no-connection" | "no-answer" | "interrupted" | "not-uploaded" | "other"; packets: number | null } | { tool: "log"; status: "complete" | "unknown-host" | "no-route" | "too-many-hops" | "no-server" | "no-connection" | "no-answer" | "interrupted" | "not-uploaded" | "other" } | null; failure: { cause: "unsupported" | "busy" | "rejected" | "interrupted" | "failed" | "offline" | "no-end" | "not-allowed"; message: string } | null; file: { bytes: number; sha256: string } | null } };
  };
  /** Change which addresses the routers of an organization may test. Tests that run go on. Accepts If-Match with its `version`. `PUT /data_manager/v1/dm/tool-targets` */
  "tools.saveTargets": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; allow: "any" | "public" | "listed"; ranges: readonly (string)[] } };
    answer: { result: { allow: "any" | "public" | "listed"; ranges: readonly (string)[]; version: string } };
  };
  /** The speeds that tests of a router measured within the last 90 days and where, the newest 500, the newest first. `GET /data_manager/v1/dm/devices/{device}/tools/speeds` */
  "tools.speeds": {
    kind: "json";
    input: { params: { device: string }; query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: readonly ({ run: string; tool: "download" | "upload"; at: string; bitsPerSecond: number; place: { latitude: number; longitude: number } | null })[] };
  };
  /** Which addresses the routers of an organization may test. `GET /data_manager/v1/dm/tool-targets` */
  "tools.targets": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: { allow: "any" | "public" | "listed"; ranges: readonly (string)[]; version: string } };
  };
  /** The same list as CSV or Excel workbook; its name says by what and of which month. `GET /data_manager/v1/dm/usage/export` */
  "usage.export": {
    kind: "file";
    input: { query?: { realm?: string | undefined; org?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; sort?: "total" | "-total" | "sent" | "-sent" | "received" | "-received" | undefined; search?: string | undefined; field?: "iccid" | "vehicle" | undefined; ignoreCase?: "true" | undefined; by?: "sims" | "vehicles" | "groups" | "organizations" | undefined; cycle?: "current" | "last" | undefined; format?: "csv" | "xlsx" | undefined; columns?: string | undefined; language?: "en-US" | "zh-TW" | undefined } | undefined };
    answer: string;
  };
  /** Data used in the running or the last cycle by SIMs, vehicles, groups or, for the main account, organizations, the most first. Bytes. `GET /data_manager/v1/dm/usage` */
  "usage.list": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; sort?: "total" | "-total" | "sent" | "-sent" | "received" | "-received" | undefined; search?: string | undefined; field?: "iccid" | "vehicle" | undefined; ignoreCase?: "true" | undefined; by?: "sims" | "vehicles" | "groups" | "organizations" | undefined; cycle?: "current" | "last" | undefined } | undefined };
    answer: { result: readonly ({ id: string; name: string; org: string; orgName: string; device: string; deviceName: string; serial: string; carrier: string; cycleFrom: string; cycleUntil: string; sent: number; received: number; total: number; before: number })[]; total?: number | undefined; offset?: number | undefined; next?: string | null | undefined; previous?: string | null | undefined };
  };
  /** Data used this calendar month, or the last, by day, next to the month before; of a scope, a device or a SIM. Days are of the time zone of the organization. `GET /data_manager/v1/dm/usage/month` */
  "usage.month": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined; cycle?: "current" | "last" | undefined; device?: string | undefined; iccid?: string | undefined } | undefined };
    answer: { result: { month: string; today: string; zone: string; nextZone: { zone: string; from: string } | null; isCalendar: boolean; days: readonly ({ day: number; sent: number; received: number; before: number | null })[]; sent: number; received: number; before: number; beforeToDate: number } };
  };
  /** Data used this cycle by the SIMs of one device, or by SIMs and devices of the scope that are named. `GET /data_manager/v1/dm/usage/of` */
  "usage.of": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined; devices?: string | undefined; iccids?: string | undefined } | undefined };
    answer: { result: { devices: readonly ({ iccid: string; org: string; cycleFrom: string; cycleUntil: string; sent: number; received: number; total: number; before: number; device: string })[]; sims: readonly ({ iccid: string; org: string; cycleFrom: string; cycleUntil: string; sent: number; received: number; total: number; before: number })[] } };
  };
  /** Add a plan. SIMs are matched with it within seconds. For an action at the allowance the caller, a person or an API key, also needs commands.run or esims.use. `POST /data_manager/v1/dm/usage/plans` */
  "usagePlans.add": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; name: string; cycleDay: number; allowance: number; isPool: boolean; costPerGb: number | null; currency: string; appliesTo: "chosen" | "carrier" | "all"; carrier: string; shares: readonly (number)[]; action: "mail" | "command" | "profile"; command: string | null } };
    answer: { result: { id: string } };
  };
  /** Choose this plan for SIMs by ICCID, or take it from them. A SIM that was not used yet may be named; its number is checked. `POST /data_manager/v1/dm/usage/plans/{plan}/sims` */
  "usagePlans.assign": {
    kind: "json";
    input: { params: { plan: string }; body: { realm?: string | undefined; org?: string | undefined; iccids: readonly (string)[]; remove?: boolean | undefined; confirmed?: boolean | undefined; dryRun?: boolean | undefined } };
    answer: { result: { sims: number; damaged: readonly (string)[]; doubts: readonly (string)[] } };
  };
  /** Delete a plan. Its SIMs get the plan of their carrier or of all, or none. `DELETE /data_manager/v1/dm/usage/plans/{plan}` */
  "usagePlans.delete": {
    kind: "json";
    input: { params: { plan: string }; query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: { deleted: number } };
  };
  /** Plans of an organization with use, forecast and cost of the running cycle. `GET /data_manager/v1/dm/usage/plans` */
  "usagePlans.list": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: readonly ({ name: string; cycleDay: number; allowance: number; isPool: boolean; costPerGb: number | null; currency: string; appliesTo: "chosen" | "carrier" | "all"; carrier: string; shares: readonly (number)[]; action: "mail" | "command" | "profile"; command: string | null; id: string; version: number; use: { cycleFrom: string; cycleUntil: string; sims: number; used: number; allowance: number; forecast: number | null; over: number; cost: number | null; costForecast: number | null }; notDone: readonly ({ reason: "no_device" | "no_command" | "too_many_jobs" | "no_profile" | "not_allowed"; sims: number })[] })[] };
  };
  /** What a plan would do if it applied now: dry run, nothing is sent or changed. `POST /data_manager/v1/dm/usage/plans/preview` */
  "usagePlans.preview": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; name: string; cycleDay: number; allowance: number; isPool: boolean; costPerGb: number | null; currency: string; appliesTo: "chosen" | "carrier" | "all"; carrier: string; shares: readonly (number)[]; action: "mail" | "command" | "profile"; command: string | null; plan: string | null } };
    answer: { result: { use: { cycleFrom: string; cycleUntil: string; sims: number; used: number; allowance: number; forecast: number | null; over: number; cost: number | null; costForecast: number | null }; effects: readonly ({ iccid: string; deviceName: string; used: number; percent: number; share: number; does: readonly ("mail" | "command" | "profile")[] })[]; total: number } };
  };
  /** The ICCIDs in the column ICCID of a CSV file or an Excel workbook, each once and as it is written, to choose a plan for them. Nothing is changed. `POST /data_manager/v1/dm/usage/plans/file` */
  "usagePlans.readFile": {
    kind: "json";
    input: { body?: { realm?: string | undefined; org?: string | undefined } | undefined; file: Blob; fileName?: string | undefined };
    answer: { result: { iccids: readonly (string)[] } };
  };
  /** Change a plan; `version` is the one that it is based on. `PUT /data_manager/v1/dm/usage/plans/{plan}` */
  "usagePlans.save": {
    kind: "json";
    input: { params: { plan: string }; body: { realm?: string | undefined; org?: string | undefined; name: string; cycleDay: number; allowance: number; isPool: boolean; costPerGb: number | null; currency: string; appliesTo: "chosen" | "carrier" | "all"; carrier: string; shares: readonly (number)[]; action: "mail" | "command" | "profile"; command: string | null; version: number } };
    answer: { result: { id: string } };
  };
  /** Choose the time zone of days and cycles of an organization: from its next midnight on, and from the beginning where no data was used yet. `PUT /data_manager/v1/dm/usage/zone` */
  "usagePlans.setZone": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; zone: string } };
    answer: { result: { zone: string; from: string | null } };
  };
  /** Save a view of a list under a name. Only admins and the main account share views. `POST /data_manager/v1/dm/views` */
  "views.add": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; list: "devices" | "org-devices" | "service" | "esims" | "groups" | "firmware" | "configs" | "users" | "colleagues" | "inventory" | "logs" | "organizations" | "jobs" | "api-keys"; name: string; shared?: boolean | undefined; content: { search: Record<string, string>; layout: { columns?: Record<string, boolean> | undefined; order?: readonly (string)[] | undefined; widths?: Record<string, number> | undefined; density?: "comfortable" | "compact" | undefined; wrap?: boolean | undefined } } } };
    answer: { result: { id: string; list: "devices" | "org-devices" | "service" | "esims" | "groups" | "firmware" | "configs" | "users" | "colleagues" | "inventory" | "logs" | "organizations" | "jobs" | "api-keys"; name: string; shared: boolean; own: boolean; editable: boolean; isDefault: boolean; content: { search: Record<string, string>; layout: { columns?: Record<string, boolean> | undefined; order?: readonly (string)[] | undefined; widths?: Record<string, number> | undefined; density?: "comfortable" | "compact" | undefined; wrap?: boolean | undefined } }; missing: readonly (string)[]; version: number } };
  };
  /** Delete a view; a shared one for everyone. `DELETE /data_manager/v1/dm/views/{view}` */
  "views.delete": {
    kind: "json";
    input: { params: { view: string }; query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: { deleted: number } };
  };
  /** The caller's saved views of lists, and the shared ones, by name. `GET /data_manager/v1/dm/views` */
  "views.list": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: readonly ({ id: string; list: "devices" | "org-devices" | "service" | "esims" | "groups" | "firmware" | "configs" | "users" | "colleagues" | "inventory" | "logs" | "organizations" | "jobs" | "api-keys"; name: string; shared: boolean; own: boolean; editable: boolean; isDefault: boolean; content: { search: Record<string, string>; layout: { columns?: Record<string, boolean> | undefined; order?: readonly (string)[] | undefined; widths?: Record<string, number> | undefined; density?: "comfortable" | "compact" | undefined; wrap?: boolean | undefined } }; missing: readonly (string)[]; version: number })[] };
  };
  /** Rename a view, share it, change what it shows, or make it the one that the list opens with. The last is the choice of the caller alone, and possible for every view that the caller sees. `PATCH /data_manager/v1/dm/views/{view}` */
  "views.save": {
    kind: "json";
    input: { params: { view: string }; body?: { realm?: string | undefined; org?: string | undefined; name?: string | undefined; shared?: boolean | undefined; content?: { search: Record<string, string>; layout: { columns?: Record<string, boolean> | undefined; order?: readonly (string)[] | undefined; widths?: Record<string, number> | undefined; density?: "comfortable" | "compact" | undefined; wrap?: boolean | undefined } } | undefined; isDefault?: boolean | undefined } | undefined };
    answer: { result: { id: string; list: "devices" | "org-devices" | "service" | "esims" | "groups" | "firmware" | "configs" | "users" | "colleagues" | "inventory" | "logs" | "organizations" | "jobs" | "api-keys"; name: string; shared: boolean; own: boolean; editable: boolean; isDefault: boolean; content: { search: Record<string, string>; layout: { columns?: Record<string, boolean> | undefined; order?: readonly (string)[] | undefined; widths?: Record<string, number> | undefined; density?: "comfortable" | "compact" | undefined; wrap?: boolean | undefined } }; missing: readonly (string)[]; version: number } };
  };
  /** End a visit at once, with its sessions, streams and remote sessions. `DELETE /dmp_aa/api/v1/visits/{visit}` */
  "visits.end": {
    kind: "json";
    input: { params: { visit: string } };
    answer: { result: { id: string; kind: "support" | "guest"; org: string; orgName: string; email: string; name: string; role: "admin" | "user"; groups: readonly (string)[] | null; by: string; created: string; until: string | null; ended: string | null; endedBy: string | null; mayEnter: boolean } };
  };
  /** Act in an organization with this session from now on, as support or as a guest. `POST /dmp_aa/api/v1/visits/{visit}/enter` */
  "visits.enter": {
    kind: "json";
    input: { params: { visit: string } };
    answer: { result: { entered: true } };
  };
  /** Act in the own company again with this session. `POST /dmp_aa/api/v1/visits/leave` */
  "visits.leave": {
    kind: "json";
    input: Record<string, never>;
    answer: { result: { left: true } };
  };
  /** Support and guests of the own organization, the newest first; with `mine` those that the caller may enter elsewhere. `GET /dmp_aa/api/v1/visits` */
  "visits.list": {
    kind: "json";
    input: { query?: { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; mine?: "true" | undefined } | undefined };
    answer: { result: readonly ({ id: string; kind: "support" | "guest"; org: string; orgName: string; email: string; name: string; role: "admin" | "user"; groups: readonly (string)[] | null; by: string; created: string; until: string | null; ended: string | null; endedBy: string | null; mayEnter: boolean })[]; total?: number | undefined; offset?: number | undefined; next?: string | null | undefined; previous?: string | null | undefined };
  };
  /** Let the people of the main account act in the own organization for some hours, or until it is ended (`support`), or a person of another company until a day (`guest`), with a role. A new support ends the one before. `POST /dmp_aa/api/v1/visits` */
  "visits.open": {
    kind: "json";
    input: { body: { kind: "support" | "guest"; role: "admin" | "user"; hours?: number | undefined; email?: string | undefined; name?: string | undefined; days?: number | undefined; groups?: readonly (string)[] | undefined; language?: "en-US" | "zh-TW" | undefined } };
    answer: { result: { id: string; kind: "support" | "guest"; org: string; orgName: string; email: string; name: string; role: "admin" | "user"; groups: readonly (string)[] | null; by: string; created: string; until: string | null; ended: string | null; endedBy: string | null; mayEnter: boolean } };
  };
  /** Create a webhook. The answer shows its signing secret once. An API key also needs the calls that read the chosen events, for example devices.list. `POST /data_manager/v1/dm/webhooks` */
  "webhooks.create": {
    kind: "json";
    input: { body: { realm?: string | undefined; org?: string | undefined; name: string; url: string; format?: "standard" | "slack" | "teams" | "ntfy" | "pagerduty" | "opsgenie" | undefined; key?: string | undefined; events: readonly ("device.online" | "device.offline" | "device.added" | "device.removed" | "device.alarm" | "rollout.started" | "rollout.paused" | "rollout.resumed" | "rollout.cancelled" | "rollout.ended" | "rollout.device_updated" | "rollout.device_failed" | "esim.downloaded" | "esim.in_use" | "esim.failed" | "esim.deleted" | "subscription.changed" | "subscription.ending" | "remote.opened" | "remote.ended" | "log.entry" | "alert.fired" | "alert.acknowledged" | "alert.resolved")[]; groups?: readonly (string)[] | null | undefined; tags?: readonly (string)[] | null | undefined; enabled?: boolean | undefined } };
    answer: { result: { id: string; org: string | null; orgName: string; name: string; url: string; format: "standard" | "slack" | "teams" | "ntfy" | "pagerduty" | "opsgenie"; events: readonly ("device.online" | "device.offline" | "device.added" | "device.removed" | "device.alarm" | "rollout.started" | "rollout.paused" | "rollout.resumed" | "rollout.cancelled" | "rollout.ended" | "rollout.device_updated" | "rollout.device_failed" | "esim.downloaded" | "esim.in_use" | "esim.failed" | "esim.deleted" | "subscription.changed" | "subscription.ending" | "remote.opened" | "remote.ended" | "log.entry" | "alert.fired" | "alert.acknowledged" | "alert.resolved")[]; groups: readonly (string)[] | null; tags: readonly (string)[] | null; enabled: boolean; state: "active" | "failing" | "suspended" | "off"; failingSince: string | null; suspendedAt: string | null; suspendedBy: string | null; created: string; by: string; previousUntil: string | null; lastDelivery: { state: "waiting" | "delivered" | "failed"; at: string } | null; version: string }; secret: string };
  };
  /** Delete a webhook with its log. Nothing more is sent. `DELETE /data_manager/v1/dm/webhooks/{webhook}` */
  "webhooks.delete": {
    kind: "json";
    input: { params: { webhook: string }; body?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: { deleted: number } };
  };
  /** The log of a webhook, the newest event first. `GET /data_manager/v1/dm/webhooks/{webhook}/deliveries` */
  "webhooks.deliveries": {
    kind: "json";
    input: { params: { webhook: string }; query?: { realm?: string | undefined; org?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; state?: "waiting" | "delivered" | "failed" | undefined } | undefined };
    answer: { result: readonly ({ id: string; type: "device.online" | "device.offline" | "device.added" | "device.removed" | "device.alarm" | "rollout.started" | "rollout.paused" | "rollout.resumed" | "rollout.cancelled" | "rollout.ended" | "rollout.device_updated" | "rollout.device_failed" | "esim.downloaded" | "esim.in_use" | "esim.failed" | "esim.deleted" | "subscription.changed" | "subscription.ending" | "remote.opened" | "remote.ended" | "log.entry" | "alert.fired" | "alert.acknowledged" | "alert.resolved" | "alert.action" | "webhook.test"; at: string; state: "waiting" | "delivered" | "failed"; attempts: number; status: number | null; error: string; next: string | null; device: string | null })[]; total?: number | undefined; offset?: number | undefined; next?: string | null | undefined; previous?: string | null | undefined };
  };
  /** An event of the log with its body and every answer. `GET /data_manager/v1/dm/webhooks/{webhook}/deliveries/{delivery}` */
  "webhooks.delivery": {
    kind: "json";
    input: { params: { webhook: string; delivery: string }; query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: { id: string; type: "device.online" | "device.offline" | "device.added" | "device.removed" | "device.alarm" | "rollout.started" | "rollout.paused" | "rollout.resumed" | "rollout.cancelled" | "rollout.ended" | "rollout.device_updated" | "rollout.device_failed" | "esim.downloaded" | "esim.in_use" | "esim.failed" | "esim.deleted" | "subscription.changed" | "subscription.ending" | "remote.opened" | "remote.ended" | "log.entry" | "alert.fired" | "alert.acknowledged" | "alert.resolved" | "alert.action" | "webhook.test"; at: string; state: "waiting" | "delivered" | "failed"; attempts: number; status: number | null; error: string; next: string | null; device: string | null; messageId: string; body: string; tries: readonly ({ at: string; took: number; status: number | null; error: string; answer: string })[] } };
  };
  /** Every event that a webhook can be sent for, with an example of its `data`. `GET /data_manager/v1/dm/webhooks/events` */
  "webhooks.events": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: readonly ({ type: string; summary: string; example: Record<string, unknown> })[] };
  };
  /** Webhooks of an organization, or of a main account and its organizations, the newest first. `GET /data_manager/v1/dm/webhooks` */
  "webhooks.list": {
    kind: "json";
    input: { query?: { realm?: string | undefined; org?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined } | undefined };
    answer: { result: readonly ({ id: string; org: string | null; orgName: string; name: string; url: string; format: "standard" | "slack" | "teams" | "ntfy" | "pagerduty" | "opsgenie"; events: readonly ("device.online" | "device.offline" | "device.added" | "device.removed" | "device.alarm" | "rollout.started" | "rollout.paused" | "rollout.resumed" | "rollout.cancelled" | "rollout.ended" | "rollout.device_updated" | "rollout.device_failed" | "esim.downloaded" | "esim.in_use" | "esim.failed" | "esim.deleted" | "subscription.changed" | "subscription.ending" | "remote.opened" | "remote.ended" | "log.entry" | "alert.fired" | "alert.acknowledged" | "alert.resolved")[]; groups: readonly (string)[] | null; tags: readonly (string)[] | null; enabled: boolean; state: "active" | "failing" | "suspended" | "off"; failingSince: string | null; suspendedAt: string | null; suspendedBy: string | null; created: string; by: string; previousUntil: string | null; lastDelivery: { state: "waiting" | "delivered" | "failed"; at: string } | null; version: string })[]; total?: number | undefined; offset?: number | undefined; next?: string | null | undefined; previous?: string | null | undefined };
  };
  /** Send an event again, with the same webhook-id. `POST /data_manager/v1/dm/webhooks/{webhook}/deliveries/{delivery}/resend` */
  "webhooks.resend": {
    kind: "json";
    input: { params: { webhook: string; delivery: string }; body?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: { id: string; type: "device.online" | "device.offline" | "device.added" | "device.removed" | "device.alarm" | "rollout.started" | "rollout.paused" | "rollout.resumed" | "rollout.cancelled" | "rollout.ended" | "rollout.device_updated" | "rollout.device_failed" | "esim.downloaded" | "esim.in_use" | "esim.failed" | "esim.deleted" | "subscription.changed" | "subscription.ending" | "remote.opened" | "remote.ended" | "log.entry" | "alert.fired" | "alert.acknowledged" | "alert.resolved" | "alert.action" | "webhook.test"; at: string; state: "waiting" | "delivered" | "failed"; attempts: number; status: number | null; error: string; next: string | null; device: string | null } };
  };
  /** Resume a suspended webhook: what waits is sent at once. `POST /data_manager/v1/dm/webhooks/{webhook}/resume` */
  "webhooks.resume": {
    kind: "json";
    input: { params: { webhook: string }; body?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: { id: string; org: string | null; orgName: string; name: string; url: string; format: "standard" | "slack" | "teams" | "ntfy" | "pagerduty" | "opsgenie"; events: readonly ("device.online" | "device.offline" | "device.added" | "device.removed" | "device.alarm" | "rollout.started" | "rollout.paused" | "rollout.resumed" | "rollout.cancelled" | "rollout.ended" | "rollout.device_updated" | "rollout.device_failed" | "esim.downloaded" | "esim.in_use" | "esim.failed" | "esim.deleted" | "subscription.changed" | "subscription.ending" | "remote.opened" | "remote.ended" | "log.entry" | "alert.fired" | "alert.acknowledged" | "alert.resolved")[]; groups: readonly (string)[] | null; tags: readonly (string)[] | null; enabled: boolean; state: "active" | "failing" | "suspended" | "off"; failingSince: string | null; suspendedAt: string | null; suspendedBy: string | null; created: string; by: string; previousUntil: string | null; lastDelivery: { state: "waiting" | "delivered" | "failed"; at: string } | null; version: string } };
  };
  /** Replace the signing secret. For some hours calls have two signatures, one by each. `POST /data_manager/v1/dm/webhooks/{webhook}/rotate` */
  "webhooks.rotate": {
    kind: "json";
    input: { params: { webhook: string }; body?: { realm?: string | undefined; org?: string | undefined; overlapHours?: number | undefined } | undefined };
    answer: { result: { id: string; org: string | null; orgName: string; name: string; url: string; format: "standard" | "slack" | "teams" | "ntfy" | "pagerduty" | "opsgenie"; events: readonly ("device.online" | "device.offline" | "device.added" | "device.removed" | "device.alarm" | "rollout.started" | "rollout.paused" | "rollout.resumed" | "rollout.cancelled" | "rollout.ended" | "rollout.device_updated" | "rollout.device_failed" | "esim.downloaded" | "esim.in_use" | "esim.failed" | "esim.deleted" | "subscription.changed" | "subscription.ending" | "remote.opened" | "remote.ended" | "log.entry" | "alert.fired" | "alert.acknowledged" | "alert.resolved")[]; groups: readonly (string)[] | null; tags: readonly (string)[] | null; enabled: boolean; state: "active" | "failing" | "suspended" | "off"; failingSince: string | null; suspendedAt: string | null; suspendedBy: string | null; created: string; by: string; previousUntil: string | null; lastDelivery: { state: "waiting" | "delivered" | "failed"; at: string } | null; version: string }; secret: string };
  };
  /** Replace the fields of a webhook; its secret and its log stay. Accepts If-Match with its `version`. `PUT /data_manager/v1/dm/webhooks/{webhook}` */
  "webhooks.save": {
    kind: "json";
    input: { params: { webhook: string }; body: { realm?: string | undefined; org?: string | undefined; name: string; url: string; format?: "standard" | "slack" | "teams" | "ntfy" | "pagerduty" | "opsgenie" | undefined; key?: string | undefined; events: readonly ("device.online" | "device.offline" | "device.added" | "device.removed" | "device.alarm" | "rollout.started" | "rollout.paused" | "rollout.resumed" | "rollout.cancelled" | "rollout.ended" | "rollout.device_updated" | "rollout.device_failed" | "esim.downloaded" | "esim.in_use" | "esim.failed" | "esim.deleted" | "subscription.changed" | "subscription.ending" | "remote.opened" | "remote.ended" | "log.entry" | "alert.fired" | "alert.acknowledged" | "alert.resolved")[]; groups?: readonly (string)[] | null | undefined; tags?: readonly (string)[] | null | undefined; enabled?: boolean | undefined } };
    answer: { result: { id: string; org: string | null; orgName: string; name: string; url: string; format: "standard" | "slack" | "teams" | "ntfy" | "pagerduty" | "opsgenie"; events: readonly ("device.online" | "device.offline" | "device.added" | "device.removed" | "device.alarm" | "rollout.started" | "rollout.paused" | "rollout.resumed" | "rollout.cancelled" | "rollout.ended" | "rollout.device_updated" | "rollout.device_failed" | "esim.downloaded" | "esim.in_use" | "esim.failed" | "esim.deleted" | "subscription.changed" | "subscription.ending" | "remote.opened" | "remote.ended" | "log.entry" | "alert.fired" | "alert.acknowledged" | "alert.resolved")[]; groups: readonly (string)[] | null; tags: readonly (string)[] | null; enabled: boolean; state: "active" | "failing" | "suspended" | "off"; failingSince: string | null; suspendedAt: string | null; suspendedBy: string | null; created: string; by: string; previousUntil: string | null; lastDelivery: { state: "waiting" | "delivered" | "failed"; at: string } | null; version: string } };
  };
  /** A webhook. `GET /data_manager/v1/dm/webhooks/{webhook}` */
  "webhooks.show": {
    kind: "json";
    input: { params: { webhook: string }; query?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: { id: string; org: string | null; orgName: string; name: string; url: string; format: "standard" | "slack" | "teams" | "ntfy" | "pagerduty" | "opsgenie"; events: readonly ("device.online" | "device.offline" | "device.added" | "device.removed" | "device.alarm" | "rollout.started" | "rollout.paused" | "rollout.resumed" | "rollout.cancelled" | "rollout.ended" | "rollout.device_updated" | "rollout.device_failed" | "esim.downloaded" | "esim.in_use" | "esim.failed" | "esim.deleted" | "subscription.changed" | "subscription.ending" | "remote.opened" | "remote.ended" | "log.entry" | "alert.fired" | "alert.acknowledged" | "alert.resolved")[]; groups: readonly (string)[] | null; tags: readonly (string)[] | null; enabled: boolean; state: "active" | "failing" | "suspended" | "off"; failingSince: string | null; suspendedAt: string | null; suspendedBy: string | null; created: string; by: string; previousUntil: string | null; lastDelivery: { state: "waiting" | "delivered" | "failed"; at: string } | null; version: string } };
  };
  /** Suspend a webhook: events are recorded and wait. `POST /data_manager/v1/dm/webhooks/{webhook}/suspend` */
  "webhooks.suspend": {
    kind: "json";
    input: { params: { webhook: string }; body?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: { id: string; org: string | null; orgName: string; name: string; url: string; format: "standard" | "slack" | "teams" | "ntfy" | "pagerduty" | "opsgenie"; events: readonly ("device.online" | "device.offline" | "device.added" | "device.removed" | "device.alarm" | "rollout.started" | "rollout.paused" | "rollout.resumed" | "rollout.cancelled" | "rollout.ended" | "rollout.device_updated" | "rollout.device_failed" | "esim.downloaded" | "esim.in_use" | "esim.failed" | "esim.deleted" | "subscription.changed" | "subscription.ending" | "remote.opened" | "remote.ended" | "log.entry" | "alert.fired" | "alert.acknowledged" | "alert.resolved")[]; groups: readonly (string)[] | null; tags: readonly (string)[] | null; enabled: boolean; state: "active" | "failing" | "suspended" | "off"; failingSince: string | null; suspendedAt: string | null; suspendedBy: string | null; created: string; by: string; previousUntil: string | null; lastDelivery: { state: "waiting" | "delivered" | "failed"; at: string } | null; version: string } };
  };
  /** Call a webhook once with `webhook.test`, also a suspended one, and answer with the outcome. `POST /data_manager/v1/dm/webhooks/{webhook}/test` */
  "webhooks.test": {
    kind: "json";
    input: { params: { webhook: string }; body?: { realm?: string | undefined; org?: string | undefined } | undefined };
    answer: { result: { id: string; type: "device.online" | "device.offline" | "device.added" | "device.removed" | "device.alarm" | "rollout.started" | "rollout.paused" | "rollout.resumed" | "rollout.cancelled" | "rollout.ended" | "rollout.device_updated" | "rollout.device_failed" | "esim.downloaded" | "esim.in_use" | "esim.failed" | "esim.deleted" | "subscription.changed" | "subscription.ending" | "remote.opened" | "remote.ended" | "log.entry" | "alert.fired" | "alert.acknowledged" | "alert.resolved" | "alert.action" | "webhook.test"; at: string; state: "waiting" | "delivered" | "failed"; attempts: number; status: number | null; error: string; next: string | null; device: string | null; messageId: string; body: string; tries: readonly ({ at: string; took: number; status: number | null; error: string; answer: string })[] } };
  };
}

/** How a call is sent: method, path, encoding of its body, kind of its answer, and 'once' where it takes an Idempotency-Key. */
export type CallRow = readonly [method: string, path: string, body: string, answer: string, once: boolean];

export const callTable: Readonly<Record<keyof Calls, CallRow>> = {
  "accounts.addPasskey": ["POST","/dmp_aa/api/v1/auth/passkeys","json","json",true],
  "accounts.addRole": ["POST","/dmp_aa/api/v1/roles/","json","json",true],
  "accounts.beginPasskey": ["POST","/dmp_aa/api/v1/auth/passkeys/begin","json","json",true],
  "accounts.beginPasskeySignIn": ["POST","/dmp_aa/api/v1/auth/passkey/begin","none","json",false],
  "accounts.changePassword": ["POST","/dmp_aa/api/v1/auth/password/change","json","json",false],
  "accounts.changeRole": ["PUT","/dmp_aa/api/v1/roles/","form","json",false],
  "accounts.correctInvitation": ["PATCH","/dmp_aa/api/v1/accounts/{id}/invitation","json","json",false],
  "accounts.create": ["POST","/dmp_aa/api/v1/vendorAccounts/","json","json",true],
  "accounts.delete": ["DELETE","/dmp_aa/api/v1/accounts/{id}","none","json",false],
  "accounts.deletePasskey": ["DELETE","/dmp_aa/api/v1/auth/passkeys/{passkey}","none","json",false],
  "accounts.edit": ["PUT","/dmp_aa/api/v1/accounts/{id}","form","json",false],
  "accounts.endSession": ["DELETE","/dmp_aa/api/v1/auth/sessions/{session}","none","json",false],
  "accounts.endSessionOf": ["DELETE","/dmp_aa/api/v1/accounts/{id}/sessions/{session}","none","json",false],
  "accounts.export": ["GET","/dmp_aa/api/v1/accounts/export","none","file",false],
  "accounts.forgotPassword": ["POST","/dmp_aa/api/v1/auth/password/forgot","json","json",false],
  "accounts.get": ["GET","/dmp_aa/api/v1/accounts/{id}","none","json",false],
  "accounts.getPolicy": ["GET","/dmp_aa/api/v1/auth/policy","none","json",false],
  "accounts.introspect": ["POST","/dmp_aa/api/v2/auth/introspect/","json","json",true],
  "accounts.leaves": ["GET","/dmp_aa/api/v1/accounts/{id}/leaves","none","json",false],
  "accounts.list": ["GET","/dmp_aa/api/v1/accounts/","none","json",false],
  "accounts.listAdmins": ["GET","/dmp_aa/api/v1/auth/admins","none","json",false],
  "accounts.listPasskeys": ["GET","/dmp_aa/api/v1/auth/passkeys","none","json",false],
  "accounts.listSessions": ["GET","/dmp_aa/api/v1/auth/sessions","none","json",false],
  "accounts.listSessionsOf": ["GET","/dmp_aa/api/v1/accounts/{id}/sessions","none","json",false],
  "accounts.loginFrame": ["POST","/dmp_aa/api/v1/auth/login","json","json",false],
  "accounts.loginStatus": ["GET","/dmp_aa/api/v1/login/status/{org}","none","json",false],
  "accounts.openSession": ["POST","/console/session","json","json",false],
  "accounts.passkeySignIn": ["POST","/dmp_aa/api/v1/auth/passkey","json","json",false],
  "accounts.readInvitation": ["POST","/dmp_aa/api/v1/auth/invitation","json","json",false],
  "accounts.resetPassword": ["POST","/dmp_aa/api/v1/auth/password/reset","json","json",false],
  "accounts.saveLimit": ["PUT","/dmp_aa/api/v1/accounts/{id}/limit","json","json",false],
  "accounts.savePolicy": ["PUT","/dmp_aa/api/v1/auth/policy","json","json",false],
  "accounts.sendInvitation": ["POST","/dmp_aa/api/v1/accounts/{id}/invitation","none","json",true],
  "accounts.setUp": ["POST","/dmp_aa/api/v1/auth/set-up","json","json",false],
  "accounts.signIn": ["POST","/dmp_aa/api/v1/auth/token","json","json",false],
  "accounts.signOut": ["POST","/dmp_aa/api/v1/auth/logout","json","json",true],
  "accounts.signOutEverywhere": ["POST","/dmp_aa/api/v1/auth/allTokenLogout","json","json",true],
  "alertPeople.addBrowser": ["POST","/data_manager/v1/alerts/people/push","json","json",true],
  "alertPeople.delete": ["DELETE","/data_manager/v1/alerts/people","json","json",false],
  "alertPeople.list": ["GET","/data_manager/v1/alerts/people","none","json",false],
  "alertPeople.pushKey": ["GET","/data_manager/v1/alerts/people/push","none","json",false],
  "alertPeople.removeBrowser": ["DELETE","/data_manager/v1/alerts/people/push","json","json",false],
  "alertPeople.save": ["PUT","/data_manager/v1/alerts/people","json","json",false],
  "alertPeople.testPush": ["POST","/data_manager/v1/alerts/people/push/test","json","json",true],
  "alerts.acknowledge": ["POST","/data_manager/v1/alerts/acknowledge","json","json",true],
  "alerts.actions": ["GET","/data_manager/v1/alerts/actions","none","json",false],
  "alerts.addRule": ["POST","/data_manager/v1/alerts/rules","json","json",true],
  "alerts.count": ["GET","/data_manager/v1/alerts/count","none","json",false],
  "alerts.deleteRule": ["DELETE","/data_manager/v1/alerts/rules/{rule}","none","json",false],
  "alerts.export": ["GET","/data_manager/v1/alerts/export","none","file",false],
  "alerts.exportActions": ["GET","/data_manager/v1/alerts/actions/export","none","file",false],
  "alerts.list": ["GET","/data_manager/v1/alerts","none","json",false],
  "alerts.replay": ["POST","/data_manager/v1/alerts/rules/replay","json","json",true],
  "alerts.rules": ["GET","/data_manager/v1/alerts/rules","none","json",false],
  "alerts.saveRule": ["PUT","/data_manager/v1/alerts/rules/{rule}","json","json",false],
  "analysis.pin": ["POST","/vega_lite_manager/api/v1/store_draw","json","json",true],
  "analysis.pins": ["GET","/vega_lite_manager/api/v1/draws","none","json",false],
  "analysis.prepare": ["POST","/vega_lite_manager/api/v1/prepare/{chartType}","json","json",true],
  "analysis.statistics": ["GET","/data_manager/api/v1/statistics/{category}","none","json",false],
  "analysis.unpin": ["DELETE","/vega_lite_manager/api/v1/draws/{draw}","none","json",false],
  "apiKeys.create": ["POST","/data_manager/v1/dm/api_keys","json","json",true],
  "apiKeys.list": ["GET","/data_manager/v1/dm/api_keys","none","json",false],
  "apiKeys.operations": ["GET","/data_manager/v1/dm/api_keys/operations","none","json",false],
  "apiKeys.revoke": ["DELETE","/data_manager/v1/dm/api_keys/{key}","json","json",false],
  "apiKeys.rotate": ["POST","/data_manager/v1/dm/api_keys/{key}/rotate","json","json",true],
  "approvals.decide": ["POST","/dmp_aa/api/v1/approvals/{approval}/decision","json","json",true],
  "approvals.getPolicy": ["GET","/dmp_aa/api/v1/approvals/policy","none","json",false],
  "approvals.list": ["GET","/dmp_aa/api/v1/approvals","none","json",false],
  "approvals.savePolicy": ["PUT","/dmp_aa/api/v1/approvals/policy","json","json",false],
  "bindings.config": ["POST","/data_manager/v1/binding/group/config","json","json",true],
  "bindings.firmware": ["POST","/data_manager/v1/binding/group/firmware","json","json",true],
  "bindings.impact": ["POST","/data_manager/v1/binding/group/impact","json","json",true],
  "bindings.list": ["GET","/data_manager/v1/binding/group","none","json",false],
  "bindings.moveImpact": ["POST","/data_manager/v1/binding/group/move/impact","json","json",true],
  "bindings.settings": ["POST","/data_manager/v1/binding/settings","json","json",true],
  "bindings.unbindConfig": ["DELETE","/data_manager/v1/binding/group/config","none","json",false],
  "bindings.unbindFirmware": ["DELETE","/data_manager/v1/binding/group/firmware","none","json",false],
  "colleagues.delete": ["DELETE","/dmp_aa/api/v1/colleagues/{id}","none","json",false],
  "colleagues.invite": ["POST","/dmp_aa/api/v1/colleagues/","json","json",true],
  "colleagues.list": ["GET","/dmp_aa/api/v1/colleagues/","none","json",false],
  "commands.add": ["POST","/data_manager/v1/dm/commands","json","json",true],
  "commands.cancel": ["POST","/data_manager/v1/dm/device/commands/{id}/cancel","json","json",true],
  "commands.delete": ["DELETE","/data_manager/v1/dm/commands/{command}","json","json",false],
  "commands.list": ["GET","/data_manager/v1/dm/commands","none","json",false],
  "commands.run": ["POST","/data_manager/v1/dm/commands/{command}/run","json","json",true],
  "commands.save": ["PATCH","/data_manager/v1/dm/commands/{command}","json","json",false],
  "commands.send": ["POST","/data_manager/v1/dm/device/commands","json","json",true],
  "commands.sent": ["GET","/data_manager/v1/dm/device/commands","none","json",false],
  "configs.delete": ["DELETE","/data_manager/v1/dm/config/{config}","none","json",false],
  "configs.get": ["GET","/data_manager/v1/dm/config/{config}","none","json",false],
  "configs.list": ["GET","/data_manager/v1/dm/config","none","json",false],
  "configs.read": ["GET","/data_manager/v1/dm/config/{config}/versions/{number}/contents","none","file",false],
  "configs.save": ["PATCH","/data_manager/v1/dm/config/{config}","multipart","json",false],
  "configs.upload": ["POST","/data_manager/v1/dm/config","multipart","json",true],
  "coverage.cells": ["GET","/data_manager/v1/dm/coverage","none","json",false],
  "coverage.deadZones": ["GET","/data_manager/v1/dm/coverage/dead-zones","none","json",false],
  "coverage.exportDeadZones": ["GET","/data_manager/v1/dm/coverage/dead-zones/export","none","file",false],
  "coverage.exportVehicles": ["GET","/data_manager/v1/dm/coverage/vehicles/export","none","file",false],
  "coverage.vehicles": ["GET","/data_manager/v1/dm/coverage/vehicles","none","json",false],
  "devices.add": ["POST","/data_manager/v1/dm/devices","json","json",true],
  "devices.addBatch": ["POST","/data_manager/v1/dm/devices/series","json","json",true],
  "devices.attention": ["GET","/data_manager/v1/dm/attention","none","json",false],
  "devices.delete": ["DELETE","/data_manager/v1/dm/devices","json","json",false],
  "devices.export": ["GET","/data_manager/v1/dm/devices/export","none","file",false],
  "devices.exportChosen": ["POST","/data_manager/v1/dm/devices/export","json","file",false],
  "devices.get": ["GET","/data_manager/v1/dm/device","none","json",false],
  "devices.import": ["POST","/data_manager/v1/dm/devices/batch","multipart","json",true],
  "devices.lastQuery": ["GET","/data_manager/v1/statistics/last_query","none","json",false],
  "devices.list": ["GET","/data_manager/v1/dm/devices","none","json",false],
  "devices.onlineShare": ["GET","/data_manager/v1/dm/statistics/online","none","json",false],
  "devices.readings": ["GET","/data_manager/v1/dm/device/readings","none","json",false],
  "devices.replaceRouter": ["POST","/data_manager/v1/dm/device/router","json","json",true],
  "devices.save": ["PATCH","/data_manager/v1/dm/device","json","json",false],
  "devices.saveCarrierColor": ["PUT","/data_manager/v1/dm/carrier-color","json","json",false],
  "devices.saveSubscription": ["PATCH","/data_manager/v1/dm/device/subscription","json","json",false],
  "devices.statistics": ["GET","/data_manager/v1/dm/statistics","none","json",false],
  "devices.subscriptions": ["GET","/data_manager/v1/dm/devices/subscribe","none","json",false],
  "devices.tags": ["GET","/data_manager/v1/dm/devices/tags","none","json",false],
  "devices.timeline": ["GET","/data_manager/v1/dm/device/timeline","none","json",false],
  "esims.add": ["POST","/data_manager/v1/dm/profile/","json","json",true],
  "esims.delete": ["DELETE","/data_manager/v1/dm/profile/{profile}","none","json",false],
  "esims.export": ["GET","/data_manager/v1/dm/profiles/export","none","file",false],
  "esims.get": ["GET","/data_manager/v1/dm/profile/{profile}","none","json",false],
  "esims.import": ["POST","/data_manager/v1/dm/profile/batch","multipart","json",true],
  "esims.list": ["GET","/data_manager/v1/dm/profiles","none","json",false],
  "esims.order": ["POST","/data_manager/v1/dm/profile/order","json","json",true],
  "esims.resume": ["POST","/data_manager/v1/dm/profile/resume","json","json",true],
  "esims.save": ["PATCH","/data_manager/v1/dm/profile/{profile}","json","json",false],
  "esims.use": ["POST","/data_manager/v1/dm/profile/use","json","json",true],
  "firmware.delete": ["DELETE","/data_manager/v1/dm/firmware/{firmware}","none","json",false],
  "firmware.list": ["GET","/data_manager/v1/dm/firmware","none","json",false],
  "firmware.upload": ["POST","/data_manager/v1/dm/firmware","multipart","json",true],
  "geofences.add": ["POST","/data_manager/v1/dm/geofences","json","json",true],
  "geofences.delete": ["DELETE","/data_manager/v1/dm/geofences/{geofence}","none","json",false],
  "geofences.import": ["POST","/data_manager/v1/dm/geofences/import","json","json",true],
  "geofences.list": ["GET","/data_manager/v1/dm/geofences","none","json",false],
  "geofences.save": ["PATCH","/data_manager/v1/dm/geofences/{geofence}","json","json",false],
  "groups.changeControl": ["PATCH","/data_manager/v1/dm/group/{group}/accounts","json","json",false],
  "groups.controls": ["GET","/data_manager/v1/dm/group/{group}/accounts","none","json",false],
  "groups.create": ["POST","/data_manager/v1/dm/group","json","json",true],
  "groups.delete": ["DELETE","/data_manager/v1/dm/group","json","json",false],
  "groups.export": ["GET","/data_manager/v1/dm/group/export","none","file",false],
  "groups.get": ["GET","/data_manager/v1/dm/group/{group}","none","json",false],
  "groups.list": ["GET","/data_manager/v1/dm/group","none","json",false],
  "groups.members": ["GET","/data_manager/v1/dm/group/{group}/devices","none","json",false],
  "groups.save": ["PATCH","/data_manager/v1/dm/group/{group}","json","json",false],
  "groups.saveWhole": ["PUT","/data_manager/v1/dm/group/{group}","json","json",false],
  "identityProviders.assignDomain": ["PUT","/dmp_aa/api/v1/identityProviders/{provider}/domains/{domain}","json","json",false],
  "identityProviders.begin": ["POST","/dmp_aa/api/v1/auth/provider","json","json",false],
  "identityProviders.beginConfirmation": ["POST","/dmp_aa/api/v1/auth/provider/confirmation","json","json",true],
  "identityProviders.confirmDomain": ["POST","/dmp_aa/api/v1/identityProviders/{provider}/domains/{domain}/confirm","none","json",true],
  "identityProviders.confirmation": ["GET","/dmp_aa/api/v1/auth/provider/confirmation","none","json",false],
  "identityProviders.create": ["POST","/dmp_aa/api/v1/identityProviders","json","json",true],
  "identityProviders.delete": ["DELETE","/dmp_aa/api/v1/identityProviders/{provider}","none","json",false],
  "identityProviders.finish": ["GET","/console/oidc/callback","none","json",false],
  "identityProviders.list": ["GET","/dmp_aa/api/v1/identityProviders","none","json",false],
  "identityProviders.logout": ["POST","/dmp_aa/api/v1/auth/provider/{provider}/logout","form","json",false],
  "identityProviders.save": ["PUT","/dmp_aa/api/v1/identityProviders/{provider}","json","json",false],
  "identityProviders.test": ["POST","/dmp_aa/api/v1/identityProviders/{provider}/test","none","json",true],
  "inventory.add": ["POST","/data_manager/v1/dm/inventory","json","json",true],
  "inventory.delete": ["DELETE","/data_manager/v1/dm/inventory","json","json",false],
  "inventory.endPreviousSecret": ["DELETE","/data_manager/v1/dm/inventory/{router}/secret/previous","none","json",false],
  "inventory.export": ["GET","/data_manager/v1/dm/inventory/export","none","file",false],
  "inventory.get": ["GET","/data_manager/v1/dm/inventory/{router}","none","json",false],
  "inventory.import": ["POST","/data_manager/v1/dm/inventory/batch","multipart","json",true],
  "inventory.issueCertificate": ["POST","/data_manager/v1/dm/inventory/{router}/certificates","json","json",true],
  "inventory.list": ["GET","/data_manager/v1/dm/inventory","none","json",false],
  "inventory.modelSettings": ["GET","/data_manager/v1/dm/inventory/model_settings","none","json",false],
  "inventory.models": ["GET","/data_manager/v1/dm/inventory/models","none","json",false],
  "inventory.revokeCertificate": ["DELETE","/data_manager/v1/dm/inventory/{router}/certificates/{certificate}","none","json",false],
  "inventory.rotateSecret": ["POST","/data_manager/v1/dm/inventory/{router}/secret","none","json",true],
  "inventory.saveModelSettings": ["PUT","/data_manager/v1/dm/inventory/model_settings","json","json",false],
  "inventory.update": ["PATCH","/data_manager/v1/dm/inventory/{router}","json","json",false],
  "jobs.cancel": ["POST","/data_manager/v1/dm/jobs/{job}/cancel","json","json",true],
  "jobs.get": ["GET","/data_manager/v1/dm/jobs/{job}","none","json",false],
  "jobs.items": ["GET","/data_manager/v1/dm/jobs/{job}/devices","none","json",false],
  "jobs.list": ["GET","/data_manager/v1/dm/jobs","none","json",false],
  "jobs.preview": ["POST","/data_manager/v1/dm/jobs/preview","json","json",true],
  "jobs.retry": ["POST","/data_manager/v1/dm/jobs/{job}/retry","json","json",true],
  "jobs.start": ["POST","/data_manager/v1/dm/jobs","json","json",true],
  "jobs.undo": ["POST","/data_manager/v1/dm/jobs/{job}/undo","json","json",true],
  "links.create": ["POST","/data_manager/v1/dm/links","json","json",true],
  "links.end": ["DELETE","/data_manager/v1/dm/links/{link}","json","json",false],
  "links.list": ["GET","/data_manager/v1/dm/links","none","json",false],
  "links.open": ["POST","/data_manager/v1/dm/links/open","json","json",false],
  "live.stream": ["GET","/data_manager/v1/events","none","events",false],
  "logs.evidence": ["GET","/data_manager/v1/operation_log/evidence","none","file",false],
  "logs.export": ["GET","/data_manager/v1/operation_log/export","none","file",false],
  "logs.key": ["GET","/data_manager/v1/operation_log/key","none","json",false],
  "logs.list": ["GET","/data_manager/v1/operation_log","none","json",false],
  "logs.people": ["GET","/data_manager/v1/operation_log/people","none","json",false],
  "metrics.read": ["GET","/metrics","none","file",false],
  "networks.clientSettings": ["GET","/data_manager/v1/dm/clients/settings","none","json",false],
  "networks.clientUse": ["GET","/data_manager/v1/dm/device/networks/use","none","json",false],
  "networks.exportClientUse": ["GET","/data_manager/v1/dm/device/networks/use/export","none","file",false],
  "networks.read": ["GET","/data_manager/v1/dm/device/networks","none","json",false],
  "networks.repair": ["POST","/data_manager/v1/dm/device/networks","json","json",true],
  "networks.saveClientSettings": ["PUT","/data_manager/v1/dm/clients/settings","json","json",false],
  "notifications.bounce": ["POST","/dmp_aa/api/v1/mails/bounce","json","json",false],
  "notifications.delete": ["DELETE","/data_manager/v1/notify/user","json","json",false],
  "notifications.list": ["GET","/data_manager/v1/notify/user","none","json",false],
  "notifications.save": ["POST","/data_manager/v1/notify/user","json","json",true],
  "notifications.sendAgain": ["POST","/data_manager/v1/notify/undelivered","json","json",true],
  "notifications.test": ["POST","/data_manager/v1/notify/test","json","json",true],
  "notifications.undelivered": ["GET","/data_manager/v1/notify/undelivered","none","json",false],
  "organizations.create": ["POST","/dmp_aa/api/v1/services/","json","json",true],
  "organizations.delete": ["DELETE","/data_manager/v1/dm/org","json","json",false],
  "organizations.devices": ["GET","/dmp_aa/api/v1/services/{org}","none","json",false],
  "organizations.export": ["GET","/dmp_aa/api/v1/services/export","none","file",false],
  "organizations.fleet": ["GET","/data_manager/v1/dm/fleet","none","json",false],
  "organizations.list": ["GET","/dmp_aa/api/v1/services/","none","json",false],
  "organizations.save": ["PUT","/dmp_aa/api/v1/services/{org}","json","json",false],
  "organizations.transferDevices": ["POST","/data_manager/v1/dm/org/device","json","json",true],
  "outages.evidencePack": ["GET","/data_manager/v1/dm/outages/evidence","none","file",false],
  "outages.exportOutages": ["GET","/data_manager/v1/dm/outages/export","none","file",false],
  "outages.exportSums": ["GET","/data_manager/v1/dm/outages/sums/export","none","file",false],
  "outages.listOutages": ["GET","/data_manager/v1/dm/outages","none","json",false],
  "outages.sumOutages": ["GET","/data_manager/v1/dm/outages/sums","none","json",false],
  "places.describe": ["GET","/data_manager/v1/dm/places","none","json",false],
  "positions.feed": ["GET","/data_manager/v1/dm/positions/feed","none","file",false],
  "positions.map": ["GET","/data_manager/v1/dm/positions","none","json",false],
  "positions.trail": ["GET","/data_manager/v1/dm/device/trail","none","json",false],
  "positions.trailFile": ["GET","/data_manager/v1/dm/device/trail/file","none","file",false],
  "properties.add": ["POST","/data_manager/v1/dm/properties","json","json",true],
  "properties.list": ["GET","/data_manager/v1/dm/properties","none","json",false],
  "properties.ofDevice": ["GET","/data_manager/v1/dm/device/properties","none","json",false],
  "properties.picture": ["GET","/data_manager/v1/dm/properties/{property}/{device}/picture","none","file",false],
  "properties.set": ["PATCH","/data_manager/v1/dm/properties/{property}/{device}","json","json",false],
  "properties.upload": ["POST","/data_manager/v1/dm/properties/{property}/{device}/picture","multipart","json",true],
  "recordings.export": ["GET","/data_manager/v1/dm/recordings/export","none","file",false],
  "recordings.file": ["GET","/data_manager/v1/dm/recordings/{recording}/file","none","file",false],
  "recordings.list": ["GET","/data_manager/v1/dm/recordings","none","json",false],
  "recordings.saveSettings": ["PUT","/data_manager/v1/dm/recordings/settings","json","json",false],
  "recordings.settings": ["GET","/data_manager/v1/dm/recordings/settings","none","json",false],
  "recordings.verify": ["GET","/data_manager/v1/dm/recordings/{recording}/seal","none","json",false],
  "remoteAccess.cancel": ["POST","/data_manager/v1/dm/device/arctive","json","json",true],
  "remoteAccess.clientAccess": ["GET","/data_manager/v1/dm/device/clients/access","none","json",false],
  "remoteAccess.clientRule": ["GET","/data_manager/v1/dm/clients/access","none","json",false],
  "remoteAccess.connect": ["POST","/data_manager/v1/dm/cmds/connectDevice","json","json",true],
  "remoteAccess.endClient": ["POST","/data_manager/v1/dm/cmds/endClient","json","json",true],
  "remoteAccess.get": ["GET","/data_manager/v1/dm/device/connection","none","json",false],
  "remoteAccess.openClient": ["POST","/data_manager/v1/dm/cmds/openClient","json","json",true],
  "remoteAccess.openClientTerminal": ["POST","/data_manager/v1/dm/cmds/openClientTerminal","json","json",true],
  "remoteAccess.openTerminal": ["POST","/data_manager/v1/dm/cmds/openTerminal","json","json",true],
  "remoteAccess.resetPassword": ["POST","/data_manager/v1/dm/cmds/resetGuiPassword","json","json",true],
  "remoteAccess.saveClientRule": ["PUT","/data_manager/v1/dm/clients/access","json","json",false],
  "remoteAccess.secret": ["POST","/data_manager/v1/dm/cmds/getOneTimeSecret","json","json",true],
  "reports.count": ["GET","/data_manager/api/v1/statistics/query_count","none","json",false],
  "reports.delete": ["DELETE","/data_manager/api/v1/reports/{report}","none","json",false],
  "reports.devices": ["GET","/data_manager/api/v1/devices","none","json",false],
  "reports.export": ["GET","/data_manager/api/v1/records/export","none","file",false],
  "reports.list": ["GET","/data_manager/api/v1/reports","none","json",false],
  "reports.properties": ["GET","/data_manager/api/v1/properties","none","json",false],
  "reports.records": ["GET","/data_manager/api/v1/records","none","json",false],
  "reports.save": ["POST","/data_manager/api/v1/reports","json","json",true],
  "roles.create": ["POST","/dmp_aa/api/v1/own_roles","json","json",true],
  "roles.delete": ["DELETE","/dmp_aa/api/v1/own_roles/{role}","json","json",false],
  "roles.give": ["PUT","/dmp_aa/api/v1/accounts/{id}/own_role","json","json",false],
  "roles.list": ["GET","/dmp_aa/api/v1/own_roles","none","json",false],
  "roles.rights": ["GET","/dmp_aa/api/v1/own_roles/rights","none","json",false],
  "roles.save": ["PUT","/dmp_aa/api/v1/own_roles/{role}","json","json",false],
  "roles.show": ["GET","/dmp_aa/api/v1/own_roles/{role}","none","json",false],
  "rollouts.list": ["GET","/data_manager/v1/binding/group/rollouts","none","json",false],
  "rollouts.steer": ["POST","/data_manager/v1/binding/group/rollout","json","json",true],
  "rollouts.targets": ["GET","/data_manager/v1/binding/group/targets","none","json",false],
  "routerBackups.compare": ["GET","/data_manager/v1/dm/router-backups/{backup}/text","none","json",false],
  "routerBackups.file": ["GET","/data_manager/v1/dm/router-backups/{backup}/file","none","file",false],
  "routerBackups.list": ["GET","/data_manager/v1/dm/devices/{device}/backups","none","json",false],
  "routerBackups.overdue": ["GET","/data_manager/v1/dm/router-backups/overdue","none","json",false],
  "routerBackups.restore": ["POST","/data_manager/v1/dm/router-backups/{backup}/restore","json","json",true],
  "routerBackups.saveSettings": ["PUT","/data_manager/v1/dm/router-backups/settings","json","json",false],
  "routerBackups.settings": ["GET","/data_manager/v1/dm/router-backups/settings","none","json",false],
  "routerPasswords.list": ["GET","/data_manager/v1/dm/router-passwords","none","json",false],
  "routerPasswords.saveSettings": ["PUT","/data_manager/v1/dm/router-passwords/settings","json","json",false],
  "routerPasswords.set": ["POST","/data_manager/v1/dm/device/password","json","json",true],
  "routerPasswords.settings": ["GET","/data_manager/v1/dm/router-passwords/settings","none","json",false],
  "routerPasswords.show": ["POST","/data_manager/v1/dm/device/password/show","json","json",true],
  "scim.createSecret": ["POST","/data_manager/v1/dm/scim/secrets","json","json",true],
  "scim.get": ["GET","/data_manager/v1/dm/scim","none","json",false],
  "scim.revokeSecret": ["DELETE","/data_manager/v1/dm/scim/secrets/{secret}","json","json",false],
  "scim.saveRoles": ["PUT","/data_manager/v1/dm/scim/roles","json","json",false],
  "search.find": ["GET","/data_manager/v1/dm/search","none","json",false],
  "secondFactor.begin": ["POST","/dmp_aa/api/v1/auth/second-factor","json","json",true],
  "secondFactor.beginAtSignIn": ["POST","/dmp_aa/api/v1/auth/second-factor/sign-in","json","json",false],
  "secondFactor.confirm": ["POST","/dmp_aa/api/v1/auth/second-factor/confirm","json","json",true],
  "secondFactor.confirmAtSignIn": ["POST","/dmp_aa/api/v1/auth/second-factor/sign-in/confirm","json","json",false],
  "secondFactor.end": ["DELETE","/dmp_aa/api/v1/auth/second-factor","json","json",false],
  "secondFactor.get": ["GET","/dmp_aa/api/v1/auth/second-factor","none","json",false],
  "secondFactor.reset": ["DELETE","/dmp_aa/api/v1/accounts/{id}/second-factor","none","json",false],
  "settings.adopt": ["POST","/data_manager/v1/dm/device/settings/adopt","json","json",true],
  "settings.adoptMany": ["POST","/data_manager/v1/dm/settings/adopt","json","json",true],
  "settings.deleteSchema": ["POST","/data_manager/v1/dm/settings/schemas/delete","json","json",true],
  "settings.export": ["GET","/data_manager/v1/dm/settings/devices/export","none","file",false],
  "settings.import": ["POST","/data_manager/v1/dm/device/settings/import","json","json",true],
  "settings.importFile": ["POST","/data_manager/v1/dm/device/settings/import/file","multipart","json",true],
  "settings.importProfile": ["POST","/data_manager/v1/dm/settings/profile","json","json",true],
  "settings.list": ["GET","/data_manager/v1/dm/settings/devices","none","json",false],
  "settings.ofDevice": ["GET","/data_manager/v1/dm/device/settings","none","json",false],
  "settings.preview": ["POST","/data_manager/v1/dm/settings/preview","json","json",true],
  "settings.profile": ["GET","/data_manager/v1/dm/settings/profile","none","json",false],
  "settings.read": ["GET","/data_manager/v1/dm/settings","none","json",false],
  "settings.running": ["GET","/data_manager/v1/dm/device/settings/running","none","json",false],
  "settings.save": ["PUT","/data_manager/v1/dm/settings","json","json",false],
  "settings.saveSchema": ["PUT","/data_manager/v1/dm/settings/schemas","json","json",false],
  "settings.schemas": ["GET","/data_manager/v1/dm/settings/schemas","none","json",false],
  "settings.versions": ["GET","/data_manager/v1/dm/settings/versions","none","json",false],
  "summaries.answerLink": ["POST","/dmp_aa/api/v1/summaries/link","json","json",false],
  "summaries.create": ["POST","/data_manager/v1/dm/summaries","json","json",true],
  "summaries.delete": ["DELETE","/data_manager/v1/dm/summaries/{summary}","json","json",false],
  "summaries.deleteLogo": ["DELETE","/data_manager/v1/dm/summaries/settings/logo","json","json",false],
  "summaries.file": ["GET","/data_manager/v1/dm/summaries/file","none","file",false],
  "summaries.list": ["GET","/data_manager/v1/dm/summaries","none","json",false],
  "summaries.preview": ["GET","/data_manager/v1/dm/summaries/preview","none","json",false],
  "summaries.resume": ["POST","/data_manager/v1/dm/summaries/{summary}/resume","json","json",true],
  "summaries.save": ["PUT","/data_manager/v1/dm/summaries/{summary}","json","json",false],
  "summaries.saveLogo": ["POST","/data_manager/v1/dm/summaries/settings/logo","multipart","json",true],
  "summaries.saveSettings": ["PUT","/data_manager/v1/dm/summaries/settings","json","json",false],
  "summaries.send": ["POST","/data_manager/v1/dm/summaries/{summary}/send","json","json",true],
  "summaries.sentFile": ["GET","/data_manager/v1/dm/summaries/{summary}/sent","none","file",false],
  "summaries.settings": ["GET","/data_manager/v1/dm/summaries/settings","none","json",false],
  "tools.bundle": ["GET","/data_manager/v1/dm/devices/{device}/support-bundle","none","file",false],
  "tools.file": ["GET","/data_manager/v1/dm/tools/{run}/file","none","file",false],
  "tools.get": ["GET","/data_manager/v1/dm/tools/{run}","none","json",false],
  "tools.list": ["GET","/data_manager/v1/dm/devices/{device}/tools","none","json",false],
  "tools.offered": ["GET","/data_manager/v1/dm/devices/{device}/tools/offered","none","json",false],
  "tools.run": ["POST","/data_manager/v1/dm/devices/{device}/tools","json","json",true],
  "tools.saveTargets": ["PUT","/data_manager/v1/dm/tool-targets","json","json",false],
  "tools.speeds": ["GET","/data_manager/v1/dm/devices/{device}/tools/speeds","none","json",false],
  "tools.targets": ["GET","/data_manager/v1/dm/tool-targets","none","json",false],
  "usage.export": ["GET","/data_manager/v1/dm/usage/export","none","file",false],
  "usage.list": ["GET","/data_manager/v1/dm/usage","none","json",false],
  "usage.month": ["GET","/data_manager/v1/dm/usage/month","none","json",false],
  "usage.of": ["GET","/data_manager/v1/dm/usage/of","none","json",false],
  "usagePlans.add": ["POST","/data_manager/v1/dm/usage/plans","json","json",true],
  "usagePlans.assign": ["POST","/data_manager/v1/dm/usage/plans/{plan}/sims","json","json",true],
  "usagePlans.delete": ["DELETE","/data_manager/v1/dm/usage/plans/{plan}","none","json",false],
  "usagePlans.list": ["GET","/data_manager/v1/dm/usage/plans","none","json",false],
  "usagePlans.preview": ["POST","/data_manager/v1/dm/usage/plans/preview","json","json",true],
  "usagePlans.readFile": ["POST","/data_manager/v1/dm/usage/plans/file","multipart","json",true],
  "usagePlans.save": ["PUT","/data_manager/v1/dm/usage/plans/{plan}","json","json",false],
  "usagePlans.setZone": ["PUT","/data_manager/v1/dm/usage/zone","json","json",false],
  "views.add": ["POST","/data_manager/v1/dm/views","json","json",true],
  "views.delete": ["DELETE","/data_manager/v1/dm/views/{view}","none","json",false],
  "views.list": ["GET","/data_manager/v1/dm/views","none","json",false],
  "views.save": ["PATCH","/data_manager/v1/dm/views/{view}","json","json",false],
  "visits.end": ["DELETE","/dmp_aa/api/v1/visits/{visit}","none","json",false],
  "visits.enter": ["POST","/dmp_aa/api/v1/visits/{visit}/enter","none","json",true],
  "visits.leave": ["POST","/dmp_aa/api/v1/visits/leave","none","json",true],
  "visits.list": ["GET","/dmp_aa/api/v1/visits","none","json",false],
  "visits.open": ["POST","/dmp_aa/api/v1/visits","json","json",true],
  "webhooks.create": ["POST","/data_manager/v1/dm/webhooks","json","json",true],
  "webhooks.delete": ["DELETE","/data_manager/v1/dm/webhooks/{webhook}","json","json",false],
  "webhooks.deliveries": ["GET","/data_manager/v1/dm/webhooks/{webhook}/deliveries","none","json",false],
  "webhooks.delivery": ["GET","/data_manager/v1/dm/webhooks/{webhook}/deliveries/{delivery}","none","json",false],
  "webhooks.events": ["GET","/data_manager/v1/dm/webhooks/events","none","json",false],
  "webhooks.list": ["GET","/data_manager/v1/dm/webhooks","none","json",false],
  "webhooks.resend": ["POST","/data_manager/v1/dm/webhooks/{webhook}/deliveries/{delivery}/resend","json","json",true],
  "webhooks.resume": ["POST","/data_manager/v1/dm/webhooks/{webhook}/resume","json","json",true],
  "webhooks.rotate": ["POST","/data_manager/v1/dm/webhooks/{webhook}/rotate","json","json",true],
  "webhooks.save": ["PUT","/data_manager/v1/dm/webhooks/{webhook}","json","json",false],
  "webhooks.show": ["GET","/data_manager/v1/dm/webhooks/{webhook}","none","json",false],
  "webhooks.suspend": ["POST","/data_manager/v1/dm/webhooks/{webhook}/suspend","json","json",true],
  "webhooks.test": ["POST","/data_manager/v1/dm/webhooks/{webhook}/test","json","json",true],
};
