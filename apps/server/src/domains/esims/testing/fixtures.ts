import { makeIccid } from '@highline/usp';
import { listOf, type Fixtures } from '../../../testing/fixture.ts';

export const fixtures: Fixtures = {
  'esims.list': listOf((tenant) => tenant.esim.pk),
  'esims.export': listOf((tenant) => tenant.serial),
  'esims.get': {
    names: 'ids',
    make: (scope, ids) => ({ params: { profile: ids.esim.pk }, query: { org: scope.organizationId } }),
    shows: (tenant) => tenant.serial,
  },
  'esims.add': {
    names: 'organization',
    make: (scope, ids) => ({
      body: { org: scope.organizationId, serial: ids.serial, eid: ids.eid, ac: 'preload', iccid: makeIccid(7), apn: 'internet' },
    }),
    shows: () => '"status":"Created"',
  },
  'esims.save': {
    names: 'ids',
    make: (scope, ids) => ({ params: { profile: ids.esim.pk }, body: { org: scope.organizationId, name: 'Matrix 1' } }),
    shows: () => 'Matrix 1',
  },
  'esims.order': {
    names: 'ids',
    make: (scope, ids) => ({ body: { org: scope.organizationId, order: [{ profile: ids.esim.pk, priority: 4 }] } }),
    shows: (tenant) => tenant.serial,
  },
  'esims.use': {
    names: 'ids',
    prepare: async (tenant, _seeding, server) => {
      await server.owner.query("update esim_profiles set status = 'Activated', path = $2 where id = $1", [
        tenant.esim.pk,
        'Device.TrustedElements.SIM.1.Profile.2.',
      ]);
    },
    make: (scope, ids) => ({ body: { org: scope.organizationId, profile: ids.esim.pk } }),
    shows: (tenant) => tenant.serial,
  },
  'esims.delete': {
    names: 'ids',
    make: (scope, ids) => ({ params: { profile: ids.esim.pk }, query: { org: scope.organizationId } }),
    shows: () => 'Deleting...',
  },
  'esims.resume': {
    names: 'ids',
    make: (scope, ids) => ({ body: { org: scope.organizationId, profile: ids.esim.pk } }),
    shows: () => 'Assigning...',
  },
  'esims.import': {
    names: 'organization',
    make: (scope, ids) => ({
      body: { org: scope.organizationId },
      file: `SN,EID,Activation Code,ICCID,APN1,APN2,NAME\n${ids.serial},${ids.eid},pre,${makeIccid(8)},internet,,\n`,
    }),
    shows: () => '"success":1',
  },
};
