import { createHash } from 'node:crypto';
import { pidfLo } from '../../platform/pidf-lo.ts';
import { slotOf } from '../../state/updates.ts';
import { backUpConfig } from '../../steps/backup.ts';
import { activateFirmware, downloadFirmware, restoreConfig } from '../../steps/update.ts';
import type { ObjectDef, RouterView } from '../definition.ts';
import { atMost, fixed, flag, moment, setting, text, toggle, whole } from '../params.ts';

const MANUFACTURER = 'Highline';

/** Identity and software of the router (TR-181 Device.DeviceInfo). */
const deviceInfo: ObjectDef = {
  path: 'Device.DeviceInfo.',
  params: {
    Manufacturer: fixed(MANUFACTURER),
    ManufacturerOUI: text(({ identity }) => identity.mac.slice(0, 6)),
    ModelName: text(({ identity }) => identity.model),
    ProductClass: text(({ identity }) => identity.model),
    Description: text(({ identity }) => `${MANUFACTURER} ${identity.model} vehicle router`),
    FriendlyName: { type: 'PARAM_STRING', initial: ({ identity }) => identity.friendlyName, check: atMost(64) },
    SerialNumber: text(({ identity }) => identity.serial),
    HardwareVersion: text(({ identity }) => identity.hardwareVersion),
    SoftwareVersion: text((router) => router.installed().firmware),
    UpTime: whole((router) => router.uptimeSeconds(), 'fluctuating'),
    FirstUseDate: moment((router) => router.firstUse()),
    ActiveFirmwareImage: text((router) => imagePath(router.updates().flash.active)),
    // The slot for the next start; cleared after that start.
    BootFirmwareImage: {
      type: 'PARAM_STRING',
      initial: (router) => imagePath(router.updates().flash.active),
      check: (path, router) => {
        const slot = /^Device\.DeviceInfo\.FirmwareImage\.([12])\.?$/u.exec(path)?.[1];
        if (slot === undefined) return 'is no firmware image of this router';
        return imageOf(router, Number(slot)).status === 'Available' ? undefined : 'holds no image that could start';
      },
    },
    X_HIGHLINE_Lamps: text(({ platform }) => (platform.lamps?.areBlinking() === true ? 'Blinking' : 'Normal')),
    X_HIGHLINE_ImageSignature: text((router) => (router.checksSignatures ? 'required' : 'none')),
  },
};

function imagePath(slot: number): string {
  return `Device.DeviceInfo.FirmwareImage.${slot}`;
}

/** Two slots, one of which runs. */
const firmwareImage: ObjectDef = {
  path: 'Device.DeviceInfo.FirmwareImage.{i}.',
  table: { instances: () => [1, 2], uniqueKeys: [['Alias']] },
  params: {
    Alias: text((_router, [slot = 0]) => `slot-${slot}`),
    Name: text((router, [slot]) => (imageOf(router, slot).version === '' ? '' : router.identity.model)),
    Version: text((router, [slot]) => imageOf(router, slot).version),
    Available: flag((router, [slot]) => imageOf(router, slot).status === 'Available'),
    Status: text((router, [slot]) => imageStatus(router, slot)),
    X_HIGHLINE_Progress: whole((router, [slot]) => (isDownloading(router, slot) ? router.updatePercent() : 0)),
  },
  commands: { 'Download()': downloadFirmware, 'Activate()': activateFirmware },
};

function imageOf(router: RouterView, slot: number | undefined) {
  return slotOf(router.updates(), slot === 2 ? 2 : 1);
}

function isDownloading(router: RouterView, slot: number | undefined): boolean {
  const { job } = router.updates();
  return job?.kind === 'firmware' && job.slot === slot && job.stage !== 'trial';
}

function imageStatus(router: RouterView, slot: number | undefined): string {
  const { flash, job } = router.updates();
  if (flash.active === slot) return 'Active';
  if (isDownloading(router, slot)) return job?.stage === 'verify' ? 'Validating' : 'Downloading';
  return imageOf(router, slot).status;
}

/** The active config file; without a name until one is installed. */
const vendorConfigFile: ObjectDef = {
  path: 'Device.DeviceInfo.VendorConfigFile.{i}.',
  table: { instances: () => [1], uniqueKeys: [['Alias'], ['Name']] },
  params: {
    Alias: text((_router, [id = 0]) => `config-${id}`),
    Name: text((router) => router.installed().config?.name ?? ''),
    Version: text((router) => router.installed().config?.version ?? ''),
    Description: text((router) => router.installed().config?.description ?? ''),
    X_HIGHLINE_SHA256: text(configDigest),
  },
  commands: { 'Backup()': backUpConfig, 'Restore()': restoreConfig },
};

/** SHA-256 of the installed file, lower-case hex; empty when the stored text is not byte-for-byte the file. */
function configDigest(router: RouterView): string {
  const { text: contents = '', version = '' } = router.installed().config ?? {};
  const digest = createHash('sha256').update(contents).digest('hex');
  return contents !== '' && digest.startsWith(version) ? digest : '';
}

const temperatureSensor: ObjectDef = {
  path: 'Device.DeviceInfo.TemperatureStatus.TemperatureSensor.{i}.',
  table: { instances: () => [1], uniqueKeys: [['Alias'], ['Name']] },
  params: {
    Alias: fixed('board'),
    Name: fixed('Main board'),
    Status: fixed('Enabled'),
    Value: whole(({ platform }) => platform.sensors.temperature(), 'fluctuating'),
    LastUpdate: moment(({ platform }) => platform.clock.now(), 'fluctuating'),
  },
};

const powerSensor: ObjectDef = {
  path: 'Device.DeviceInfo.PowerStatus.PowerSensor.{i}.',
  table: { instances: () => [1], uniqueKeys: [['Alias'], ['Name']] },
  params: {
    Alias: fixed('supply'),
    Name: fixed('Supply'),
    // Millivolts.
    Voltage: whole(({ platform }) => platform.sensors.supplyMillivolts(), 'fluctuating'),
  },
};

/** The newest fix of the receiver (TR-181 Device.DeviceInfo.Location), by the time of the satellites. */
const location: ObjectDef = {
  path: 'Device.DeviceInfo.Location.{i}.',
  table: { instances: () => [1], uniqueKeys: [['Source', 'ExternalSource']] },
  params: {
    Source: fixed('GPS'),
    AcquiredTime: moment(({ platform }) => platform.sensors.lastFix()?.at),
    ExternalSource: fixed(''),
    DataObject: text(({ platform }) => {
      const fix = platform.sensors.lastFix();
      return fix === undefined ? '' : pidfLo(fix);
    }),
  },
};

/** The router's own clock; the cloud computes its skew (TR-181 Device.Time). */
const time: ObjectDef = {
  path: 'Device.Time.',
  params: {
    Enable: toggle(true),
    Status: fixed('Synchronized'),
    CurrentLocalTime: moment(({ platform }) => platform.clock.now(), 'fluctuating'),
    LocalTimeZone: setting('PARAM_STRING', 'UTC0', atMost(256)),
    NTPServer1: setting('PARAM_STRING', 'pool.ntp.org', atMost(64)),
    NTPServer2: setting('PARAM_STRING', '', atMost(64)),
  },
};

/** The port whose address is printed on the case. */
const ethernetInterface: ObjectDef = {
  path: 'Device.Ethernet.Interface.{i}.',
  table: { instances: () => [1], uniqueKeys: [['Alias'], ['Name'], ['MACAddress']] },
  params: {
    Alias: fixed('lan'),
    Name: fixed('eth0'),
    Status: fixed('Up'),
    MACAddress: text(({ identity }) => identity.mac.match(/../g)?.join(':') ?? ''),
  },
};

export const deviceInfoObjects: readonly ObjectDef[] = [
  deviceInfo,
  firmwareImage,
  vendorConfigFile,
  temperatureSensor,
  powerSensor,
  location,
  time,
  ethernetInterface,
];
