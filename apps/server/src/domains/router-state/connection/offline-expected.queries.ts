import { sql } from 'kysely';
import type { Fragment } from '../../../platform/listing/index.ts';

/** Why an offline `devices d` is no fault; null = it is one, or not offline (SAY-04). */
export const offlineExpected: Fragment = sql`case when d.presence = 'offline' and d.presence_since is not null then
  case when d.is_planned then 'planned' when d.ignition = 'off' then 'parked' end end`;
