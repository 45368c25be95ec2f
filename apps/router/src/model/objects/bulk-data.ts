import { UspError, objectPath } from '@highline/usp';
import { type CommandDef, DONE, type ObjectDef } from '../definition.ts';
import { UNKNOWN_TIME, alias, atMost, between, fixed, flag, oneOf, setting, text, toggle, whole } from '../params.ts';

/** Paths of the settings for the reporting part of the agent. */
export const BULK_DATA = 'Device.BulkData.';
export const PROFILES = 'Device.BulkData.Profile.';

const MAX_PROFILES = 5;
const MIN_INTERVAL_SECONDS = 1;
const MAX_INTERVAL_SECONDS = 7 * 24 * 3600;

/** Sends a report now (TR-181 Device.BulkData.Profile.{i}.ForceCollection()). */
const forceCollection: CommandDef = {
  kind: 'CMD_SYNC',
  inputs: [],
  outputs: [],
  run({ router, control, ids }) {
    const path = objectPath('Device.BulkData.Profile', ids[0] ?? 0);
    if (router.row(path)?.['Enable'] !== 'true') {
      return { type: 'cmd_failure', errCode: UspError.commandFailure, errMsg: 'the profile is not enabled' };
    }
    control.collect(path);
    return DONE;
  },
};

/** Telemetry in bulk (TR-181 Device.BulkData), by USP event and as JSON name-value pairs only. */
const bulkData: ObjectDef = {
  path: BULK_DATA,
  params: {
    Enable: toggle(true),
    Status: text((router) => (router.row(BULK_DATA)?.['Enable'] === 'false' ? 'Disabled' : 'Enabled')),
    MinReportingInterval: whole(() => MIN_INTERVAL_SECONDS),
    Protocols: fixed('USPEventNotif'),
    EncodingTypes: fixed('JSON'),
    ParameterWildCardSupported: flag(() => true),
    MaxNumberOfProfiles: whole(() => MAX_PROFILES),
    MaxNumberOfParameterReferences: whole(() => -1),
  },
};

const profile: ObjectDef = {
  path: 'Device.BulkData.Profile.{i}.',
  table: { grows: { max: MAX_PROFILES }, uniqueKeys: [['Alias']] },
  params: {
    Alias: alias,
    Enable: toggle(false),
    Name: setting('PARAM_STRING', '', atMost(255)),
    // Number of reports kept while disconnected; -1: as many as fit.
    NumberOfRetainedFailedReports: setting('PARAM_INT', '0', between(-1, 100_000)),
    Protocol: setting('PARAM_STRING', 'USPEventNotif', oneOf('USPEventNotif')),
    // Seconds.
    ReportingInterval: setting('PARAM_UNSIGNED_INT', '86400', between(MIN_INTERVAL_SECONDS, MAX_INTERVAL_SECONDS)),
    TimeReference: setting('PARAM_DATE_TIME', UNKNOWN_TIME),
    EncodingType: setting('PARAM_STRING', 'JSON', oneOf('JSON')),
    Controller: fixed('Device.LocalAgent.Controller.1'),
  },
  commands: { 'ForceCollection()': forceCollection },
  events: { 'Push!': ['Data'] },
};

const profileParameter: ObjectDef = {
  path: 'Device.BulkData.Profile.{i}.Parameter.{i}.',
  table: { grows: { max: 256 }, uniqueKeys: [] },
  params: {
    // The reported name; empty: its path.
    Name: setting('PARAM_STRING', '', atMost(255)),
    Reference: setting('PARAM_STRING', '', checkReference),
  },
};

const jsonEncoding: ObjectDef = {
  path: 'Device.BulkData.Profile.{i}.JSONEncoding.',
  params: {
    ReportFormat: setting('PARAM_STRING', 'NameValuePair', oneOf('NameValuePair')),
    ReportTimestamp: setting('PARAM_STRING', 'Unix-Epoch', oneOf('Unix-Epoch', 'ISO-8601', 'None')),
  },
};

export const bulkDataObjects: readonly ObjectDef[] = [bulkData, profile, profileParameter, jsonEncoding];

function checkReference(reference: string): string | undefined {
  if (reference !== '' && !reference.startsWith('Device.')) return "does not begin with 'Device.'";
  return reference.length > 256 ? 'longer than 256 characters' : undefined;
}
