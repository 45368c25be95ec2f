import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import type { OrganizationScope } from '../kernel/scope.ts';

/** An active binding as stored, with a target for every device currently in the group. */
export interface CreatedBinding {
  readonly group: string;
  readonly kind: 'firmware' | 'config';
  /** Version of the firmware, name of the config file; both must be new. */
  readonly label: string;
  readonly schedule?: 'immediate' | 'bootup';
  readonly postpone?: string;
  /** State of every target. */
  readonly state?: string;
}

/** Write a binding and its targets directly into their tables, for tests of readers. @returns ids of binding and file */
export async function createBinding(
  owner: Client,
  { mainAccountId, organizationId }: OrganizationScope,
  { group, kind, label, schedule = 'immediate', postpone, state = 'waiting' }: CreatedBinding,
): Promise<{ readonly id: string; readonly profile: string }> {
  const [id, profile] = [randomUUID(), randomUUID()];
  if (kind === 'firmware')
    await owner.query(
      `insert into firmware (id, main_account_id, version, profile, file_name, size, sha256) values ($1, $2, $3, 'HL', 'x', 1, sha256('x'))`,
      [profile, mainAccountId, label],
    );
  else {
    await owner.query('insert into config_files (organization_id, id, name) values ($1, $2, $3)', [
      organizationId,
      profile,
      label,
    ]);
    await owner.query(
      `insert into config_versions (organization_id, config_id, number, size, sha256, sealed) values ($1, $2, 1, 1, sha256('x'), 'x')`,
      [organizationId, profile],
    );
  }
  await owner.query(
    `insert into bindings (id, organization_id, group_key, kind, firmware_id, config_id, config_number, label, schedule, postpone_until)
     values ($1, $2, $3, $4, case $4 when 'firmware' then $5::uuid end, case $4 when 'config' then $5::uuid end,
       case $4 when 'config' then 1 end, $6, $7, $8)`,
    [id, organizationId, group, kind, profile, label, schedule, postpone ?? null],
  );
  await owner.query(
    `insert into rollout_targets (organization_id, binding_id, device_id, router_id, state)
     select organization_id, $1, id, router_id, $4 from devices where organization_id = $2 and group_key = $3 and archived_at is null`,
    [id, organizationId, group, state],
  );
  return { id, profile };
}
