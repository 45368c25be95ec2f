import type { ApiError } from '../../api/errors.ts';

/** Bytes as KB with one decimal (CFG-01). */
export function formatKilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KB`;
}

/** The groups named in a `config.bound` failure. */
export function boundGroups(error: ApiError, between: string): string {
  const { groups = [] } = (error.detail ?? {}) as { groups?: { groupName: string; config?: string }[] };
  return groups.map(({ groupName, config }) => (config === undefined ? groupName : `${groupName} (${config})`)).join(between);
}
