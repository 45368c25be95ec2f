// Loaded into a server's process by a test (`--import`): a fault that no boundary catches, at the moment the test asks for it.
process.on('SIGUSR2', () => {
  if (process.env['FAULT'] === 'rejection') void Promise.reject(new Error('a rejection of the test'));
  else throw new Error('a fault of the test');
});
