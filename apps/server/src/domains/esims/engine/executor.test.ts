import { createSecretKey, randomBytes } from 'node:crypto';
import { newId } from '../../../kernel/index.ts';
import { expect, test } from 'vitest';
import { silentLog } from '../../../testing/log.ts';
import { createCodeSeal } from '../code.seal.ts';
import { createEsimExecutor } from './executor.ts';

test('SIM-08-partial a download whose activation code cannot be opened fails with that reason instead of being tried for ever', async () => {
  const newSeal = () => createCodeSeal(createSecretKey(randomBytes(32)));
  const [id, routerId] = [newId(), newId()];
  const row = {
    id,
    stepKey: 'step',
    sealedCode: newSeal().seal(id, '1$smdp.example.com$A').toString('hex'),
    sealedConfirmation: null,
  };
  const execute = createEsimExecutor({ codes: newSeal(), responseMs: 1, log: silentLog, deviceLink: {} as never });
  const request = { type: 'operate', step: 'download', simPath: 'Device.TrustedElements.SIM.1.', row };
  const event = await execute({ routerId, request } as never);
  const failure = { cause: 'rejected', code: null, message: expect.stringContaining('cannot be opened') };
  expect(event).toEqual({ routerId, step: { key: 'step', event: { type: 'failed', failure } } });
});
