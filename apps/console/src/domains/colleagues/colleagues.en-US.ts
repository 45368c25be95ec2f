/** Messages of the screen of the main account's own people. */
export const colleagues = {
  title: 'Colleagues',
  caption: 'Colleagues',
  count_one: '{{shown}} person',
  count_other: '{{shown}} people',
  you: 'you',
  alone: "You're the only person here. If you lose your second factor, no one can reset it. Add a colleague.",
  column: { name: 'Name', email: 'Email', signedIn: 'Last sign-in', secondFactor: 'Second factor' },
  field: { name: 'Name', email: 'Email' },
  never: 'Never',
  reset: 'Reset',
  add: {
    open: 'Add',
    title: 'Add a colleague',
    means: 'Colleagues have the same rights as you: organizations, devices, inventory, firmware and other colleagues.',
    name: 'Name',
    email: 'Email',
    submit: 'Add',
    isSelf: 'This is your own account.',
  },
  remove: {
    enter: 'Delete',
    count: 'Delete({{number}})',
    question: 'Are you sure you want to delete the selected colleagues?',
    means: 'They are signed out everywhere immediately and cannot sign in again.',
    isSelf: 'This is your own account.',
  },
};
