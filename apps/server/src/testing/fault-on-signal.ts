// Loaded into a server's process by a test (`--import`): throws an uncaught error when the test signals it.
process.on('SIGUSR2', () => {
  if (process.env['FAULT'] === 'rejection') void Promise.reject(new Error('a rejection of the test'));
  else throw new Error('a fault of the test');
});
