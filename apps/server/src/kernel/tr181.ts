/** TR-181 paths of what the console shows (DEVICE-PROTOCOL, "Product concept → TR-181"). */
export const INFO = 'Device.DeviceInfo.';
export const CONFIG_FILES = 'Device.DeviceInfo.VendorConfigFile.';
export const FIRMWARE_IMAGES = 'Device.DeviceInfo.FirmwareImage.';
export const IMAGE_SIGNATURE = 'Device.DeviceInfo.X_HIGHLINE_ImageSignature';
export const LOG_FILES = 'Device.DeviceInfo.VendorLogFile.';
export const TEMPERATURES = 'Device.DeviceInfo.TemperatureStatus.TemperatureSensor.';
export const VOLTAGES = 'Device.DeviceInfo.PowerStatus.PowerSensor.';
/** Where the router is: PIDF-LO documents. */
export const LOCATIONS = 'Device.DeviceInfo.Location.';
export const LOCAL_TIME = 'Device.Time.CurrentLocalTime';
export const MODEMS = 'Device.Cellular.Interface.';
export const IP_INTERFACES = 'Device.IP.Interface.';
export const ETHERNET_INTERFACES = 'Device.Ethernet.Interface.';
export const ETHERNET_LINKS = 'Device.Ethernet.Link.';
export const VLAN_TERMINATIONS = 'Device.Ethernet.VLANTermination.';
export const PPP_INTERFACES = 'Device.PPP.Interface.';
/** Routes; the first router is the one that agents with a single one have. */
export const ROUTES = 'Device.Routing.Router.1.IPv4Forwarding.';
export const RADIOS = 'Device.WiFi.Radio.';
export const SSIDS = 'Device.WiFi.SSID.';
export const ACCESS_POINTS = 'Device.WiFi.AccessPoint.';
export const HOSTS = 'Device.Hosts.Host.';
export const DHCP_SERVER = 'Device.DHCPv4.Server.';
export const DHCP_POOLS = 'Device.DHCPv4.Server.Pool.';
export const DNS_CLIENT = 'Device.DNS.Client.';
export const SIMS = 'Device.TrustedElements.SIM.';
/** Our extension for positions. */
export const GPS = 'Device.X_HIGHLINE_GPS.';
export const VEHICLE = 'Device.X_HIGHLINE_Vehicle.';
/** The vehicle's battery is low. The router applies hysteresis, so the value does not flicker. */
export const BATTERY_LOW = 'Device.X_HIGHLINE_Vehicle.BatteryLow';
/** Of a modem: it throttles itself because it is too hot. */
export const THERMAL_PROTECTION = 'X_HIGHLINE_ThermalProtection';
/** The router's own users. */
export const USERS = 'Device.Users.User.';
/** When the password of the router's first account (the administrator) was last changed. */
export const PASSWORD_CHANGED = 'Device.Users.User.1.X_HIGHLINE_PasswordChanged';
export const CONTROLLERS = 'Device.LocalAgent.Controller.';
export const SUBSCRIPTIONS = 'Device.LocalAgent.Subscription.';
export const BULK_DATA = 'Device.BulkData.';
export const PROFILES = 'Device.BulkData.Profile.';

/** A boolean as TR-106 lets agents write it; undefined for anything else. */
export function readFlag(text: string | undefined): boolean | undefined {
  if (text === 'true' || text === '1') return true;
  return text === 'false' || text === '0' ? false : undefined;
}
