/** Why settings are not in force on a router. */
export const settingFaults = {
  differs: '{{path}}: not changed',
  returned: '{{path}}: the router did not connect with this value and returned to its former one',
  'no-value': '{{path}}: not sent, {{of}} has no value',
  invalid: '{{path}}: not sent, does not fit: {{of}}',
  between: '; ',
};
