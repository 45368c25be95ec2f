import type { Tenant } from '../../../testing/tenants.ts';
import { listOf, type Fixtures } from '../../../testing/fixture.ts';

const csvOf = (tenant: Tenant) =>
  `SN,MAC,Start Date,Expiry Date\n${tenant.stock.serial},${tenant.stock.mac},01/01/2026,12/31/2027\n`;

const newDevice = (tenant: Tenant) => ({
  serial_number: tenant.stock.serial,
  mac: tenant.stock.mac,
  started: '01/01/2026',
  expired: '12/31/2027',
});

export const fixtures: Fixtures = {
  'devices.list': listOf((tenant) => tenant.serial),
  'devices.export': listOf((tenant) => tenant.serial),
  'devices.subscriptions': listOf((tenant) => tenant.serial),
  'devices.lastQuery': listOf((tenant) => tenant.deviceId),
  'devices.statistics': listOf(() => '"devices":2'),
  'devices.saveCarrierColor': {
    names: 'organization',
    prepare: async ({ organizationId }, _seeding, { owner }) => {
      await owner.query(
        `insert into carrier_colors (owner_id, carrier, color) values ($1, 'Verizon', 1) on conflict do nothing`,
        [organizationId],
      );
    },
    make: ({ organizationId: org }) => ({ body: { org, carrier: 'Verizon', color: 2 } }),
    shows: () => '"color":2',
  },
  'devices.attention': listOf(() => '"unsubscribed"'),
  'devices.onlineShare': listOf(() => '"result":['),
  'devices.get': {
    names: 'ids',
    make: (scope, ids) => ({ query: { org: scope.organizationId, device: ids.deviceId } }),
    shows: (tenant) => tenant.serial,
  },
  'devices.readings': {
    names: 'ids',
    make: (scope, ids) => ({ query: { org: scope.organizationId, device: ids.deviceId } }),
    shows: () => 'rssi',
  },
  'devices.timeline': {
    names: 'ids',
    make: (scope, ids) => ({ query: { org: scope.organizationId, device: ids.deviceId } }),
    shows: (tenant) => `Prepared ${tenant.name}`,
  },
  'devices.add': {
    names: 'organization',
    make: (scope, ids) => ({ body: { org: scope.organizationId, devices: [newDevice(ids)] } }),
    shows: (tenant) => tenant.stock.serial,
  },
  'devices.addBatch': {
    names: 'organization',
    make: ({ organizationId: org }, { stock }) => ({
      body: { org, model: '', name: 'Bus ', batch: 1, serial_number: stock.serial, started: '01/01/2026', expired: '12/31/2027' },
    }),
    shows: (tenant) => tenant.stock.serial,
  },
  'devices.import': {
    names: 'organization',
    make: (scope, ids) => ({ body: { org: scope.organizationId }, file: csvOf(ids) }),
    shows: () => '"success":1',
  },
  'devices.delete': {
    names: 'ids',
    make: (scope, ids) => ({
      body: { org: scope.organizationId, devices: scope === ids ? [ids.deviceId] : [scope.deviceId, ids.deviceId] },
    }),
    shows: () => '"deleted":1',
  },
  'devices.save': {
    names: 'ids',
    make: (scope, ids) => ({ body: { org: scope.organizationId, device: ids.deviceId, vehicleNumber: 'Matrix 1' } }),
    shows: () => 'Matrix 1',
  },
  'devices.replaceRouter': {
    names: 'ids',
    make: (scope, { deviceId: device, stock }) => ({
      body: { org: scope.organizationId, device, serial_number: stock.serial, mac: stock.mac },
    }),
    shows: (tenant) => tenant.stock.serial,
  },
  'devices.saveSubscription': {
    names: 'ids',
    make: (scope, { deviceId: device }) => ({
      body: { org: scope.organizationId, device, started: '02/01/2026', expired: '01/31/2029' },
    }),
    shows: () => '"expired":"01/31/2029"',
  },
};
