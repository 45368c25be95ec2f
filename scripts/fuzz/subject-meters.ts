import { readFileSync } from 'node:fs';
import type { Report } from './report.ts';

export interface Output {
  /** Error and fatal lines of the log, and everything on stderr; the newest last. */
  readonly lines: string[];
}

/** Resident memory; unknown on systems without /proc. */
export function readMemory(pid: number, report: Report): void {
  const bytes = residentBytes(pid);
  report.mostMemory = Math.max(report.mostMemory, bytes);
  if (bytes > report.options.mostMemory) report.find('memory', `more than ${report.options.mostMemory / 1_048_576} MB`);
}

export function residentBytes(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1_024;
  } catch {
    return 0;
  }
}

/** Group logged errors by message and thrown error; output that is not a log entry is one text. */
export function readLog(output: Output, report: Report): void {
  const lines = output.lines.splice(0);
  const isEntry = (line: string) => line.startsWith('{"');
  for (const line of lines.filter(isEntry)) report.find('log', summarize(line));
  const others = lines.filter((line) => !isEntry(line));
  if (others.length > 0) report.find('log', others.join(' | ').slice(0, 1_500));
}

function summarize(line: string): string {
  try {
    const { msg, route, err } = JSON.parse(line) as { msg?: string; route?: string; err?: { message?: string; stack?: string } };
    const at = err?.stack?.split('\n').find((text) => text.includes('/apps/') || text.includes('/packages/'));
    return [msg, route, err?.message?.slice(0, 200), at?.trim()].filter((part) => part !== undefined).join(' — ');
  } catch {
    return line.slice(0, 300);
  }
}
