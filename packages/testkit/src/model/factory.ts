import type { Traits } from '../traits.ts';
import { DataModel, type ModelState } from './data-model.ts';
import { addNetworks, linkStates } from './networks.ts';
import { supportedModel } from './tr181.ts';

const INFO = 'Device.DeviceInfo.';
/** TR-106. */
const UNKNOWN_TIME = '0001-01-01T00:00:00Z';
const CONTROLLERS = 'Device.LocalAgent.Controller.';

/** The data model in factory state, provisioned with our cloud as a controller. */
export function factoryModel(traits: Traits): DataModel {
  const model = new DataModel(supportedModel(traits));
  writeAll(model, INFO, {
    Manufacturer: 'Strict Networks',
    ManufacturerOUI: '00AA55',
    ModelName: traits.model,
    ProductClass: traits.model,
    SerialNumber: traits.serial,
    HardwareVersion: 'B2',
    SoftwareVersion: traits.firmware,
  });
  writeAll(model, 'Device.LocalAgent.', { EndpointID: traits.endpointId, SoftwareVersion: '4.2' });
  if (traits.hasOtherController) addController(model, 'self::workshop', false);
  addController(model, traits.controllerId, true);
  const sensor = createNamed(model, `${INFO}TemperatureStatus.TemperatureSensor.`);
  writeAll(model, sensor, { Name: 'Board', Value: '41' });
  addModem(model, traits.serial);
  if (traits.hasNetworks) {
    addNetworks(model);
    linkStates(model);
  }
  if (traits.hasUsers)
    for (const name of ['admin', 'operator'])
      writeAll(model, createNamed(model, 'Device.Users.User.'), { Username: name, Password: `of ${name}` });
  if (traits.hasLocation) writeAll(model, model.create(`${INFO}Location.`), { AcquiredTime: UNKNOWN_TIME });
  if (traits.hasFirmwareImages) addImages(model, traits.firmware);
  if (traits.hasConfigFiles) addConfigFile(model, traits.configVersion);
  return model;
}

/** A data model from its stored state. */
export function keptModel(traits: Traits, state: ModelState): DataModel {
  const model = new DataModel(supportedModel(traits), state);
  if (traits.hasNetworks) linkStates(model);
  return model;
}

/** Path of our controller's row, without its final dot, as TR-181 writes references. */
export function ownController(model: DataModel, controllerId: string): string {
  const found = model.instances(CONTROLLERS).find((path) => model.value(`${path}EndpointID`) === controllerId);
  if (found === undefined) throw new Error(`no controller ${controllerId}`);
  return found.slice(0, -1);
}

function addController(model: DataModel, endpointId: string, isEnabled: boolean): void {
  const path = createNamed(model, CONTROLLERS);
  writeAll(model, path, { EndpointID: endpointId, Enable: String(isEnabled) });
  const mtp = createNamed(model, `${path}MTP.`);
  writeAll(model, mtp, { Enable: String(isEnabled) });
}

function addModem(model: DataModel, serial: string): void {
  const path = createNamed(model, 'Device.Cellular.Interface.');
  const number = String(Buffer.from(serial).reduce((sum, byte) => (sum * 31 + byte) % 100_000_000, 7)).padStart(8, '0');
  writeAll(model, path, {
    IMEI: withCheckDigit(`351234${number}`),
    NetworkInUse: 'AT&T',
    X_HIGHLINE_CellID: '26815744',
    RSSI: '-73',
    RSRP: '-101',
    RSRQ: '-11',
  });
  const iccid = withCheckDigit(`8901410${number}321`);
  writeAll(model, `${path}USIM.`, { IMSI: `3104101${number}`, ICCID: iccid, MSISDN: `1469${number.slice(1)}` });
  writeAll(model, `${path}Stats.`, { BytesSent: '120000', BytesReceived: '940000' });
}

function addImages(model: DataModel, version: string): void {
  const running = createNamed(model, `${INFO}FirmwareImage.`);
  writeAll(model, running, { Name: 'running', Version: version, Available: 'true', Status: 'Active' });
  createNamed(model, `${INFO}FirmwareImage.`);
  for (const name of ['ActiveFirmwareImage', 'BootFirmwareImage']) model.write(INFO + name, running.slice(0, -1));
}

function addConfigFile(model: DataModel, version: string): void {
  const path = createNamed(model, `${INFO}VendorConfigFile.`);
  writeAll(model, path, { Name: 'factory.xml', Version: version, Date: '2026-01-01T00:00:00Z', Description: 'as delivered' });
}

function createNamed(model: DataModel, table: string): string {
  const path = model.create(table);
  model.write(`${path}Alias`, `cpe-${/(\d+)\.$/u.exec(path)?.[1]}`);
  return path;
}

function writeAll(model: DataModel, path: string, values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) model.write(path + name, value);
}

/** Digits with their Luhn digit (IMEI: 3GPP TS 23.003 annex B; ICCID: ITU-T E.118). */
function withCheckDigit(digits: string): string {
  const sum = Array.from(digits, Number)
    .toReversed()
    .reduce((total, digit, at) => {
      const value = digit * (at % 2 === 0 ? 2 : 1);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
