/** Words of the log. */
export const logs = {
  title: 'Logs',
  caption: 'Log',
  count_one: '{{shown}} entry',
  count_other: '{{shown}} entries',
  column: { time: 'Date/Time', user: 'Cloud User', ip: 'IP Address', action: 'Action' },
  field: { any: 'Username, IP or action', email: 'Username', ip: 'IP', action: 'Action' },
  date: 'Date',
  entry: 'Entry',
  span: { all: 'All dates', today: 'Today', week: 'This week', month: 'This month', custom: 'Custom' },
  from: 'From',
  until: 'Until',
  chosenDays: 'Chosen days',
  fault: {
    reversed: 'The last day must not be before the first.',
    future: 'The days must not be later than today.',
  },
  showWhole: 'Show the whole action',
  whole: 'Action',
};
