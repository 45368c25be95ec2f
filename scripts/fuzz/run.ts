import { fuzzApi } from './api.ts';
import { CaseNumbers, type FuzzOptions } from './cases.ts';
import { fuzzCsv } from './csv.ts';
import { fuzzLimits } from './limits.ts';
import { Report } from './report.ts';
import { startSubject, type Subject } from './subject.ts';
import { fuzzTunnel } from './tunnel.ts';
import { fuzzUsp, type UspScale } from './usp.ts';

export const targets = ['api', 'usp', 'csv', 'tunnel', 'limits'] as const;
export type Target = (typeof targets)[number];

/** Start a server, run one target against it, and stop it. */
export async function runFuzz(target: Target, options: FuzzOptions, scale: UspScale): Promise<Report> {
  const subject = await startSubject();
  try {
    return await fuzz(subject, target, options, scale);
  } finally {
    await subject.close();
  }
}

/** Run one target against a running server. */
export async function fuzz(subject: Subject, target: Target, options: FuzzOptions, scale: UspScale): Promise<Report> {
  const report = new Report(target, options);
  const numbers = new CaseNumbers(options);
  const stopWatching = subject.watch(report, () => numbers.stop());
  try {
    if (target === 'api') await fuzzApi(subject, report, numbers);
    else if (target === 'csv') await fuzzCsv(subject, report, numbers);
    else if (target === 'limits') await fuzzLimits(subject, report, numbers);
    else if (target === 'usp') await fuzzUsp(subject, report, numbers, scale);
    else await fuzzTunnel(subject, report, numbers);
  } catch (error) {
    // When the server is gone, the report explains the failure.
    if (subject.isRunning) throw error;
  } finally {
    await stopWatching();
  }
  return report;
}
