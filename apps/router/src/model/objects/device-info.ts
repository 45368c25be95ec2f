import type { ObjectDef } from '../definition.ts';
import { atMost, fixed, flag, moment, setting, text, toggle, whole } from '../params.ts';

const MANUFACTURER = 'Highline';

/** Who the router is and what runs on it (TR-181 Device.DeviceInfo). */
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
    UpTime: whole((router) => router.uptimeSeconds(), 'restless'),
    FirstUseDate: moment((router) => router.firstUse()),
    ActiveFirmwareImage: text(({ platform }) => `Device.DeviceInfo.FirmwareImage.${platform.flash.activeSlot()}`),
    BootFirmwareImage: text(({ platform }) => `Device.DeviceInfo.FirmwareImage.${platform.flash.activeSlot()}`),
  },
};

/** Two slots, of which one runs. Downloading into them is not part of the model yet, so they can only be read. */
const firmwareImage: ObjectDef = {
  path: 'Device.DeviceInfo.FirmwareImage.{i}.',
  table: { instances: () => [1, 2], uniqueKeys: [['Alias']] },
  params: {
    Alias: text((_router, [slot = 0]) => `slot-${slot}`),
    Name: text((router, [slot]) => (slot === router.platform.flash.activeSlot() ? router.identity.model : '')),
    Version: text((router, [slot]) => (slot === router.platform.flash.activeSlot() ? router.installed().firmware : '')),
    Available: flag((router, [slot]) => slot === router.platform.flash.activeSlot()),
    Status: text((router, [slot]) => (slot === router.platform.flash.activeSlot() ? 'Active' : 'NoImage')),
  },
};

/** The config file that is in force, if one was ever installed. */
const vendorConfigFile: ObjectDef = {
  path: 'Device.DeviceInfo.VendorConfigFile.{i}.',
  table: { instances: (router) => (router.installed().config ? [1] : []), uniqueKeys: [['Alias'], ['Name']] },
  params: {
    Alias: text((_router, [id = 0]) => `config-${id}`),
    Name: text((router) => router.installed().config?.name ?? ''),
    Version: text((router) => router.installed().config?.version ?? ''),
    Description: text((router) => router.installed().config?.description ?? ''),
  },
};

const temperatureSensor: ObjectDef = {
  path: 'Device.DeviceInfo.TemperatureStatus.TemperatureSensor.{i}.',
  table: { instances: () => [1], uniqueKeys: [['Alias'], ['Name']] },
  params: {
    Alias: fixed('board'),
    Name: fixed('Main board'),
    Status: fixed('Enabled'),
    Value: whole(({ platform }) => platform.sensors.temperature(), 'restless'),
    LastUpdate: moment(({ platform }) => platform.clock.now(), 'restless'),
  },
};

const powerSensor: ObjectDef = {
  path: 'Device.DeviceInfo.PowerStatus.PowerSensor.{i}.',
  table: { instances: () => [1], uniqueKeys: [['Alias'], ['Name']] },
  params: {
    Alias: fixed('supply'),
    Name: fixed('Supply'),
    // Millivolts.
    Voltage: whole(({ platform }) => platform.sensors.supplyMillivolts(), 'restless'),
  },
};

/** The router's own clock: its distance from true time is for the cloud to see (TR-181 Device.Time). */
const time: ObjectDef = {
  path: 'Device.Time.',
  params: {
    Enable: toggle(true),
    Status: fixed('Synchronized'),
    CurrentLocalTime: moment(({ platform }) => platform.clock.now(), 'restless'),
    LocalTimeZone: setting('PARAM_STRING', 'UTC0', atMost(256)),
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
  time,
  ethernetInterface,
];
