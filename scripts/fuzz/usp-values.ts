import * as fc from 'fast-check';
import { hostileText } from './hostile.ts';

export const LOCATION = 'Device.DeviceInfo.Location.1.DataObject';

export const TRAIL = 'Device.X_HIGHLINE_GPS.Trail';

/** Paths that the server reads, subscribes to or acts on. */
export const paths = fc.constantFrom(
  'Device.DeviceInfo.ModelName',
  'Device.DeviceInfo.SoftwareVersion',
  'Device.DeviceInfo.UpTime',
  'Device.DeviceInfo.ActiveFirmwareImage',
  'Device.DeviceInfo.FirmwareImage.1.Status',
  'Device.DeviceInfo.FirmwareImage.1.X_HIGHLINE_Signature',
  'Device.DeviceInfo.PowerStatus.PowerSensor.1.Voltage',
  'Device.DeviceInfo.TemperatureStatus.TemperatureSensor.1.Value',
  'Device.Time.CurrentLocalTime',
  'Device.Cellular.Interface.1.Status',
  'Device.Cellular.Interface.1.RSSI',
  'Device.Cellular.Interface.1.NetworkInUse',
  'Device.Cellular.Interface.1.Stats.BytesSent',
  'Device.Cellular.Interface.1.Stats.BytesReceived',
  LOCATION,
  TRAIL,
  'Device.TrustedElements.SIM.1.ICCID',
  'Device.TrustedElements.SIM.1.IMSI',
  'Device.LocalAgent.EndpointID',
  'Device.LocalAgent.Subscription.1.Recipient',
  'Device.LocalAgent.Controller.1.EndpointID',
  'Device.BulkData.Profile.1.Name',
  'Device.',
  '',
  'Device.__proto__.x',
  'Device.A.99999999999999999999.B',
);

/** Short, since a run counts frames. */
export const shortText = hostileText.map((text) => text.slice(0, 200));

export const objects = fc.oneof(
  fc.constantFrom(
    'Device.',
    'Device.BulkData.Profile.1.',
    'Device.LocalAgent.',
    'Device.DeviceInfo.FirmwareImage.1.',
    'Device.Boot',
    '.',
  ),
  shortText,
);

export const events = fc.constantFrom('Push!', 'Push!', 'Boot!', 'Periodic!', 'TransferComplete!', 'Wake!', 'X!', '');

export const commands = fc.constantFrom(
  'Download()',
  'Activate()',
  'Reboot()',
  'FactoryReset()',
  'X_HIGHLINE_OpenTunnel()',
  'X_HIGHLINE_DownloadProfile()',
  '()',
  '',
);

const plainValues = fc.constantFrom(
  '-71',
  '13400',
  '1e400',
  'Up',
  'true',
  '2026-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  'Device.DeviceInfo.FirmwareImage.1.',
);

/** One character repeated and then another: the worst case of backtracking patterns. */
export function longText(most: number): fc.Arbitrary<string> {
  const repeated = fc.constantFrom('.', ' ', 'a', '0', '(', '/', ',', '-', '\\', '1.');
  return fc
    .tuple(repeated, fc.integer({ min: most / 2, max: most }))
    .map(([text, length]) => `${text.repeat(length / text.length)}x`);
}

/** Mostly short; sometimes of the maximum length. */
export const values = fc.oneof(
  { weight: 200, arbitrary: shortText },
  { weight: 100, arbitrary: plainValues },
  { weight: 10, arbitrary: hostileText },
  { weight: 1, arbitrary: longText(20_000) },
);

export const valueMap = fc
  .array(fc.tuple(fc.oneof(paths, shortText), values), { maxLength: 12 })
  .map((entries) => new Map(entries));
