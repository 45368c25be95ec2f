/** Words of the organization screens. */
export const organizations = {
  title: 'Organizations',
  caption: 'Organizations',
  count_one: '{{shown}} organization',
  count_other: '{{shown}} organizations',
  column: {
    name: 'Org name',
    contact: 'Contact',
    phone: 'Phone',
    address: 'Address',
    devices: 'Expiring/All Devices',
  },
  field: {
    name: 'Org name',
    email: 'Email',
    phone: 'Phone',
    address: 'Address',
  },
  showDevices: 'Show the devices of {{name}}',
};
