import { UspError, type UspRequest } from '@highline/usp';
import { describe, expect, it } from 'vitest';
import type { Session } from '../session.ts';
import { SupportedModels } from './supported-models.ts';

/** A session whose agent has `Download()` or nothing. */
function sessionOf(routerId: string, hasDownload: boolean): Session & { questions: UspRequest[] } {
  const questions: UspRequest[] = [];
  const image = {
    supportedObjPath: 'Device.DeviceInfo.FirmwareImage.{i}.',
    supportedCommands: hasDownload ? [{ commandName: 'Download()' }] : [],
    supportedParams: [],
  };
  const session = {
    router: { routerId, organizationId: 'o' },
    questions,
    ask(request: UspRequest) {
      questions.push(request);
      return Promise.resolve({ type: 'get_supported_dm_resp', reqObjResults: [{ errCode: 0, supportedObjs: [image] }] });
    },
  };
  return session as unknown as Session & { questions: UspRequest[] };
}

describe('the abilities of a router model', () => {
  it('are read once per model and firmware', async () => {
    const models = new SupportedModels();
    const second = sessionOf('b', false);
    await models.find(sessionOf('a', true), 'HR-100', '1.0', false);
    expect(await models.find(second, 'HR-100', '1.0', false)).toMatchObject({ firmware: true });
    expect(second.questions).toEqual([]);
  });

  it.each([
    ['firmware', 'HR-100', ''],
    ['model', '', '1.0'],
  ])('are not shared between routers that report no %s', async (_, model, firmware) => {
    const models = new SupportedModels();
    expect(await models.find(sessionOf('a', true), model, firmware, false)).toMatchObject({ firmware: true });
    expect(await models.find(sessionOf('b', false), model, firmware, false)).toMatchObject({ firmware: false });
    const again = sessionOf('b', true);
    expect(await models.find(again, model, firmware, false)).toMatchObject({ firmware: false });
    expect(again.questions).toEqual([]);
  });

  it.each([
    ['takes no more than four paths at a time', UspError.resourcesExceeded, (paths: readonly string[]) => paths.length > 4],
    [
      'rejects all for one object that it lacks',
      UspError.invalidPath,
      (paths: readonly string[]) => paths.some((path) => path.includes('X_HIGHLINE')),
    ],
  ])('are read from an agent that %s', async (_, errCode, rejects) => {
    const session = sessionOf('a', true);
    const ask = session.ask.bind(session);
    session.ask = ((request: Extract<UspRequest, { type: 'get_supported_dm' }>) =>
      rejects(request.objPaths) ? Promise.resolve({ type: 'error', errCode, errMsg: '', paramErrs: [] }) : ask(request)) as never;
    expect(await new SupportedModels().find(session, 'HR-100', '1.0', false)).toMatchObject({ firmware: true });
  });
});
