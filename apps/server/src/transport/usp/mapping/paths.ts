/** TR-181 paths of what the console shows (DEVICE-PROTOCOL, "Product concept → TR-181"). */
export const INFO = 'Device.DeviceInfo.';
export const CONFIG_FILES = 'Device.DeviceInfo.VendorConfigFile.';
export const FIRMWARE_IMAGES = 'Device.DeviceInfo.FirmwareImage.';
export const IMAGE_SIGNATURE = 'Device.DeviceInfo.X_HIGHLINE_ImageSignature';
export const TEMPERATURES = 'Device.DeviceInfo.TemperatureStatus.TemperatureSensor.';
export const VOLTAGES = 'Device.DeviceInfo.PowerStatus.PowerSensor.';
export const LOCAL_TIME = 'Device.Time.CurrentLocalTime';
export const MODEMS = 'Device.Cellular.Interface.';
export const SIMS = 'Device.TrustedElements.SIM.';
export const VEHICLE = 'Device.X_HIGHLINE_Vehicle.';
/** The vehicle's battery is low. The router applies hysteresis, so the value does not flicker. */
export const BATTERY_LOW = 'Device.X_HIGHLINE_Vehicle.BatteryLow';
/** Of a modem: it throttles itself because it is too hot. */
export const THERMAL_PROTECTION = 'X_HIGHLINE_ThermalProtection';
/** When the password of the router's first account (the administrator) was last changed. */
export const PASSWORD_CHANGED = 'Device.Users.User.1.X_HIGHLINE_PasswordChanged';
export const CONTROLLERS = 'Device.LocalAgent.Controller.';
export const SUBSCRIPTIONS = 'Device.LocalAgent.Subscription.';
export const BULK_DATA = 'Device.BulkData.';
export const PROFILES = 'Device.BulkData.Profile.';

/** Paths read when a step of a rollout has ended. */
export const ACTIVE_FILE_PATHS: readonly string[] = [
  `${INFO}SoftwareVersion`,
  `${INFO}ActiveFirmwareImage`,
  FIRMWARE_IMAGES,
  CONFIG_FILES,
];

/** Paths read when a step with an eSIM profile has ended: number and network change with the profile. */
export const SIM_PATHS: readonly string[] = [MODEMS, SIMS];

/** Paths read at every connect, in one request. */
export const READ_PATHS: readonly string[] = [
  `${INFO}SerialNumber`,
  `${INFO}ModelName`,
  `${INFO}ProductClass`,
  `${INFO}HardwareVersion`,
  `${INFO}SoftwareVersion`,
  `${INFO}UpTime`,
  `${INFO}ActiveFirmwareImage`,
  IMAGE_SIGNATURE,
  FIRMWARE_IMAGES,
  CONFIG_FILES,
  TEMPERATURES,
  VOLTAGES,
  LOCAL_TIME,
  MODEMS,
  SIMS,
  CONTROLLERS,
  SUBSCRIPTIONS,
  BULK_DATA,
  BATTERY_LOW,
  PASSWORD_CHANGED,
];

/** Paths of measured values. */
export const MEASURED_PATHS: readonly string[] = [MODEMS, TEMPERATURES, VOLTAGES];
