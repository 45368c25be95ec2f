import { firmware } from '@highline/contract';
import { addressOf, call, readFailure } from '../../api/client.ts';
import { type ApiError, networkError } from '../../api/errors.ts';
import { pagesOf } from '../../api/useList.ts';
import { percentOf } from '../../ui/percent.ts';

export type Firmware = firmware.Firmware;

/** One page of the catalogue. */
export const fetchFirmware = pagesOf(firmware.listFirmware);

/** Remove an image from the catalogue; fails while a group is bound to it. */
export async function deleteFirmware(pk: string): Promise<void> {
  await call(firmware.deleteFirmware, { params: { firmware: pk } });
}

export interface Upload {
  readonly file: File;
  readonly version: string;
  readonly profile: string;
  readonly note: string;
  readonly unsigned: boolean;
}

/**
 * Send an image and report the progress. Not with fetch, which has no upload progress.
 * @param onProgress percent, 0 to 100
 * @throws ApiError
 */
export function uploadFirmware(upload: Upload, onProgress: (percent: number) => void, signal: AbortSignal): Promise<Firmware> {
  const form = new FormData();
  form.append('version', upload.version);
  form.append('profile', upload.profile);
  form.append('note', upload.note);
  form.append('unsigned', String(upload.unsigned));
  form.append('file', upload.file);
  return new Promise((resolve, reject: (error: ApiError) => void) => {
    const request = new XMLHttpRequest();
    request.open('POST', addressOf(firmware.uploadFirmware));
    request.responseType = 'json';
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(percentOf(loaded, total)));
    request.addEventListener('load', () => {
      const response = request.response as { result?: Firmware } | null;
      if (request.status < 300 && response?.result !== undefined) resolve(response.result);
      else reject(readFailure(request.status, response ?? undefined, request.getResponseHeader('retry-after')));
    });
    request.addEventListener('error', () => reject(networkError()));
    request.addEventListener('abort', () => reject(networkError()));
    signal.addEventListener('abort', () => request.abort());
    request.send(form);
  });
}
