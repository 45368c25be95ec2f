/** Where a file is sent to. */
export interface UploadTarget {
  readonly url: string;
  /** HTTP Basic; empty = none. */
  readonly username: string;
  readonly password: string;
}

const LONGEST_MS = 60_000;

/** Send a file by HTTP PUT. @throws Error when it was not accepted */
export async function putFile(target: UploadTarget, contents: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<void> {
  const { url, username, password } = target;
  const credentials = Buffer.from(`${username}:${password}`).toString('base64');
  const response = await fetch(url, {
    method: 'PUT',
    body: contents,
    headers: username === '' ? {} : { authorization: `Basic ${credentials}` },
    signal: AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]),
    redirect: 'error',
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
}
