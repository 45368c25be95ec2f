/** Why a position, or a document with one, is rejected. */
export const positionRejections = [
  /** Not a place on the earth. */
  'outside',
  /** 0° north, 0° east: what receivers report that have no fix. */
  'zero',
  'future',
  /** More than ten years old: the clock of the receiver is wrong. */
  'old',
  /** Older than the days that are stored. */
  'expired',
  /** A second position of one second, or more in one notification than are read. */
  'too_many',
  /** Not as our trail writes it. */
  'malformed',
  /** A document that is larger than TR-181 allows. */
  'too_large',
  /** A document with a type or entities. */
  'doctype',
  'not_xml',
  /** XML, without a location in the namespaces of PIDF-LO. */
  'namespace',
  /** PIDF-LO in a shape or a coordinate system that is not read. */
  'shape',
] as const;
export type PositionRejection = (typeof positionRejections)[number];
/** Those that are no everyday matter of a receiver. */
export const unexpectedRejections = positionRejections.filter((reason) => reason !== 'zero' && reason !== 'too_many');

/** What is wrong with the time of positions that are stored with another one. */
export const positionCorrections = [
  /** A multiple of 1,024 weeks too old: the receiver has the week numbers of GPS wrong. */
  'week-rollover',
  /** Local time, reported as UTC. */
  'local-time',
] as const;
export type PositionCorrection = (typeof positionCorrections)[number];
export const positionFaultReasons = [...positionRejections, ...positionCorrections] as const;
