import { open, readFile, type FileHandle } from 'node:fs/promises';
import { addAbortSignal, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
  type CompletedPart,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { BlobsUnavailable, type ByteRange, type OpenedBlob, type Log } from '../../ports/index.ts';
import type { BucketSettings } from '../../settings/bucket-url.ts';

/** Limit of a call with a small body, with its retries. */
const CALL_MS = 20_000;
/** Limit of one attempt, until the response begins. */
const ATTEMPT_MS = 8_000;
/** The same for a part of an upload. */
const PART_MS = 300_000;
const PART_ATTEMPT_MS = 90_000;
const CONNECT_MS = 3_000;
const ATTEMPTS = 3;
/** Validity of a public address, from its creation to the beginning of the download. */
const PUBLIC_URL_SECONDS = 300;
/** Bytes of a part in memory; a larger file is uploaded in parts of this size. S3 takes 10,000 parts of 5 MiB or more. */
const PART_BYTES = 16 * 1_048_576;

/** An object of the bucket. */
export interface ListedObject {
  readonly key: string;
  readonly modified: Date;
}

/** A bucket of an S3-compatible store, or a path in it. Every function throws BlobsUnavailable when the store fails. */
export interface Bucket {
  /** Address without secrets. */
  readonly location: string;
  /** Store a small object; durable when it resolves, and never visible in part. */
  put(key: string, content: Buffer): Promise<void>;
  /** Store a file of any size, with one part of it in memory; visible only once it is complete. */
  putFile(key: string, path: string, size: number): Promise<void>;
  /** Undefined when it is missing. A range that begins beyond the end reads nothing. */
  open(key: string, range?: ByteRange): Promise<OpenedBlob | undefined>;
  /** The whole content of a small object. */
  read(key: string): Promise<Buffer | undefined>;
  has(key: string): Promise<boolean>;
  /** Presigned address of one object, valid for a few minutes; undefined = the store is not public. */
  publicUrl(key: string): Promise<string | undefined>;
  /** Does nothing when it is missing. */
  delete(key: string): Promise<void>;
  /** Objects whose keys begin with a prefix, by key; `after` skips those up to this rest of a key. */
  list(prefix: string, after?: string): AsyncGenerator<ListedObject>;
  /** Abort uploads in parts that began before a given time and never ended; stores that cannot list them are left alone. */
  abortUploads(prefix: string, before: Date): Promise<void>;
  close(): void;
}

/** Other limits, for tests. */
export interface BucketLimits {
  readonly publicUrlSeconds?: number;
  readonly partBytes?: number;
  readonly callMs?: number;
}

/** @param limits for tests */
export function createBucket(settings: BucketSettings, log: Log, limits: BucketLimits = {}): Bucket {
  const { partBytes = PART_BYTES, callMs = CALL_MS, publicUrlSeconds: expiresIn = PUBLIC_URL_SECONDS } = limits;
  const client = createClient(settings);
  const { publicEndpoint: endpoint } = settings;
  // A signature covers the host, so addresses for routers are signed for the one that they use.
  const publicClient = endpoint === undefined ? undefined : createClient({ ...settings, endpoint });
  const { bucket: Bucket, prefix: root } = settings;
  const location = `${settings.endpoint}/${Bucket}${root === '' ? '' : `/${root.slice(0, -1)}`}`;
  const call = createCaller(location, log);
  const at = (key: string) => ({ Bucket, Key: root + key });
  const uploads = createUploads(client, call, settings, callMs);

  const sizeOf = (key: string) =>
    orMissing(call(callMs, async (limit) => (await client.send(new HeadObjectCommand(at(key)), limit)).ContentLength ?? 0));

  const openAt = async (key: string, range?: ByteRange): Promise<OpenedBlob | undefined> => {
    const isWhole = range === undefined || (range.start === 0 && range.end === undefined);
    const Range = isWhole ? undefined : `bytes=${range.start}-${range.end ?? ''}`;
    const response = await orMissing(
      call(callMs, (limit) => client.send(new GetObjectCommand({ ...at(key), Range }), limit)),
      (status) => (status === 416 ? 'beyond' : undefined),
    );
    if (response === undefined) return undefined;
    if (response === 'beyond') {
      const size = await sizeOf(key);
      return size === undefined ? undefined : { size, stream: Readable.from([]) };
    }
    const size = Number(response.ContentRange?.split('/')[1] ?? response.ContentLength ?? 0);
    return { size, stream: response.Body as Readable };
  };

  const put = (key: string, Body: Buffer) =>
    call(
      PART_MS,
      async (limit) => {
        await client.send(new PutObjectCommand({ ...at(key), Body }), limit);
      },
      PART_ATTEMPT_MS,
    );

  return {
    location,
    put,
    async putFile(key, path, size) {
      return size > partBytes ? uploads.put(key, partsOf(path, partBytes)) : put(key, await readFile(path));
    },
    open: openAt,
    async read(key) {
      const opened = await openAt(key);
      return opened && call(callMs, ({ abortSignal }) => buffer(addAbortSignal(abortSignal, opened.stream)));
    },
    async has(key) {
      return (await sizeOf(key)) !== undefined;
    },
    publicUrl: async (key) => publicClient && getSignedUrl(publicClient, new GetObjectCommand(at(key)), { expiresIn }),
    async delete(key) {
      await orMissing(call(callMs, (limit) => client.send(new DeleteObjectCommand(at(key)), limit)));
    },
    async *list(prefix, after = '') {
      let StartAfter = root + prefix + after;
      for (;;) {
        const page = new ListObjectsV2Command({ Bucket, Prefix: root + prefix, StartAfter });
        const { Contents = [], IsTruncated = false } = await call(callMs, (limit) => client.send(page, limit));
        for (const { Key = '', LastModified } of Contents)
          if (LastModified !== undefined) yield { key: Key.slice(root.length), modified: LastModified };
        const last = Contents.at(-1)?.Key;
        if (!IsTruncated || last === undefined) return;
        StartAfter = last;
      }
    },
    abortUploads: uploads.abort,
    close() {
      client.destroy();
      publicClient?.destroy();
    },
  };
}

/** Uploads of large files in parts, as `Bucket` describes them. */
function createUploads(
  client: S3Client,
  call: ReturnType<typeof createCaller>,
  { bucket: Bucket, prefix: root }: BucketSettings,
  callMs: number,
) {
  const at = (key: string) => ({ Bucket, Key: root + key });
  const putPart = (UploadId: string, key: string, PartNumber: number, Body: Buffer): Promise<CompletedPart> =>
    call(
      PART_MS,
      async (limit) => {
        const { ETag } = await client.send(new UploadPartCommand({ ...at(key), UploadId, PartNumber, Body }), limit);
        return { ETag, PartNumber };
      },
      PART_ATTEMPT_MS,
    );

  return {
    /** Upload in parts; on a failure what has arrived is removed. */
    async put(key: string, parts: AsyncIterable<Buffer>): Promise<void> {
      const { UploadId = '' } = await call(callMs, (limit) => client.send(new CreateMultipartUploadCommand(at(key)), limit));
      try {
        const Parts: CompletedPart[] = [];
        for await (const part of parts) Parts.push(await putPart(UploadId, key, Parts.length + 1, part));
        const complete = new CompleteMultipartUploadCommand({ ...at(key), UploadId, MultipartUpload: { Parts } });
        await call(PART_MS, (limit) => client.send(complete, limit), PART_ATTEMPT_MS);
      } catch (error) {
        // The sweep aborts what could not be aborted here.
        await call(callMs, (limit) => client.send(new AbortMultipartUploadCommand({ ...at(key), UploadId }), limit)).catch(
          () => {},
        );
        throw error;
      }
    },

    async abort(prefix: string, before: Date): Promise<void> {
      const listing = new ListMultipartUploadsCommand({ Bucket, Prefix: root + prefix });
      const found = await orMissing(
        call(callMs, (limit) => client.send(listing, limit)),
        (status) => (status === 405 || status === 501 ? 'unsupported' : undefined),
      );
      for (const { Key, UploadId, Initiated } of typeof found === 'object' ? (found.Uploads ?? []) : [])
        if (Initiated !== undefined && Initiated < before)
          await orMissing(
            call(callMs, (limit) => client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }), limit)),
          );
    },
  };
}

function createClient({ endpoint, region, accessKeyId, secretAccessKey }: BucketSettings): S3Client {
  // Each download of a router holds a connection for as long as the router takes; ROLLOUT_DOWNLOADS limits them.
  const agent = { keepAlive: true, maxSockets: Infinity };
  return new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    maxAttempts: ATTEMPTS,
    // Every request body is signed with its SHA-256, which each store compares; other checksums are not known to all stores.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: ATTEMPT_MS,
      throwOnRequestTimeout: true,
      // None for silent sockets: a slow router stops the stream of its download for as long as it takes.
      socketTimeout: 0,
      httpAgent: agent,
      httpsAgent: agent,
    },
  });
}

interface Limit {
  readonly abortSignal: AbortSignal;
  readonly requestTimeout: number;
}

/** A response of the store that is not a success. */
class StoreFault extends BlobsUnavailable {
  readonly status: number | undefined;
  readonly isBucket: boolean;

  constructor(location: string, error: unknown) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    const reason = name === 'Error' || name === message ? message : `${name}, ${message}`;
    super(`${location} fails: ${reason.replace(/\.$/u, '')}`);
    this.status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
    this.isBucket = name === 'NoSuchBucket';
  }
}

/** Calls within a time limit; the first failure of an outage and its end are logged. */
function createCaller(location: string, log: Log) {
  let isFailing = false;
  return async <T>(limitMs: number, work: (limit: Limit) => Promise<T>, requestTimeout = ATTEMPT_MS): Promise<T> => {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), limitMs);
    try {
      const result = await work({ abortSignal: limit.signal, requestTimeout });
      if (isFailing) log.info({ location }, 'The store of files answers again.');
      isFailing = false;
      return result;
    } catch (error) {
      const fault = new StoreFault(location, error);
      const isResponse = !fault.isBucket && [404, 405, 416, 501].includes(fault.status ?? 0);
      if (!isResponse && !isFailing) log.error({ location, reason: fault.message }, 'The store of files fails.');
      if (!isResponse) isFailing = true;
      throw fault;
    } finally {
      clearTimeout(timer);
    }
  };
}

/** Undefined for a missing object, or what `other` returns for another status. */
async function orMissing<T, Other = never>(
  work: Promise<T>,
  other: (status: number | undefined) => Other | undefined = () => undefined,
): Promise<T | Other | undefined> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof StoreFault) || error.isBucket) throw error;
    const instead = other(error.status);
    if (instead !== undefined || error.status === 404) return instead;
    throw error;
  }
}

/** The content of a file, in buffers of a given size. */
async function* partsOf(path: string, partBytes: number): AsyncGenerator<Buffer> {
  const handle = await open(path, 'r');
  try {
    for (;;) {
      const part = await readFully(handle, Buffer.allocUnsafe(partBytes));
      if (part.length > 0) yield part;
      if (part.length < partBytes) return;
    }
  } finally {
    await handle.close();
  }
}

async function readFully(handle: FileHandle, target: Buffer): Promise<Buffer> {
  let filled = 0;
  for (;;) {
    const { bytesRead } = await handle.read(target, filled, target.length - filled);
    filled += bytesRead;
    if (bytesRead === 0 || filled === target.length) return target.subarray(0, filled);
  }
}
