/** Now as a TR-106 dateTime with microseconds. */
export function formatMicroseconds(): string {
  const micros = Math.round((performance.timeOrigin + performance.now()) * 1_000);
  const whole = new Date(Math.floor(micros / 1_000_000) * 1_000).toISOString().slice(0, 19);
  return `${whole}.${String(micros % 1_000_000).padStart(6, '0')}Z`;
}
