/** A failed test: its title, file and line, and its message. */
export interface Failure {
  readonly title: string;
  readonly where: string;
  readonly message: string;
}
export function describeFailures(step: string, failures: readonly Failure[], sign?: string): string;
