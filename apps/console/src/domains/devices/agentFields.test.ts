import { expect, test } from 'vitest';
import { agentFields } from './agentFields.ts';

const fields = (url: string) => agentFields({ url, endpointId: '', controllerId: '' });

test('an address is split into the settings of an agent, with the default port where it has none', () => {
  expect(fields('wss://fleet.example.com/usp/S-_1?eid=os%3A%3A00B2D0-1')).toEqual({
    host: 'fleet.example.com',
    port: '443',
    path: '/usp/S-_1',
    encryption: 'true',
  });
  expect(fields('ws://127.0.0.1:8080/usp/<secret>?eid=x')).toEqual({
    host: '127.0.0.1',
    port: '8080',
    path: '/usp/<secret>',
    encryption: 'false',
  });
  expect(fields('ws://[::1]/usp')).toEqual({ host: '::1', port: '80', path: '/usp', encryption: 'false' });
});
