/** Whether a query flag is set: `?dryRun`, `?dryRun=true` and `?dryRun=1` mean yes. */
export function isSet(flag: string | undefined): boolean {
  return flag !== undefined && flag !== 'false' && flag !== '0';
}
