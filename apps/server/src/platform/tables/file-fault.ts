/** Why a file cannot be read. The thread that reads files knows no other failure. */
export type FaultKey = 'csv.not_csv' | 'csv.header' | 'csv.empty' | 'request.too_large';

export interface FaultDetail {
  /** Replaces the message of the key. */
  readonly message?: string;
  readonly reason: string;
  readonly detail?: unknown;
}

export class FileFault extends Error {
  readonly key: FaultKey;
  readonly more: FaultDetail;

  constructor(key: FaultKey, more: FaultDetail) {
    super(more.message ?? more.reason);
    this.key = key;
    this.more = more;
  }
}

export const notTable = (reason: string) => new FileFault('csv.not_csv', { reason });
export const tooLarge = (message: string) => new FileFault('request.too_large', { message, reason: message });
