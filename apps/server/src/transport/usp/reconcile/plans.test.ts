import { describe, expect, it } from 'vitest';
import { ingest } from '../../../domains/router-state/index.ts';
import { BULK_DATA, SUBSCRIPTIONS } from '../../../kernel/tr181.ts';
import { Responses } from '../responses.ts';
import { canReport, planBulkData } from './bulk-data.ts';
import { planUspSubscriptions } from './usp-subscriptions.ts';

function responsesOf(values: Record<string, string>, failed: readonly string[] = []): Responses {
  const responses = new Responses();
  const resultParams = new Map(Object.entries(values));
  responses.add(
    [SUBSCRIPTIONS, BULK_DATA, ...ingest.statePaths].map((requestedPath, index) => ({
      requestedPath,
      errCode: failed.includes(requestedPath) ? 7003 : 0,
      errMsg: '',
      resolvedPathResults: index === 0 ? [{ resolvedPath: '', resultParams }] : [],
    })),
  );
  return responses;
}

const reporter = {
  'Device.BulkData.Enable': '1',
  'Device.BulkData.Protocols': 'HTTP,USPEventNotif',
  'Device.BulkData.EncodingTypes': 'CSV, JSON',
  'Device.Cellular.Interface.1.RSSI': '-70',
  'Device.Cellular.Interface.3.RSSI': '-80',
};

describe('the plan for bulk data', () => {
  it('is undefined for an agent that cannot report by USP, or not in JSON, or has no bulk data', () => {
    expect(canReport(responsesOf(reporter))).toBe(true);
    expect(canReport(responsesOf({ ...reporter, 'Device.BulkData.Protocols': 'HTTP' }))).toBe(false);
    expect(canReport(responsesOf({ ...reporter, 'Device.BulkData.EncodingTypes': 'CSV' }))).toBe(false);
    expect(canReport(responsesOf({}))).toBe(false);
  });

  it('names each instance where the agent lacks wildcards, and the extension only where the agent has it', () => {
    const plan = planBulkData(responsesOf(reporter), ingest.readings, 60, { hasBattery: true, hasTrail: true });
    expect(plan).toMatchObject({ profile: undefined, interval: 60, switchOn: false });
    expect(plan.addReferences).toEqual([
      'Device.Cellular.Interface.1.RSSI',
      'Device.Cellular.Interface.3.RSSI',
      'Device.X_HIGHLINE_Vehicle.BatteryCharge',
      'Device.X_HIGHLINE_GPS.Trail',
    ]);
    expect(
      planBulkData(responsesOf(reporter), ingest.readings, 60, { hasBattery: false, hasTrail: false }).addReferences,
    ).toHaveLength(2);
  });

  it('respects the minimum interval of the agent', () => {
    expect(
      planBulkData(responsesOf({ ...reporter, 'Device.BulkData.MinReportingInterval': '300' }), ingest.readings, 60, {
        hasBattery: false,
        hasTrail: false,
      }).interval,
    ).toBe(300);
  });

  it('completes an incomplete profile, and touches no other', () => {
    const held = {
      'Device.BulkData.Profile.1.Name': 'of-another-controller',
      'Device.BulkData.Profile.1.Parameter.1.Reference': 'Device.Other',
      'Device.BulkData.Profile.4.Name': 'highline-telemetry',
      'Device.BulkData.Profile.4.Enable': 'false',
      'Device.BulkData.Profile.4.ReportingInterval': '3600',
      'Device.BulkData.Profile.4.Parameter.1.Reference': 'Device.Cellular.Interface.1.RSSI',
      'Device.BulkData.Profile.4.Parameter.2.Reference': 'Device.Gone',
    };
    expect(
      planBulkData(responsesOf({ ...reporter, ...held }), ingest.readings, 60, { hasBattery: false, hasTrail: false }),
    ).toEqual({
      profile: 'Device.BulkData.Profile.4.',
      interval: 60,
      addReferences: ['Device.Cellular.Interface.3.RSSI'],
      removeParameters: ['Device.BulkData.Profile.4.Parameter.2.'],
      retains: true,
      change: new Map([
        ['ReportingInterval', '60'],
        ['Enable', 'true'],
      ]),
      switchOn: false,
    });
  });
});

describe('the plan for subscriptions', () => {
  const ids = (plan: ReturnType<typeof planUspSubscriptions>) =>
    plan?.add.map(({ object }) => object.paramSettings.find(({ param }) => param === 'ID')?.value);

  it('is undefined when the agent did not report its subscriptions', () => {
    expect(planUspSubscriptions(ingest, responsesOf({}, ['Device.LocalAgent.Subscription.']), undefined)).toBeUndefined();
  });

  it('DEV-09-partial subscribes to values that exist, to a SIM’s numbers at each path, and to reports only with bulk data', () => {
    const always = ['highline-boot', 'highline-operations', 'highline-heartbeat'];
    expect(ids(planUspSubscriptions(ingest, responsesOf({}), undefined))).toEqual(always);
    const usim = { 'Device.Cellular.Interface.1.USIM.ICCID': '' };
    expect(ids(planUspSubscriptions(ingest, responsesOf(usim), undefined))).toEqual([...always, 'highline-usim']);
    expect(ids(planUspSubscriptions(ingest, responsesOf(reporter), undefined))).toContain('highline-push');
    const both = { ...usim, 'Device.TrustedElements.SIM.1.ICCID': '' };
    expect(ids(planUspSubscriptions(ingest, responsesOf(both), undefined))).toEqual([...always, 'highline-sim', 'highline-usim']);
    const onlyState = { ...usim, 'Device.TrustedElements.SIM.1.Status': 'Valid' };
    expect(ids(planUspSubscriptions(ingest, responsesOf(onlyState), undefined))).toEqual([
      ...always,
      'highline-sim',
      'highline-usim',
    ]);
  });

  it('never names the recipient, which the agent fills in', () => {
    const everything = responsesOf({
      'Device.LocalAgent.Controller.1.EndpointID': 'self::highline',
      'Device.DeviceInfo.FirmwareImage.1.Status': 'Active',
      'Device.DeviceInfo.VendorConfigFile.1.Name': 'a.cfg',
      'Device.Cellular.Interface.1.Status': 'Up',
      'Device.TrustedElements.SIM.1.ICCID': '',
    });
    const params = planUspSubscriptions(ingest, everything, 'Device.LocalAgent.Controller.1.')!.add.map(({ object }) =>
      object.paramSettings.map(({ param }) => param),
    );
    expect(params.length).toBeGreaterThan(4);
    for (const names of params) expect(names).toEqual(['ID', 'NotifType', 'ReferenceList', 'Enable', 'Persistent', 'NotifRetry']);
  });

  it('leaves those of another controller alone, under any id', () => {
    const other = {
      'Device.LocalAgent.Subscription.1.ID': 'highline-boot',
      'Device.LocalAgent.Subscription.1.Recipient': 'Device.LocalAgent.Controller.2',
      'Device.LocalAgent.Subscription.1.NotifType': 'Event',
      'Device.LocalAgent.Subscription.1.ReferenceList': 'Device.Boot!',
    };
    const plan = planUspSubscriptions(ingest, responsesOf(other), 'Device.LocalAgent.Controller.1.');
    expect(plan?.remove).toEqual([]);
    expect(ids(plan)).toContain('highline-boot');
  });
});

describe('the plan for subscriptions', () => {
  it('GRP-10-partial subscribes to the progress of a download where the agent reports it, without repetition', () => {
    const planned = planUspSubscriptions(
      ingest,
      responsesOf({ 'Device.DeviceInfo.FirmwareImage.2.Status': 'Available' }),
      undefined,
    )!;
    const settings = planned.add.map(({ object }) => new Map(object.paramSettings.map(({ param, value }) => [param, value])));
    const progress = settings.find((each) => each.get('ID') === 'highline-progress')!;
    expect(progress.get('ReferenceList')).toBe('Device.DeviceInfo.FirmwareImage.*.Status');
    expect(progress.get('NotifRetry')).toBe('false');
    expect(settings.find((each) => each.get('ID') === 'highline-operations')!.get('NotifRetry')).toBe('true');
    const transfers = settings.find((each) => each.get('ID') === 'highline-transfers')!;
    expect([transfers.get('ReferenceList'), transfers.get('NotifRetry')]).toEqual([
      'Device.LocalAgent.TransferComplete!',
      'true',
    ]);
    const silent = planUspSubscriptions(ingest, responsesOf({}), undefined)!;
    expect(JSON.stringify(silent)).not.toContain('TransferComplete');
    expect(JSON.stringify(silent)).not.toContain('FirmwareImage');
  });
});
