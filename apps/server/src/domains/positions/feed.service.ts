import { hash } from 'node:crypto';
import { positionFeed } from '@highline/contract';
import type { z } from 'zod';
import { DomainError, type Scope } from '../../kernel/index.ts';
import type { Reader } from '../../platform/listing/index.ts';
import { encodeEntities, encodeHeader, featuresOf } from './feed.ts';
import { listFeed } from './feed.queries.ts';

/** A feed as it is answered. */
export interface Feed {
  readonly type: string;
  /** Of the vehicles: it stays while none of them has changed. */
  readonly tag: string;
  readonly parts: readonly (Uint8Array | string)[];
}

/**
 * The newest positions for programs of others (RPM-06).
 * @throws DomainError `positions.too_many`
 */
export async function readFeed(
  reader: Reader,
  scope: Scope,
  { format = 'gtfs-rt', group, routes, maxAge = positionFeed.FEED_MAX_AGE_SECONDS }: z.output<typeof positionFeed.feed.query>,
  now: Date,
): Promise<Feed> {
  const vehicles = await listFeed(reader, scope, { group, since: new Date(now.getTime() - maxAge * 1_000) });
  if (vehicles.length > positionFeed.MOST_IN_FEED) throw new DomainError('positions.too_many');
  const type = positionFeed.feedTypes[format];
  if (format === 'geojson') {
    const features = featuresOf(vehicles);
    return { type, tag: tagOf(features), parts: [`{"type":"FeatureCollection","features":${features}}`] };
  }
  const entities = encodeEntities(vehicles, routes === 'groups');
  return { type, tag: tagOf(entities), parts: [encodeHeader(Math.floor(now.getTime() / 1_000)), entities] };
}

const tagOf = (content: Uint8Array | string) => hash('sha256', content, 'base64url').slice(0, 22);
