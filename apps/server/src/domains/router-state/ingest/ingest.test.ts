import { makeEid, makeIccid, makeImei, makeImsi, normalizeImsi } from '@highline/usp';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { correctTimes, readSkew, readTime } from './clock.ts';
import { Responses } from '../../../transport/usp/responses.ts';
import { ingest, type Euicc, type Primary } from './index.ts';
import { readNumber } from './text.ts';

const { chooseEuicc, choosePrimary, isEuiccLacking, readMeasured, readReported } = ingest;
const now = new Date('2026-11-20T12:00:00Z');
const readPush = (data: string, modem: number, skewMs: number | undefined, at: number) =>
  ingest.measuredIn(ingest.readPushedReports(data, skewMs, at).reports, modem);
const readValueChange = (path: string, value: string, primary: Primary) => ingest.readValueChange(path, value, primary, now);

/** Answers in which every path was answered, with these values. */
function responsesOf(values: Record<string, string>, lacking: Record<string, number> = {}): Responses {
  const responses = new Responses();
  const resolvedPathResults = Object.entries(values).map(([path, value]) => {
    const dot = path.lastIndexOf('.') + 1;
    return { resolvedPath: path.slice(0, dot), resultParams: new Map([[path.slice(dot), value]]) };
  });
  responses.add(
    ingest.statePaths.map((requestedPath, index) => ({
      requestedPath,
      errCode: lacking[requestedPath] ?? 0,
      errMsg: '',
      resolvedPathResults: index === 0 ? resolvedPathResults : [],
    })),
  );
  return responses;
}

const read = (responses: Responses, before: Euicc = { path: undefined, eid: '', isThere: false }) =>
  readReported(responses, choosePrimary(responses), chooseEuicc(responses, before, now.getTime()), now);

describe('reported values as columns', () => {
  it('DEV-09-partial model, firmware, config, carrier, SIM numbers and the start come from the router', () => {
    const [imei, iccid, imsi, eid] = [makeImei(1), makeIccid(1), makeImsi(1), makeEid(1)];
    const responses = responsesOf({
      'Device.DeviceInfo.ModelName': 'HR-500',
      'Device.DeviceInfo.HardwareVersion': 'B',
      'Device.DeviceInfo.SoftwareVersion': '2.4.1',
      'Device.DeviceInfo.UpTime': '3600',
      'Device.DeviceInfo.VendorConfigFile.1.Name': 'city-bus.cfg',
      'Device.Cellular.Interface.1.Status': 'Up',
      'Device.Cellular.Interface.1.IMEI': imei,
      'Device.Cellular.Interface.1.NetworkInUse': 'Verizon',
      'Device.Cellular.Interface.1.CurrentAccessTechnology': 'NR-NSA',
      'Device.Cellular.Interface.1.X_HIGHLINE_CellID': '26815744',
      'Device.Cellular.Interface.1.RSSI': '-71',
      'Device.TrustedElements.SIM.1.ICCID': `${iccid}F`,
      'Device.TrustedElements.SIM.1.IMSI': imsi,
      'Device.TrustedElements.SIM.1.MSISDN': '+1 312 555 0100',
      'Device.TrustedElements.SIM.1.EID': eid,
    });
    expect(read(responses)).toEqual({
      model: 'HR-500',
      hardware_version: 'B',
      firmware: '2.4.1',
      config: 'city-bus.cfg',
      config_version: null,
      config_slot: 'Device.DeviceInfo.VendorConfigFile.1.',
      idle_slot: null,
      idle_status: null,
      booted_at: '2026-11-20T11:00:00.000Z',
      carrier: 'Verizon',
      technology: 'NR-NSA',
      cell_id: '26815744',
      uplink_kind: 'cellular',
      ignition: null,
      rssi: -71,
      imei,
      imsi,
      iccid,
      mtn: '13125550100',
      eid,
      primary: { modem: 1, sim: 1, count: 1, sims: { 1: 1 } },
      esim: { path: 'Device.TrustedElements.SIM.1.', eid, count: 0, profiles: [] },
      invalid: [],
    });
  });

  it('SIM-10-partial the profiles of the eUICC come with their paths, hostile texts cleaned, and missing values are null', () => {
    const sim = 'Device.TrustedElements.SIM.2.';
    const { esim } = read(
      responsesOf({
        'Device.TrustedElements.SIM.1.ICCID': makeIccid(1),
        [`${sim}EID`]: makeEid(2),
        [`${sim}Profile.1.ICCID`]: `${makeIccid(2)}F`,
        [`${sim}Profile.1.State`]: 'Active',
        [`${sim}Profile.1.X_HIGHLINE_Preloaded`]: '1',
        [`${sim}Profile.1.X_HIGHLINE_APN`]: '',
        [`${sim}Profile.3.Name`]: '\u202eevil\u0000',
        [`${sim}Profile.3.X_HIGHLINE_Priority`]: '-1',
      }),
    );
    const none = {
      iccid: null,
      active: false,
      preloaded: false,
      name: null,
      carrier: null,
      apn: null,
      apn2: null,
      priority: null,
    };
    expect(esim).toEqual({
      path: sim,
      eid: makeEid(2),
      count: 2,
      profiles: [
        { ...none, path: `${sim}Profile.1.`, iccid: makeIccid(2), active: true, preloaded: true, apn: '' },
        { ...none, path: `${sim}Profile.3.`, name: 'evil' },
      ],
    });
    expect(read(responsesOf({ 'Device.TrustedElements.SIM.1.ICCID': makeIccid(1) })).esim).toBeNull();
  });

  it('SIM-10-partial an eUICC is gone once readings with a SIM have lacked it for longer than a modem restarts; a reading without any says nothing', () => {
    const sim = 'Device.TrustedElements.SIM.1.';
    const eid = makeEid(1);
    const known: Euicc = { path: sim, eid, isThere: true };
    const absent = { ...known, isThere: false };
    const gone = { path: '', eid: '', isThere: false };
    const empty = responsesOf({ [`${sim}EID`]: '', [`${sim}ICCID`]: '' });
    for (const none of [empty, responsesOf({}), responsesOf({}, { 'Device.TrustedElements.SIM.': 7016 })]) {
      expect(chooseEuicc(none, known, 9e12)).toEqual(absent);
      expect(read(none, known)).not.toHaveProperty('esim');
      expect(read(none, known)).not.toHaveProperty('eid');
      expect(read(none)).not.toHaveProperty('esim');
    }
    const other = responsesOf({ [`${sim}EID`]: '', [`${sim}ICCID`]: makeIccid(1) });
    const lacking = chooseEuicc(other, known, 1_000);
    expect([read(other, known), isEuiccLacking(lacking)]).toEqual([expect.not.objectContaining({ esim: null, eid: null }), true]);
    const later = chooseEuicc(other, lacking, 300_999);
    expect([later, chooseEuicc(other, later, 301_000)]).toEqual([lacking, gone]);
    // It was there in between.
    const back = chooseEuicc(responsesOf({ [`${sim}EID`]: eid }), later, 200_000);
    expect([back, chooseEuicc(other, back, 301_000)]).toEqual([known, { ...absent, lackingSince: 301_000 }]);
    expect(read(other, { ...absent, lackingSince: 0 })).toMatchObject({ esim: null, eid: null });
    expect(read(responsesOf({ 'Device.Cellular.Interface.1.USIM.ICCID': makeIccid(1) })).esim).toBeNull();
  });

  it('SIM-10-partial of two eUICCs the known one stays, also while its modem restarts; another one in its place replaces it at once', () => {
    const [first, second] = ['Device.TrustedElements.SIM.1.', 'Device.TrustedElements.SIM.2.'] as const;
    const both = { [`${first}EID`]: makeEid(1), [`${second}EID`]: makeEid(2) };
    const euicc = (path: string, number: number): Euicc => ({ path, eid: makeEid(number), isThere: true });
    const choose = (values: Record<string, string>, before: Euicc, at = 0) => chooseEuicc(responsesOf(values), before, at);
    expect(choose(both, { path: undefined, eid: '', isThere: false })).toEqual(euicc(first, 1));
    expect(choose(both, euicc(second, 2))).toEqual(euicc(second, 2));
    expect(read(responsesOf(both), euicc(second, 2))).toMatchObject({ eid: makeEid(2), esim: { path: second, eid: makeEid(2) } });
    // Its modem restarts, with its row or without.
    for (const values of [{ ...both, [`${first}EID`]: '' }, { [`${second}EID`]: makeEid(2) }]) {
      const lacking = choose(values, euicc(first, 1), 1_000);
      expect(lacking).toEqual({ ...euicc(first, 1), isThere: false, lackingSince: 1_000 });
      expect(read(responsesOf(values), euicc(first, 1))).not.toHaveProperty('esim');
      expect(choose(both, lacking, 2_000)).toEqual(euicc(first, 1));
      expect(choose(values, lacking, 301_000)).toEqual(euicc(second, 2));
    }
    expect(choose({ [`${first}EID`]: makeEid(3) }, euicc(first, 1))).toEqual(euicc(first, 3));
  });

  it('reads SIM numbers where TR-181 kept them before 2.19', () => {
    const responses = responsesOf({
      'Device.Cellular.Interface.2.Status': 'Up',
      'Device.Cellular.Interface.1.USIM.ICCID': makeIccid(1),
      'Device.Cellular.Interface.2.USIM.ICCID': makeIccid(2),
      'Device.Cellular.Interface.2.USIM.IMSI': makeImsi(2),
      'Device.Cellular.Interface.2.USIM.MSISDN': '13125550101',
    });
    expect(read(responses)).toMatchObject({ iccid: makeIccid(2), imsi: makeImsi(2), mtn: '13125550101', eid: null });
  });

  it('missing values are null; unanswered values stay as they were', () => {
    const lacking = {
      'Device.Cellular.Interface.': 7026,
      'Device.TrustedElements.SIM.': 7016,
      'Device.DeviceInfo.ModelName': 7003,
    };
    const patch = read(responsesOf({ 'Device.DeviceInfo.SoftwareVersion': '1' }, lacking));
    expect(patch).toMatchObject({ firmware: '1', carrier: null, imei: null, iccid: null, config: null, booted_at: null });
    expect(patch).not.toHaveProperty('model');
  });

  it('keeps numbers with wrong check digits and flags them', () => {
    const responses = responsesOf({
      'Device.Cellular.Interface.1.IMEI': '123456789012345',
      'Device.TrustedElements.SIM.1.ICCID': '89-nonsense',
      'Device.TrustedElements.SIM.1.IMSI': makeImsi(1),
    });
    expect(read(responses)).toMatchObject({ imei: '123456789012345', iccid: '89-nonsense', invalid: ['imei', 'iccid'] });
  });

  it.each(['unknown', 'N/A', '-', '0013125550101', '0000000'])('DEV-09-partial the MTN %j is not shown as a number', (text) => {
    const responses = responsesOf({
      'Device.Cellular.Interface.1.IMEI': 'unknown',
      'Device.TrustedElements.SIM.1.MSISDN': text,
      'Device.TrustedElements.SIM.1.IMSI': makeImsi(1),
    });
    expect(read(responses)).toMatchObject({ mtn: null, imei: null, imsi: makeImsi(1), invalid: ['imei', 'mtn'] });
  });

  it('a number of invisible characters only is not a number', () => {
    expect(readNumber(normalizeImsi, '\u0000\u202e')).toEqual({ value: null, isValid: true });
  });

  it('takes a change of the modem and the SIM that are shown, and of no other', () => {
    const primary = { modem: 2, sim: 1, sims: new Map([[2, 1]]) };
    expect(readValueChange('Device.Cellular.Interface.2.NetworkInUse', 'T-Mobile', primary)).toEqual({ carrier: 'T-Mobile' });
    expect(readValueChange('Device.Cellular.Interface.1.NetworkInUse', 'T-Mobile', primary)).toBeUndefined();
    expect(readValueChange('Device.TrustedElements.SIM.1.ICCID', makeIccid(3), primary)).toEqual({ iccid: makeIccid(3) });
    expect(readValueChange('Device.DeviceInfo.SoftwareVersion', '', primary)).toEqual({ firmware: null });
    expect(readValueChange('Device.DeviceInfo.__proto__', '', primary)).toBeUndefined();
  });
});

describe('measured values', () => {
  it('are in our units, from the modem in use, without invalid readings', () => {
    const values = Object.entries({
      'Device.Cellular.Interface.1.RSSI': '-90',
      'Device.Cellular.Interface.2.RSSI': -60,
      'Device.Cellular.Interface.1.RSRP': '0',
      'Device.Cellular.Interface.1.Stats.BytesSent': '1234567890123',
      'Device.DeviceInfo.TemperatureStatus.TemperatureSensor.1.Value': '-274',
      'Device.DeviceInfo.TemperatureStatus.TemperatureSensor.2.Value': '41',
      'Device.DeviceInfo.PowerStatus.PowerSensor.1.Voltage': '13417',
      'Device.X_HIGHLINE_Vehicle.BatteryCharge': 87,
      'Device.Cellular.Interface.x.RSRQ': '-5',
      'Device.Cellular.Interface.1.Nested.RSRQ': '-5',
    });
    expect(readMeasured(values, 2, 5)).toEqual([
      { at: 5, parameter: 'rssi', value: -60 },
      { at: 5, parameter: 'bytes_sent', value: 1_234_567_890_123 },
      { at: 5, parameter: 'temperature', value: 41 },
      { at: 5, parameter: 'voltage', value: 13.417 },
      { at: 5, parameter: 'battery', value: 87 },
    ]);
  });

  it('is never so small that the database cannot hold it, and a counter of bytes stays exact', () => {
    const sent = 9_007_199_254_740_991;
    const values = Object.entries({
      'Device.DeviceInfo.TemperatureStatus.TemperatureSensor.1.Value': 1e-200,
      'Device.DeviceInfo.PowerStatus.PowerSensor.1.Voltage': '-4.9e-324',
      'Device.X_HIGHLINE_Vehicle.BatteryCharge': 'unknown',
      'Device.Cellular.Interface.2.Stats.BytesSent': String(sent),
    });
    expect(readMeasured(values, 2, 5).map(({ value }) => value)).toEqual([0, 0, sent]);
  });

  it('a signal that the modem in use does not know any more is none, and not the last one; reports without one say nothing', () => {
    const signal = (...reports: readonly Record<string, unknown>[]) =>
      ingest.signalIn(
        reports.map((report) => ({ values: Object.entries(report) })),
        2,
      );
    const rssi = (value: unknown, modem = 2) => ({ [`Device.Cellular.Interface.${modem}.RSSI`]: value });
    expect(signal(rssi(-70), rssi(-71))).toBe(-71);
    expect(signal(rssi(-70), { 'Device.DeviceInfo.UpTime': '9' })).toBe(-70);
    for (const unknown of ['0', '99', -32_768, '', 'unknown', null]) expect(signal(rssi(-70), rssi(unknown))).toBeNull();
    expect(signal({ ...rssi(''), ...rssi('-60', 1) })).toBeNull();
    expect(signal(rssi('-60', 1))).toBe(-60);
    expect(signal({ 'Device.DeviceInfo.UpTime': '9' })).toBeUndefined();
  });

  it('a Push! of several reports gives each its own time, corrected by the clock skew', () => {
    const seconds = now.getTime() / 1_000 + 90;
    const data = JSON.stringify({
      Report: [
        { CollectionTime: seconds - 60, 'Device.Cellular.Interface.1.RSSI': -70 },
        { CollectionTime: new Date(seconds * 1_000).toISOString(), 'Device.Cellular.Interface.1.RSSI': -71 },
        { 'Device.Cellular.Interface.1.RSSI': -72 },
      ],
    });
    expect(readPush(data, 1, 90_000, now.getTime()).map(({ at, value }) => [at - now.getTime(), value])).toEqual([
      [-60_000, -70],
      [0, -71],
      [0, -72],
    ]);
  });

  it('a Push! of more than 10,000 values is read from its newest reports, which are found before the others cost time', () => {
    const made = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`"],{k\\${index}`, [index]]));
    const signal = (value: number) => ({ 'Device.Cellular.Interface.1.RSSI': value });
    const push = (...reports: object[]) => JSON.stringify({ Name: '"', Report: reports, More: [1] });
    const read = (data: string) => readPush(data, 1, undefined, now.getTime()).map(({ value }) => value);
    expect(read(push(signal(-70), made(3_000), signal(-71)))).toEqual([-70, -71]);
    expect(read(push(signal(-70), made(100_000), signal(-71), signal(-72)))).toEqual([-71, -72]);
    expect(read(push(signal(-70), { ...made(100_000), ...signal(-71) }))).toEqual([]);
    expect(read(JSON.stringify({ Report: { ...made(100_000), ...signal(-71) } }))).toEqual([]);
  });

  it('anything that is not a report yields nothing and breaks nothing', () => {
    const junk = [
      '',
      'null',
      '[]',
      '{"Report":null}',
      '{"Report":[1,"x",null,[]]}',
      '{"Report":{"__proto__":1}}',
      '{'.repeat(10_000),
    ];
    expect(junk.flatMap((data) => readPush(data, 1, undefined, now.getTime()))).toEqual([]);
    fc.assert(fc.property(fc.json(), (data) => readPush(data, 1, 5, now.getTime()).length >= 0));
  });
});

describe('a router’s clock', () => {
  it('is compared with the middle of request and answer', () => {
    const at = now.getTime();
    expect(readSkew('2026-11-20T12:00:05Z', at - 1_000, at + 1_000, undefined)).toBe(5_000);
    expect(readSkew('2026-11-20T07:00:05-05:00', at, at, undefined)).toBe(5_000);
    for (const unset of ['0001-01-01T00:00:00Z', '1970-01-01T00:03:00Z', '2026-10-20T12:00:00Z'])
      expect([unset, readSkew(unset, at, at, undefined), readSkew(unset, at, at, 5_000)]).toEqual([
        unset,
        -(2 ** 31 - 1),
        -(2 ** 31 - 1),
      ]);
    expect(readSkew('2038-01-01T00:00:00Z', at, at, undefined)).toBe(2 ** 31 - 1);
    expect(readSkew('soon', at, at, undefined)).toBeUndefined();
    expect(readSkew(undefined, at, at, undefined)).toBeUndefined();
    // Measured again, a second apart: what is known stays, and with it the times of reports that are sent again.
    expect(readSkew('2026-11-20T12:00:05Z', at, at, 4_000)).toBe(4_000);
    expect(readSkew('2026-11-20T12:00:05Z', at, at, 3_000)).toBe(5_000);
    expect(readTime('yesterday')).toBeUndefined();
  });

  it('is not set right by an answer that took longer than it may be wrong', () => {
    const at = now.getTime();
    // Read at once and answered ten seconds later, or the other way round: the clock may be right, or as far off as is known.
    for (const [requestedAt, responded] of [
      [at - 10_000, at],
      [at, at + 10_000],
    ] as const) {
      expect(readSkew('2026-11-20T12:00:00Z', requestedAt, responded, undefined)).toBe(0);
      expect(readSkew('2026-11-20T12:00:00Z', requestedAt, responded, 1_500)).toBe(1_500);
      expect(readSkew('2026-11-20T12:00:00Z', requestedAt, responded, 60_000)).not.toBe(60_000);
    }
    // A second is left out of a time, never added to it.
    expect(readSkew('2026-11-20T12:00:00Z', at + 999, at + 999, undefined)).toBe(0);
    expect(readSkew('2026-11-20T12:00:00Z', at + 1_500, at + 1_500, undefined)).toBe(-1_500);
  });

  it('that is wrong moves its reports together to now, keeping their distances', () => {
    const at = now.getTime();
    expect(correctTimes([60_000, 120_000, 180_000], undefined, at)).toEqual([at - 120_000, at - 60_000, at]);
    expect(correctTimes([at + 9e12, at + 9e12 + 1_000], undefined, at)).toEqual([at - 1_000, at]);
    expect(correctTimes([at + 700], undefined, at)).toEqual([at]);
    expect(correctTimes([at - 3_600_000, at], undefined, at)).toEqual([at - 3_600_000, at]);
  });
});
