/** Where TR-181 keeps what the console shows (DEVICE-PROTOCOL, "Product concept → TR-181"). */
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
/** The vehicle's battery is low; told with hysteresis by the router itself, so that it does not flicker. */
export const BATTERY_LOW = 'Device.X_HIGHLINE_Vehicle.BatteryLow';
/** Of a modem: it is so hot that it protects itself. */
export const THERMAL_PROTECTION = 'X_HIGHLINE_ThermalProtection';
/** When the password of the router's first account, the administrator's, was changed last. */
export const PASSWORD_CHANGED = 'Device.Users.User.1.X_HIGHLINE_PasswordChanged';
export const CONTROLLERS = 'Device.LocalAgent.Controller.';
export const SUBSCRIPTIONS = 'Device.LocalAgent.Subscription.';
export const BULK_DATA = 'Device.BulkData.';
export const PROFILES = 'Device.BulkData.Profile.';

/** What a router is asked once a step of a rollout has ended. */
export const IN_FORCE_PATHS: readonly string[] = [
  `${INFO}SoftwareVersion`,
  `${INFO}ActiveFirmwareImage`,
  FIRMWARE_IMAGES,
  CONFIG_FILES,
];

/** What a router is asked once a step with one of its eSIM profiles has ended: its number and its network change with the profile. */
export const SIM_PATHS: readonly string[] = [MODEMS, SIMS];

/** What a router is asked at every connect, in one request. */
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

/** Where it measures. */
export const MEASURED_PATHS: readonly string[] = [MODEMS, TEMPERATURES, VOLTAGES];
