import { z } from 'zod';
import { positionRejections } from '../positions/position-faults.ts';

const count = z.number().int();
/** Where it happened most: the middle of a hexagon of about 1 km across, degrees. */
export const lossPlace = z.object({ latitude: z.number(), longitude: z.number(), losses: count });

const common = {
  /** Since when it holds, as far as it is known: epoch seconds. */
  since: z.number(),
};

/** Something that was found about a device, with what it was concluded from (SAY-02). */
export const finding = z.discriminatedUnion('kind', [
  z.object({ ...common, kind: z.literal('identity'), cause: z.enum(['identity-shared', 'serial-mismatch']) }),
  /** The least mean of an hour, the limit for this supply, and in how many hours it was below. */
  z.object({ ...common, kind: z.literal('supply'), volts: z.number(), limit: z.number(), hours: count }),
  /** Mean difference to the others (negative: worse), over so many reports in so many hexagons. */
  z.object({ ...common, kind: z.literal('antenna'), db: z.number(), samples: count, cells: count }),
  z.object({ ...common, kind: z.literal('restarts'), restarts: count, inHour: count }),
  /** `profile`: it failed. `missing`: the router reports no SIM any more. `idle`: signal, and no data for so many hours. */
  z.object({ ...common, kind: z.literal('sim'), cause: z.enum(['profile', 'missing', 'idle']), hours: count.nullable() }),
  z.object({ ...common, kind: z.literal('storage') }),
  z.object({ ...common, kind: z.literal('heat'), celsius: z.number(), limit: z.number() }),
  z.object({ ...common, kind: z.literal('unstable'), losses: count, minutes: count }),
  /** In 24 hours; `place` = where most of them were, if the places are known and the caller may read positions. */
  z.object({ ...common, kind: z.literal('drops'), losses: count, place: lossPlace.nullable() }),
  z.object({ ...common, kind: z.literal('position'), reason: z.enum(positionRejections), count }),
  /** Of all in 24 hours, those in one place, and how often others lost theirs there in a week; null = the caller may not read positions. */
  z.object({ ...common, kind: z.literal('place'), losses: count, place: lossPlace.nullable(), others: count }),
  /** Ahead of ours; negative: behind. 2,147,484 either way = it is not set. */
  z.object({ ...common, kind: z.literal('clock'), seconds: count }),
]);
export type Finding = z.infer<typeof finding>;
