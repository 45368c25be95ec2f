/** Words of the frame around every screen. */
export const shell = {
  skip: 'Skip to the content',
  menu: 'Menu',
  openMenu: 'Open the menu',
  closeMenu: 'Close the menu',
  kind: {
    organization: 'Organization',
    main: 'Main account',
  },
  role: {
    main: 'Main account',
    admin: 'Admin',
    user: 'User',
  },
  section: {
    fleet: 'Fleet',
    customers: 'Customers',
  },
  screen: {
    dashboard: 'Overview',
    organization: 'Organizations',
    orgList: 'Devices',
    inventory: 'Inventory',
    devices: 'Devices',
  },
  palette: {
    open: 'Find a device or screen',
    label: 'Find a device or a screen',
    screens: 'Screen',
    device: 'Device',
    none: 'No matched results.',
  },
  zone: {
    label: 'Time zone',
    browser: 'Browser location',
  },
  language: 'Language',
  scheme: {
    label: 'Appearance',
    light: 'Light',
    dark: 'Dark',
    auto: 'Automatic',
  },
  account: 'Account',
  logOut: 'Log Out',
  footer: 'Highline {{version}} · {{year}}',
  notFound: 'There is no such page.',
  home: 'Go to the start page',
  broken: 'This page could not be shown.',
  reload: 'Reload',
  demo: 'Demo',
};
