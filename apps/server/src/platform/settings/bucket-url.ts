/** A bucket of an S3-compatible store. */
export interface BucketSettings {
  /** Scheme, host and port. */
  readonly endpoint: string;
  readonly bucket: string;
  /** Beginning of every key: empty, or ends with a slash. */
  readonly prefix: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Scheme, host and port at which routers reach the store; none = they do not. */
  readonly publicEndpoint?: string;
}

const BUCKET = /^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/u;
const PATH_SEGMENT = /^[\w.-]{1,100}$/u;
const REGION = /^[\w-]{1,50}$/u;
/** Amazon's own addresses name their region. */
const AMAZON = /^s3[.-]([a-z\d-]+)\.amazonaws\.com$/u;
/** What stores without regions accept. */
const DEFAULT_REGION = 'us-east-1';

/**
 * `https://<key id>:<secret>@<host>[:<port>]/<bucket>[/<path>][?region=<region>]`; undefined for anything else. Key id and secret
 * are percent-encoded.
 */
export function readBucketUrl(text: string): BucketSettings | undefined {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.hash !== '') return undefined;
  const [bucket = '', ...path] = url.pathname.split('/').filter((part) => part !== '');
  const region = url.searchParams.get('region') ?? AMAZON.exec(url.hostname)?.[1] ?? DEFAULT_REGION;
  const accessKeyId = decoded(url.username);
  const secretAccessKey = decoded(url.password);
  if (accessKeyId === '' || secretAccessKey === '') return undefined;
  if (!BUCKET.test(bucket) || !path.every((part) => PATH_SEGMENT.test(part)) || !REGION.test(region)) return undefined;
  if ([...url.searchParams.keys()].some((name) => name !== 'region')) return undefined;
  const prefix = path.map((part) => `${part}/`).join('');
  return { endpoint: url.origin, bucket, prefix, region, accessKeyId, secretAccessKey };
}

/** Empty when it is not valid percent-encoding. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
