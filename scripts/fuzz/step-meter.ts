// Loaded into the server under test (`--import`): measures how long one step holds the event loop, in processor time of its thread, so
// that a busy machine does not change it. A timer cannot run while a step does: what the thread used since the timer ran last is at most
// one turn of the loop and the interval.

const INTERVAL_MS = 5;

let longestMs = 0;
let last = process.threadCpuUsage();

setInterval(() => {
  const used = process.threadCpuUsage(last);
  last = process.threadCpuUsage();
  longestMs = Math.max(longestMs, (used.user + used.system) / 1_000);
}, INTERVAL_MS).unref();

process.on('message', () => {
  process.send?.({ longestStepMs: longestMs });
  longestMs = 0;
});
process.channel?.unref();
