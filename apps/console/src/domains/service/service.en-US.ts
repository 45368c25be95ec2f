/** Words of the service status screen. */
export const service = {
  title: 'Service Status',
  caption: 'Subscriptions of the devices',
  field: { serial: 'Serial #', note: 'Notes' },
  showDevice: 'Show {{serial}} in Devices',
};
