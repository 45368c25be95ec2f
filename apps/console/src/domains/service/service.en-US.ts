/** Messages of the service status screen. */
export const service = {
  title: 'Service Status',
  caption: 'Device subscriptions',
  field: { serial: 'Serial #', note: 'Notes' },
  endsToday: 'ends today',
  daysLeft_one: 'ends in {{count}} day',
  daysLeft_other: 'ends in {{count}} days',
  showDevice: 'Show {{serial}} in Devices',
};
