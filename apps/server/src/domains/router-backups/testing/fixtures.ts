import { createHash, randomBytes } from 'node:crypto';
import { newId } from '../../../kernel/ids.ts';
import { listOf, type Fixture, type Fixtures } from '../../../testing/fixture.ts';
import type { Tenant } from '../../../testing/tenants.ts';

type Prepare = NonNullable<Fixture['prepare']>;

/** A version of the loose device, which has its id; of binary contents that no one opens. */
const withBackup: Prepare = async ({ organizationId, looseDeviceId }, _seeding, { owner }) => {
  await owner.query(
    `insert into router_backups (organization_id, id, device_id, router_id, serial, model, firmware, name, bytes, sha256, is_text, sealed,
       created_by, created_at, confirmed_at)
     select d.organization_id, d.id, d.id, d.router_id, d.serial, coalesce(r.model, ''), '', '', 1, 'ab', false, 'x', 'x@y.invalid', now(), now()
     from devices d left join routers r on r.id = d.router_id where d.organization_id = $1 and d.id = $2 on conflict do nothing`,
    [organizationId, looseDeviceId],
  );
};

const uploaded = new WeakMap<Tenant, string>();

/** Its router may have connected for another call, and said that it has no such command. */
const withRestorable: Prepare = async (tenant, seeding, server) => {
  await withBackup(tenant, seeding, server);
  await server.owner.query(
    `update routers set reported = reported - 'offers' where id = (select router_id from devices where id = $1)`,
    [tenant.looseDeviceId],
  );
};

/** A version that was uploaded, so that this server can open it. */
const withFile: Prepare = async (tenant, _seeding, { owner, url }) => {
  if (uploaded.has(tenant) || url === '') return;
  const [command, secret] = [newId(), randomBytes(32).toString('base64url')];
  const values = [command, tenant.organizationId, tenant.deviceId];
  await owner.query(
    `insert into sent_commands (id, organization_id, main_account_id, device_id, router_id, serial, kind, actor, state, created_at, expires_at, due_at)
     select $1, organization_id, main_account_id, id, router_id, serial, 'backup-config', '{"email":"x@y.invalid"}', 'running', now(), now(),
       now() + interval '1 day' from devices where organization_id = $2 and id = $3`,
    values,
  );
  await owner.query(
    `insert into router_backup_transfers (address_hash, organization_id, command_id, device_id, router_id, created_at)
     select $4, organization_id, $1, id, router_id, now() from devices where organization_id = $2 and id = $3`,
    [...values, createHash('sha256').update(secret).digest()],
  );
  const answer = await fetch(`${url}/transfers/${secret}`, { method: 'PUT', body: 'zone = matrix\n' });
  if (answer.status !== 204) throw new Error(await answer.text());
  await owner.query(`update sent_commands set state = 'done', ended_at = now(), due_at = null where id = $1`, [command]);
  const { rows } = await owner.query<{ id: string }>(
    'select id from router_backups where organization_id = $1 and device_id = $2',
    [tenant.organizationId, tenant.deviceId],
  );
  uploaded.set(tenant, rows[0]!.id);
};

export const fixtures: Fixtures = {
  'routerBackups.list': {
    names: 'ids',
    make: ({ organizationId: org }, { looseDeviceId: device }) => ({ params: { device }, query: { org } }),
    prepare: withBackup,
    shows: ({ looseDeviceId }) => looseDeviceId,
  },
  'routerBackups.overdue': listOf(({ serial }) => serial),
  'routerBackups.compare': {
    names: 'ids',
    make: ({ organizationId: org }, { looseDeviceId: backup }) => ({ params: { backup }, query: { org } }),
    prepare: withBackup,
    shows: () => '"against":null',
  },
  'routerBackups.file': {
    names: 'ids',
    make: ({ organizationId: org }, ids) => ({ params: { backup: uploaded.get(ids) ?? ids.deviceId }, query: { org } }),
    prepare: withFile,
    shows: () => 'zone = matrix',
  },
  'routerBackups.restore': {
    names: 'ids',
    make: ({ organizationId: org }, { looseDeviceId: backup, loose }) => ({
      params: { backup },
      body: { org, confirmation: loose.serial, wait: 1 },
    }),
    prepare: withRestorable,
    shows: () => '"kind":"restore-config"',
  },
  'routerBackups.settings': {
    names: 'organization',
    make: ({ organizationId: org }) => ({ query: { org } }),
    shows: () => '"nightly":',
  },
  'routerBackups.saveSettings': {
    names: 'organization',
    make: ({ organizationId: org }) => ({
      body: { org, nightly: false, hour: 3, zone: 'America/Chicago', versions: 7, days: 90 },
    }),
    shows: () => '"versions":7',
  },
};
