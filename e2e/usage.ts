import type { Tenant } from './tenant.ts';

/** Bytes of a SIM in the device of a router, some days ago in the zone of its organization. */
export async function used(
  tenant: Tenant,
  serial: string,
  iccid: string,
  daysAgo: number,
  sent: number,
  received: number,
): Promise<void> {
  const zone = "coalesce((select z.zone from usage_zones z where z.organization_id = d.organization_id), 'UTC')";
  const day = `((now() at time zone ${zone})::date - ${daysAgo})`;
  const of = `from devices d where d.serial = $1`;
  const sums = 'set sent = t.sent + excluded.sent, received = t.received + excluded.received';
  await tenant.owner.query(
    `insert into usage_sims (organization_id, iccid, carrier) select d.organization_id, $2, 'Verizon' ${of} on conflict do nothing`,
    [serial, iccid],
  );
  const values = [serial, iccid, sent, received];
  await tenant.owner.query(
    `insert into usage_days as t select d.organization_id, ${day}, $2, d.id, $3::bigint, $4::bigint ${of}
     on conflict (organization_id, day, iccid, device_id) do update ${sums}`,
    values,
  );
  await tenant.owner.query(
    `insert into usage_cycles as t select d.organization_id, usage_cycle_of(${day}, 1), $2, d.id, $3::bigint, $4::bigint ${of}
     on conflict (organization_id, cycle_from, iccid, device_id) do update ${sums}`,
    values,
  );
  await tenant.owner.query(
    `insert into usage_totals as t select d.organization_id, ${day}, $2::bigint, $3::bigint ${of}
     on conflict (organization_id, day) do update ${sums}`,
    [serial, sent, received],
  );
}
