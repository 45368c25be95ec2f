import { addStandardMessages } from './standard-messages.ts';

/** Failures whose text on the screen is another one than the message of their response (errors.test.ts compares it with the contract). */
addStandardMessages({
  'session.invalid': 'Auth token timeout.',
  'device.duplicate': 'find device error ',
  'group.name_taken': 'A group with this name already exists.',
  'inventory.serial_taken': 'This serial number is already in the inventory.',
  'inventory.mac_taken': 'This MAC address is already in the inventory.',
  'inventory.endpoint_taken': 'This endpoint ID is already in the inventory.',
});

/** English texts of failures: of these, of those that a screen knows before it calls, of a server that does not answer, and of a fault of ours. */
export const errors = {
  session_invalid: 'Auth token timeout',
  device_duplicate: 'Existing serial number',
  group_name_taken: 'Group Name already exists',
  inventory_serial_taken: 'Serial number already exists',
  inventory_mac_taken: 'MAC address already exists',
  inventory_endpoint_taken: 'Endpoint ID already exists',
  permission_denied: 'Permission denied',
  permission_limited:
    'You see only some of the vehicles of your organization, and this concerns all of them. Ask an admin of your organization.',
  permission_own_role: 'Your role does not allow this. Ask an admin.',
  permission_visitor: 'Support and guests cannot do this. Ask an admin of the organization.',
  remote_reset_impossible: 'The password cannot be reset because the device is offline or the subscription has expired.',
  remote_not_subscribed: 'The connection cannot be built because the subscription has expired.',
  remote_no_subscription: 'The device has no subscription yet, or it has not begun.',
  remote_offline: 'The connection cannot be built because the device is offline.',
  remote_no_ports: 'This server opens no ports for SSH and TCP clients. Use the terminal in the browser.',
  geofence_outside: 'This is not a place on the earth. Latitudes are from −90 to 90, longitudes from −180 to 180.',
  geofence_radius: 'The radius must be from 10 m to 100 km.',
  geofence_corners: 'A polygon needs at least three different corners.',
  geofence_too_many_corners: 'A polygon can have at most 1,000 corners. Simplify it first.',
  geofence_open: 'The last corner of a polygon must be its first one.',
  geofence_date_line: 'The polygon crosses the date line. Divide it at 180° into two geofences.',
  geofence_crosses_itself: 'The edges of the polygon cross each other. Change the order of its corners.',
  analysis_average: 'An average needs a numeric property.',
  analysis_piechart: 'A pie chart needs a non-numeric property.',
  analysis_run_chart: 'A run chart needs a numeric property and a device.',
  analysis_run_chart_date: 'A run chart shows a single day.',
  unexpected: 'Something went wrong. Reload the page and try again.',
  network: 'Cannot reach the server. What you typed is kept; try again.',
};
