import { createHash } from 'node:crypto';
import { open, rename } from 'node:fs/promises';
import { Code, UspFault } from './errors.ts';

const algorithms: Readonly<Record<string, string>> = {
  'SHA-1': 'sha1',
  'SHA-224': 'sha224',
  'SHA-256': 'sha256',
  'SHA-384': 'sha384',
  'SHA-512': 'sha512',
};

export interface Transfer {
  /** Arguments of Download() or Restore() (TR-181). */
  readonly args: Readonly<Record<string, string>>;
  /** Path of the partial file, and of the complete file. */
  readonly part: string;
  readonly target: string;
  readonly signal: AbortSignal;
  /** Called with the received bytes; the transfer continues when it resolves, and ends when it rejects. */
  received(bytes: number, signal: AbortSignal): Promise<void>;
  /** The download is complete; its size and checksum are being verified. */
  validating(): void;
}

/** The stage of a failed transfer, as in FirmwareImage.Status. */
export class TransferFault extends UspFault {
  readonly status: 'DownloadFailed' | 'ValidationFailed';

  constructor(status: TransferFault['status'], message: string) {
    super(Code.commandFailure, message);
    this.status = status;
  }
}

/**
 * Download a file by HTTP or HTTPS into a folder, and verify its size and checksum.
 * @throws TransferFault; an AbortError when the signal ends it
 */
export async function fetchFile(transfer: Transfer): Promise<void> {
  const { args, part, target } = transfer;
  const algorithm = algorithms[args['CheckSumAlgorithm'] ?? 'SHA-256'];
  if (algorithm === undefined) throw new TransferFault('ValidationFailed', 'the checksum algorithm is not supported');
  const { size, checksum } = await download(transfer, algorithm);
  transfer.validating();
  const expectedSize = Number(args['FileSize'] ?? 0);
  if (expectedSize > 0 && size !== expectedSize)
    throw new TransferFault('ValidationFailed', `${size} bytes received instead of ${expectedSize}`);
  const expected = args['CheckSum'] ?? '';
  if (expected !== '' && checksum !== expected.toLowerCase())
    throw new TransferFault('ValidationFailed', 'the checksum is wrong');
  await rename(part, target);
}

/** Upload a file by HTTP POST. @throws UspFault; an AbortError when the signal ends it */
export async function sendFile(args: Transfer['args'], contents: Buffer<ArrayBuffer>, signal: AbortSignal): Promise<void> {
  const response = await fetch(args['URL'] ?? '', { method: 'POST', body: contents, signal });
  await response.body?.cancel();
  if (!response.ok) throw new UspFault(Code.commandFailure, `the file server answered ${response.status}`);
}

async function download(transfer: Transfer, algorithm: string): Promise<{ size: number; checksum: string }> {
  const { args, part, signal, received } = transfer;
  const response = await request(args, signal);
  const hash = createHash(algorithm);
  const file = await open(part, 'w');
  let size = 0;
  try {
    for await (const chunk of response.body ?? []) {
      await file.write(chunk);
      hash.update(chunk);
      size += chunk.length;
      await received(size, signal);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw new TransferFault('DownloadFailed', `the transfer was interrupted after ${size} bytes: ${String(error)}`);
  } finally {
    await file.close();
  }
  return { size, checksum: hash.digest('hex') };
}

async function request({ URL: url = '', Username = '', Password = '' }: Readonly<Record<string, string>>, signal: AbortSignal) {
  const authorization = `Basic ${Buffer.from(`${Username}:${Password}`).toString('base64')}`;
  const response = await fetch(url, { signal, headers: Username === '' ? {} : { authorization } }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new TransferFault('DownloadFailed', `${url} cannot be reached: ${String(error)}`);
  });
  if (response.ok) return response;
  await response.body?.cancel();
  throw new TransferFault('DownloadFailed', `the file server answered ${response.status}`);
}
