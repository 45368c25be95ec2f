import { makeIccid, makeImsi } from '@highline/usp';
import type { AgentOptions } from './agent.ts';

type Model = Pick<AgentOptions, 'model' | 'tables'> & {
  readonly model: ReadonlyMap<string, string>;
  readonly tables: readonly string[];
};

/** The minimum of every agent: its identity and its subscriptions. No Cellular, no FirmwareImage, no bulk data. */
export const minimalAgent: Model = {
  model: new Map([
    ['Device.DeviceInfo.ModelName', 'HR-100'],
    ['Device.DeviceInfo.SoftwareVersion', '1.0.3'],
    ['Device.DeviceInfo.UpTime', '86400'],
    ['Device.LocalAgent.Controller.1.EndpointID', 'self::highline'],
    ['Device.LocalAgent.Controller.1.PeriodicNotifInterval', '86400'],
  ]),
  tables: ['Device.LocalAgent.Subscription.'],
};

/** Additional objects of a router with a modem and bulk data. */
export const completeAgent: Model = {
  model: new Map([
    ...minimalAgent.model,
    ['Device.Cellular.Interface.1.Status', 'Up'],
    ['Device.Cellular.Interface.1.NetworkInUse', 'Verizon'],
    ['Device.Cellular.Interface.1.RSSI', '-71'],
    ['Device.Cellular.Interface.1.Stats.BytesSent', '1000'],
    ['Device.TrustedElements.SIM.1.ICCID', makeIccid(1)],
    ['Device.TrustedElements.SIM.1.IMSI', makeImsi(1)],
    ['Device.DeviceInfo.PowerStatus.PowerSensor.1.Voltage', '13400'],
    ['Device.BulkData.Enable', 'false'],
    ['Device.BulkData.MinReportingInterval', '30'],
    ['Device.BulkData.ParameterWildCardSupported', 'true'],
  ]),
  tables: [...minimalAgent.tables, 'Device.BulkData.Profile.', 'Device.BulkData.Profile.{i}.Parameter.'],
};
