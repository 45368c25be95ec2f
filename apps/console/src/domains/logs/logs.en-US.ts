/** Messages of the log. */
export const logs = {
  title: 'Logs',
  caption: 'Log',
  count_one: '{{shown}} entry',
  count_other: '{{shown}} entries',
  column: { time: 'Date/Time', user: 'Cloud User', ip: 'IP Address', action: 'Action' },
  field: { any: 'Username, IP or action', email: 'Username', ip: 'IP', action: 'Action' },
  byKey: 'by API key {{key}}',
  date: 'Date',
  entry: 'Entry',
  span: { all: 'All dates', today: 'Today', week: 'This week', month: 'This month', custom: 'Custom' },
  from: 'From',
  until: 'Until',
  chosenDays: 'Custom dates',
  fault: {
    reversed: 'The end date must not be before the start date.',
    future: 'The dates must not be later than today.',
  },
  showWhole: 'Show full action',
  whole: 'Action',
};
