/** Messages of the service status screen. */
export const service = {
  title: 'Service Status',
  caption: 'Device subscriptions',
  field: { serial: 'Serial #', note: 'Notes' },
  showDevice: 'Show {{serial}} in Devices',
};
