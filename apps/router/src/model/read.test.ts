import { describe, expect, it } from 'vitest';
import { type BareRouter, createBareRouter, valuesOf } from '../testing/view.ts';

function get(router: BareRouter, path: string, maxDepth = 0): { [path: string]: string | number } {
  return valuesOf(router.request({ type: 'get', paramPaths: [path], maxDepth }));
}

describe('Get', () => {
  const router = createBareRouter();

  it('reads one parameter', () => {
    expect(get(router, 'Device.DeviceInfo.SerialNumber')).toEqual({ 'Device.DeviceInfo.SerialNumber': 'HL-0001' });
    expect(get(router, 'Device.DeviceInfo.ManufacturerOUI')).toEqual({ 'Device.DeviceInfo.ManufacturerOUI': '00B2D0' });
  });

  it('reads everything below a partial path, each object separately with names relative to it', () => {
    const body = router.request({ type: 'get', paramPaths: ['Device.Cellular.Interface.'], maxDepth: 0 });
    const result = body.type === 'get_resp' ? body.reqPathResults[0] : undefined;
    expect(result?.resolvedPathResults.map(({ resolvedPath }) => resolvedPath)).toEqual([
      'Device.Cellular.Interface.1.',
      'Device.Cellular.Interface.1.Stats.',
      'Device.Cellular.Interface.1.USIM.',
    ]);
    expect(result?.resolvedPathResults[2]?.resultParams.get('IMSI')).toBe('999700000000003');
  });

  it('goes as deep as max_depth allows', () => {
    const paths = (depth: number) => Object.keys(get(router, 'Device.DeviceInfo.', depth));
    expect(paths(1).every((path) => path.split('.').length === 3)).toBe(true);
    expect(paths(2)).toContain('Device.DeviceInfo.FirmwareImage.1.Version');
    expect(paths(2)).not.toContain('Device.DeviceInfo.TemperatureStatus.TemperatureSensor.1.Value');
    expect(paths(0)).toContain('Device.DeviceInfo.TemperatureStatus.TemperatureSensor.1.Value');
  });

  it('resolves wildcards and search expressions', () => {
    expect(get(router, 'Device.DeviceInfo.FirmwareImage.*.Status')).toEqual({
      'Device.DeviceInfo.FirmwareImage.1.Status': 'Active',
      'Device.DeviceInfo.FirmwareImage.2.Status': 'NoImage',
    });
    expect(get(router, 'Device.DeviceInfo.FirmwareImage.[Status=="Active"&&Available==true].Version')).toEqual({
      'Device.DeviceInfo.FirmwareImage.1.Version': '2.1.0',
    });
    expect(get(router, 'Device.DeviceInfo.FirmwareImage.[Status=="Downloading"].Version')).toEqual({});
    expect(get(router, 'Device.Cellular.Interface.[RSRP<-200].Status')).toEqual({});
  });

  it('an escaped quote in a search expression is a quote, and a hostile expression costs no time', () => {
    expect(get(router, 'Device.DeviceInfo.FirmwareImage.[Status=="%22"].Version')).toEqual({});
    const hostile = `Device.DeviceInfo.FirmwareImage.[Status=="${'%22'.repeat(2_000)}].Version`;
    expect(get(router, hostile)).toEqual({ [hostile]: 7008 });
  });

  it('counts the entries of every table in its parent object', () => {
    expect(get(router, 'Device.Cellular.InterfaceNumberOfEntries')).toEqual({ 'Device.Cellular.InterfaceNumberOfEntries': '1' });
    expect(get(router, 'Device.TrustedElements.SIM.1.ProfileNumberOfEntries')).toEqual({
      'Device.TrustedElements.SIM.1.ProfileNumberOfEntries': '1',
    });
  });

  it.each([
    ['Device.Nothing.', 7026],
    ['Device.DeviceInfo.Nothing', 7026],
    ['Device.Cellular', 7026],
    ['DeviceInfo.SerialNumber', 7026],
    ['', 7026],
    ['Device.__proto__.', 7026],
    ['Device.DeviceInfo.constructor', 7026],
    ['Device.Cellular.Interface.2.Status', 7016],
    ['Device.Cellular.Interface.0.Status', 7026],
    ['Device.DeviceInfo.FirmwareImage.[Status].Version', 7008],
    ['Device.DeviceInfo.FirmwareImage.[Nothing==1].Version', 7026],
  ])('%j fails alone: %i', (path, code) => {
    const body = router.request({ type: 'get', paramPaths: [path, 'Device.RootDataModelVersion'], maxDepth: 0 });
    expect(valuesOf(body)).toEqual({ [path]: code, 'Device.RootDataModelVersion': '2.19' });
  });

  it('the whole tree can be read at once, and every value has the type that GetSupportedDM names', () => {
    const values = get(router, 'Device.');
    expect(Object.keys(values).length).toBeGreaterThan(80);
    const body = router.request({ ...EVERYTHING, objPaths: ['Device.'] });
    const objects = body.type === 'get_supported_dm_resp' ? (body.reqObjResults[0]?.supportedObjs ?? []) : [];
    const numeric = objects.flatMap(({ supportedObjPath, supportedParams }) =>
      supportedParams
        .filter(({ valueType }) => /INT|LONG|DECIMAL/.test(valueType))
        .map(({ paramName }) => supportedObjPath + paramName),
    );
    const wrong = Object.entries(values).filter(
      ([path, value]) => numeric.includes(path.replace(/\.\d+\./g, '.{i}.')) && !/^-?\d+(\.\d+)?$/.test(String(value)),
    );
    expect(numeric.length).toBeGreaterThan(20);
    expect(wrong).toEqual([]);
  });
});

const EVERYTHING = {
  type: 'get_supported_dm',
  firstLevelOnly: false,
  returnCommands: true,
  returnEvents: true,
  returnParams: true,
  returnUniqueKeySets: true,
} as const;

describe('GetSupportedDM', () => {
  const router = createBareRouter();
  const request = (path: string, extra: object = {}) => {
    const body = router.request({ ...EVERYTHING, objPaths: [path], ...extra });
    if (body.type !== 'get_supported_dm_resp') throw new Error(body.type);
    return body.reqObjResults[0]!;
  };

  it('lists commands, events, our extensions and writable parameters', () => {
    const all = request('Device.');
    const device = all.supportedObjs.find(({ supportedObjPath }) => supportedObjPath === 'Device.');
    expect(device?.supportedCommands.map(({ commandName }) => commandName)).toEqual(
      expect.arrayContaining(['Reboot()', 'FactoryReset()']),
    );
    expect(device?.supportedEvents.map(({ eventName }) => eventName)).toEqual(['Boot!']);
    const gps = all.supportedObjs.find(({ supportedObjPath }) => supportedObjPath === 'Device.X_HIGHLINE_GPS.');
    expect(gps?.supportedParams[0]).toEqual({
      paramName: 'Latitude',
      access: 'PARAM_READ_ONLY',
      valueType: 'PARAM_DECIMAL',
      valueChange: 'VALUE_CHANGE_WILL_IGNORE',
    });
    const subscription = request('Device.LocalAgent.Subscription.{i}.').supportedObjs[0];
    expect(subscription).toMatchObject({ access: 'OBJ_ADD_DELETE', isMultiInstance: true });
    expect(subscription?.supportedParams.find(({ paramName }) => paramName === 'Recipient')?.access).toBe('PARAM_READ_ONLY');
    expect(subscription?.uniqueKeySets).toEqual([{ keyNames: ['Alias'] }, { keyNames: ['Recipient', 'ID'] }]);
  });

  it('returns only the first level on request, and rejects unknown paths', () => {
    const objects = request('Device.Cellular.', { firstLevelOnly: true }).supportedObjs.map(
      ({ supportedObjPath }) => supportedObjPath,
    );
    expect(objects).toEqual(['Device.Cellular.', 'Device.Cellular.Interface.{i}.', 'Device.Cellular.AccessPoint.{i}.']);
    expect(request('Device.Bridging.').errCode).toBe(7026);
  });
});

describe('GetInstances', () => {
  const router = createBareRouter();
  const paths = (objPath: string, firstLevelOnly: boolean) => {
    const body = router.request({ type: 'get_instances', objPaths: [objPath], firstLevelOnly });
    return body.type === 'get_instances_resp'
      ? body.reqPathResults[0]?.currInsts.map(({ instantiatedObjPath }) => instantiatedObjPath)
      : [];
  };

  it('lists instances with their unique keys', () => {
    const body = router.request({ type: 'get_instances', objPaths: ['Device.TrustedElements.SIM.'], firstLevelOnly: true });
    expect(body.type === 'get_instances_resp' && body.reqPathResults[0]?.currInsts).toEqual([
      {
        instantiatedObjPath: 'Device.TrustedElements.SIM.1.',
        uniqueKeys: new Map([
          ['Alias', 'sim-1'],
          ['ICCID', '89999990000000000033'],
        ]),
      },
    ]);
  });

  it('goes deeper unless only the first level is requested', () => {
    expect(paths('Device.TrustedElements.SIM.', false)).toEqual([
      'Device.TrustedElements.SIM.1.',
      'Device.TrustedElements.SIM.1.Profile.1.',
    ]);
    expect(paths('Device.TrustedElements.SIM.', true)).toEqual(['Device.TrustedElements.SIM.1.']);
    expect(paths('Device.Cellular.', true)).toEqual(['Device.Cellular.Interface.1.', 'Device.Cellular.AccessPoint.1.']);
  });
});
