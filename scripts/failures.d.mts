/** Types of what tells the failed tests of a run once more. */
export interface Failure {
  readonly title: string;
  readonly place: string;
  readonly message: string;
}
export function vitestFailures(report: object, folder: string): Failure[];
export function playwrightFailures(report: object, folder: string): Failure[];
export function describeFailures(step: string, failures: readonly Failure[]): string;
