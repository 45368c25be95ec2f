import type { QueryClient } from '@tanstack/react-query';
import { createStore } from '../../ui/store.ts';
import { type Upload, uploadFirmware } from './firmware.api.ts';

/** The running upload; it continues while other screens are open. */
export interface RunningUpload {
  readonly upload: Upload;
  readonly percent: number;
  /** Why it failed; undefined while it runs. */
  readonly failed: unknown;
  readonly cancel: () => void;
}

export const runningUpload = createStore<RunningUpload | undefined>(undefined);

/** Begin one; `onDone` is called wherever the person is by then. */
export function startUpload(client: QueryClient, upload: Upload, onDone: () => void): void {
  const abort = new AbortController();
  const cancel = () => {
    abort.abort();
    runningUpload.set(undefined);
  };
  const show = (percent: number, failed?: unknown) => runningUpload.set({ upload, percent, failed, cancel });
  show(0);
  const send = async () => {
    try {
      await uploadFirmware(upload, (percent) => show(percent), abort.signal);
      runningUpload.set(undefined);
      onDone();
      await client.invalidateQueries({ queryKey: ['firmware'] });
    } catch (error) {
      if (!abort.signal.aborted) show(0, error);
    }
  };
  void send();
}
