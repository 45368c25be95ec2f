import type { Fixtures } from '../../../testing/fixture.ts';

export const fixtures: Fixtures = {
  'inventory.list': { names: 'nothing', make: () => ({}), shows: (tenant) => tenant.stock.serial },
  'inventory.models': { names: 'nothing', make: () => ({}), shows: () => '"model":"' },
  'inventory.modelSettings': { names: 'nothing', make: () => ({}), shows: () => '"reportSeconds":' },
  'inventory.saveModelSettings': {
    names: 'nothing',
    make: () => ({ body: { models: [{ model: 'HL-MATRIX', reportSeconds: 900 }] } }),
    shows: () => '"reportSeconds":900',
  },
  'inventory.export': { names: 'nothing', make: () => ({}), shows: (tenant) => tenant.stock.serial },
  'inventory.add': {
    names: 'nothing',
    make: (scope) => ({ body: { serial_number: `${scope.serial}-N`, mac: scope.freshMac } }),
    shows: (tenant) => `${tenant.serial}-N`,
  },
  'inventory.get': {
    names: 'main-ids',
    make: (_, ids) => ({ params: { router: ids.stock.routerId } }),
    shows: (tenant) => tenant.stock.serial,
  },
  'inventory.update': {
    names: 'main-ids',
    make: (scope, ids) => ({ params: { router: ids.stock.routerId }, body: { endpointId: `user::${scope.serial}-E` } }),
    shows: (tenant) => tenant.stock.serial,
  },
  'inventory.issueCertificate': {
    names: 'main-ids',
    make: (_, ids) => ({ params: { router: ids.stock.routerId }, body: {} }),
    shows: () => '-----BEGIN CERTIFICATE-----',
  },
  'inventory.revokeCertificate': {
    names: 'main-ids',
    make: (_, ids) => ({ params: { router: ids.stock.routerId, certificate: ids.certificateId } }),
    shows: (tenant) => tenant.certificateId,
  },
  'inventory.import': {
    names: 'nothing',
    make: (scope) => ({ body: {}, file: `SN,MAC\n${scope.serial}-I,${scope.freshMac}\n` }),
    shows: () => '"success":1',
  },
  'inventory.delete': {
    names: 'main-ids',
    make: (scope, ids) => ({
      body: { routers: scope === ids ? [ids.stock.routerId] : [scope.stock.routerId, ids.stock.routerId] },
    }),
    shows: () => '"deleted":1',
  },
  'inventory.endPreviousSecret': {
    names: 'main-ids',
    make: (_, ids) => ({ params: { router: ids.stock.routerId } }),
    async prepare({ stock }, _seeding, { owner }) {
      await owner.query(
        "update routers set previous_secret_hash = decode(md5(random()::text), 'hex'), previous_secret_until = now() + interval '1 day' where id = $1",
        [stock.routerId],
      );
    },
    shows: (tenant) => tenant.stock.serial,
  },
  'inventory.rotateSecret': {
    names: 'main-ids',
    make: (_, ids) => ({ params: { router: ids.stock.routerId } }),
    shows: (tenant) => tenant.stock.serial,
  },
};
