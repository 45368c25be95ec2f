import { pngOf } from '../../../testing/pictures.ts';
import { listOf, type Fixtures } from '../../../testing/fixture.ts';

export const fixtures: Fixtures = {
  'properties.list': listOf(({ properties }) => properties.text),
  'properties.add': {
    names: 'organization',
    make: ({ organizationId: org }) => ({ body: { org, name: 'Another property', type: 'number', unit: 'km' } }),
    shows: () => '"key":"another_property"',
  },
  'properties.ofDevice': {
    names: 'ids',
    make: ({ organizationId: org }, { deviceId: device }) => ({ query: { org, device } }),
    shows: ({ properties }) => properties.text,
  },
  'properties.set': {
    names: 'ids',
    make: ({ organizationId: org }, { deviceId: device, properties }) => ({
      params: { property: properties.text, device },
      body: { org, value: 'Matrix green' },
    }),
    shows: () => '"value":"Matrix green"',
  },
  'properties.upload': {
    names: 'ids',
    make: ({ organizationId: org }, { deviceId: device, properties }) => ({
      params: { property: properties.picture, device },
      body: { org },
      file: pngOf('Matrix picture'),
    }),
    shows: () => '"type":"image/png"',
  },
  'properties.picture': {
    names: 'ids',
    make: ({ organizationId: org }, { deviceId: device, properties }) => ({
      params: { property: properties.picture, device },
      query: { org },
    }),
    shows: ({ name }) => `Picture of ${name}`,
  },
};
