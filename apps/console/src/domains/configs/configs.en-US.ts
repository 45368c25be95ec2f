/** Words of the config file screens. */
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
  upload: 'Upload',
  add: {
    title: 'Upload a config file',
    file: 'Config file',
    note: 'Description',
    next: '{{name}} exists already. This upload becomes version {{version}}; groups keep the version that is bound to them.',
    fileFirst: 'Choose a file first.',
    save: 'Upload',
  },
  setting: {
    panel: 'Config file',
    gone: 'This config file does not exist (any more).',
    versions: 'Versions',
    by: 'By',
    boundBy: 'Bound to groups',
    notBound: 'No group has this file bound.',
    version: 'version {{number}}',
    stale:
      'Somebody else saved this file in the meantime. Its description now reads: "{{note}}". What you typed is still here; save again to replace it.',
  },
  remove: {
    enter: 'Delete',
    count: 'Delete({{number}})',
    question: 'Are you sure you want to delete the selected config files?',
    bound: 'Bound to: {{groups}}',
  },
};
