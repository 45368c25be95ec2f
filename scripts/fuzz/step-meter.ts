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

/** The time to parse the most that a body may hold, 110,000 values under different keys: what a step may take on this machine. */
function measureCeiling(): number {
  const text = `{${Array.from({ length: 110_000 }, (_, n) => `"key${n}":${n}`).join(',')}}`;
  const before = process.threadCpuUsage();
  for (let count = 0; count < 3; count++) JSON.parse(text);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 3_000;
}

process.on('message', (question) => {
  process.send?.(question === 'ceiling' ? measureCeiling() : longestMs);
  longestMs = 0;
});
process.channel?.unref();
