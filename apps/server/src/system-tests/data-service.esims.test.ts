import { makeIccid } from '@highline/usp';
import { expect, test } from 'vitest';
import { responsesOf, openExampleServer, type PrintedCall } from '../testing/documented-call.ts';
import type { Tenant } from '../testing/tenants.ts';

// The calls of eSIM profiles as documented in the spec; the tests of the domain cover their effect on a router.

const fixture = openExampleServer();

const DM = '/data_manager/v1/dm';
const both = ({ organizationId: org }: Tenant) => ({ realm: 'highline', org });
const queryOf = (tenant: Tenant, more: Record<string, string> = {}) =>
  new URLSearchParams({ ...both(tenant), ...more }).toString();
const holding = (one: object) => expect.arrayContaining([expect.objectContaining(one)]);
const cardOf = ({ serial, eid, esim }: Tenant) => ({ pk: esim.pk, serial, eid, ac: esim.code, status: 'Fail to download' });
const newCard = (tenant: Tenant, number: number) => ({
  ac: `1$smdp.highline.invalid$CARD-${number}`,
  apn: 'internet',
  eid: tenant.eid,
  iccid: makeIccid(number),
  serial: tenant.serial,
  ...both(tenant),
});
const HEADER = 'SN,EID,Activation Code,ICCID,APN1,APN2,NAME\n';

const printed: readonly PrintedCall[] = [
  {
    call: 'GET /data_manager/v1/dm/profiles',
    path: (tenant) => `${DM}/profiles?${queryOf(tenant)}`,
    as: 'user',
    // A read-only role gets no activation code, which is as valuable as the profile itself.
    response: (tenant) => ({ result: holding({ ...cardOf(tenant), ac: '' }) }),
    names: true,
  },
  {
    call: 'GET /data_manager/v1/dm/profiles (of one router)',
    path: (tenant) => `${DM}/profiles?${queryOf(tenant, { serial: tenant.serial, eid: tenant.eid })}`,
    documentedAs: `${DM}/profiles`,
    as: 'admin',
    response: (tenant) => ({
      result: [
        expect.objectContaining({ name: 'preloaded_eSIM', ac: 'preload', status: 'Not Purchased' }),
        expect.objectContaining(cardOf(tenant)),
      ],
    }),
    rejected: {
      path: (tenant) => `${DM}/profiles?${queryOf(tenant, { serial: 'SN-unknown', eid: tenant.eid })}`,
      field: 'serial',
      error: { message: 'SN not found' },
    },
    names: true,
  },
  {
    call: 'POST /data_manager/v1/dm/profile/',
    as: 'admin',
    notAs: 'user',
    payload: (tenant) => ({ ...newCard(tenant, 501), apn2: 'backup', name: 'Spare' }),
    response: ({ serial }) => ({
      status: 'Created',
      result: expect.objectContaining({ serial, iccid: makeIccid(501), apn2: 'backup', name: 'Spare', status: 'Assigning...' }),
    }),
    rejected: {
      payload: (tenant) => ({ ...newCard(tenant, 502), serial: 'SN-unknown' }),
      field: 'serial',
      error: { detail: 'SN not found' },
    },
    names: true,
  },
  {
    call: 'PATCH /data_manager/v1/dm/profile/{pk}',
    path: ({ esim }) => `${DM}/profile/${esim.pk}`,
    documentedAs: `${DM}/profile/{profile}`,
    as: 'admin',
    notAs: 'user',
    payload: (tenant) => ({ name: 'First', apn1: 'fleet', apn2: 'backup', priority: 1, ac: tenant.esim.code, ...both(tenant) }),
    response: ({ esim }) => ({
      result: expect.objectContaining({ pk: esim.pk, name: 'First', apn: 'fleet', apn2: 'backup', priority: 1 }),
    }),
    rejected: { payload: (tenant) => ({ priority: 5, ...both(tenant) }), field: 'priority' },
    names: true,
  },
  {
    call: 'POST /data_manager/v1/dm/profile/resume',
    as: 'admin',
    notAs: 'user',
    payload: (tenant) => ({ profile: tenant.esim.pk, ...both(tenant) }),
    response: ({ esim }) => ({ result: expect.objectContaining({ pk: esim.pk, status: 'Assigning...' }) }),
    rejected: { payload: both, field: 'profile' },
    names: true,
  },
  {
    call: 'POST /data_manager/v1/dm/profile/batch',
    as: 'admin',
    notAs: 'user',
    encoding: 'multipart',
    payload: both,
    file: {
      field: 'profile',
      name: 'esims.csv',
      text: ({ serial, eid }) =>
        `${HEADER}${serial},${eid},preload,${makeIccid(503)},internet,,\nSN-unknown,${eid},1$a.b$C,,internet,,Lost\n`,
    },
    response: ({ eid }) => ({
      result: expect.objectContaining({
        success: 1,
        fail: [
          expect.objectContaining({
            serial: 'SN-unknown',
            eid,
            ac: '1$a.b$C',
            iccid: '',
            apn1: 'internet',
            apn2: '',
            name: 'Lost',
            error: 'SN not found',
          }),
        ],
      }),
    }),
    names: true,
  },
  {
    call: 'DELETE /data_manager/v1/dm/profile/{pk}',
    path: (tenant) => `${DM}/profile/${tenant.esim.pk}?${queryOf(tenant)}`,
    documentedAs: `${DM}/profile/{profile}`,
    as: 'admin',
    notAs: 'user',
    response: ({ esim }) => ({ result: expect.objectContaining({ pk: esim.pk, status: 'Deleting...' }) }),
    names: true,
  },
];

test.each(printed.map((one) => [one.call, one] as const))(
  'API-02 %s works as documented: described in OpenAPI, validated, answered, and denied to others',
  async (_, one) => {
    const [response, expected] = await responsesOf(fixture, one);
    expect(response).toEqual(expected);
  },
);
