/** Messages of the config file screens. */
export const configs = {
  title: 'Config Files',
  caption: 'Config files',
  count_one: '{{shown}} file',
  count_other: '{{shown}} files',
  column: {
    name: 'Config File',
    note: 'Description',
    size: 'Size',
    version: 'Version',
    groups: 'Groups',
    updated: 'Uploaded',
  },
  field: { name: 'Config File', note: 'Description' },
  first: 'Choose the first config file',
  upload: 'Upload',
  add: {
    title: 'Upload a config file',
    file: 'Config file',
    note: 'Description',
    next: '{{name}} already exists. This upload becomes version {{version}}; groups keep the version bound to them.',
    fileFirst: 'Choose a file first.',
    save: 'Upload',
  },
  setting: {
    panel: 'Config file',
    gone: 'This config file no longer exists.',
    versions: 'Versions',
    by: 'Uploaded by',
    boundBy: 'Bound to groups',
    notBound: 'Not bound to any group.',
    version: 'version {{number}}',
    stale:
      'Someone else changed this file. Its description is now "{{note}}". Your changes are still here; save again to overwrite.',
  },
  remove: {
    enter: 'Delete',
    count: 'Delete({{number}})',
    question: 'Are you sure you want to delete the selected config files?',
    bound: 'Bound to: {{groups}}',
  },
};
