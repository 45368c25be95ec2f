/** Messages of the steps of a new installation or organization. */
export const setup = {
  title: 'What is set up',
  progress: '{{done}} of {{all}} steps are done',
  note: 'Set-up: {{done}} of {{all}} steps are done. Next: {{next}}.',
  done: 'Done',
  open: 'Not yet',
  look: 'Show',
  step: {
    stock: {
      title: 'A router in stock',
      why: 'Add it in the inventory: it gets the secret with which its agent connects.',
      button: 'Add a router',
    },
    organization: {
      title: 'An organization',
      why: 'A customer with vehicles, people and a log of its own.',
      button: 'Create an organization',
    },
    admin: {
      title: 'Its first admin',
      why: 'The contact gets an invitation by email, with the name of the organization and of who invites.',
      button: 'Open organizations',
    },
    device: {
      title: 'A device',
      why: 'A router of the stock becomes a device of an organization, with its subscription.',
      button: 'Add a device',
    },
    connected: {
      title: 'A device that has connected',
      why: 'Start the agent on the router; the device is online within seconds.',
      button: 'Open devices',
    },
    person: {
      title: 'A second person',
      why: 'Someone else who can sign in when you are away.',
      button: 'Add a user',
    },
    rule: {
      title: 'An alert rule',
      why: 'It says by email, webhook or chat that a vehicle is lost, before a driver calls.',
      button: 'Add a rule',
    },
    geofence: {
      title: 'A geofence',
      why: 'A depot or a yard: the map names it, and entering and leaving are on the timeline.',
      button: 'Draw a geofence',
    },
  },
};
