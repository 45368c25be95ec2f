/** Why a request is rejected, as RFC 7644, 3.12 names it. */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue';

/** A request that is answered with an error of RFC 7644. */
export class ScimFailure extends Error {
  readonly status: number;
  readonly scimType: ScimType | undefined;

  constructor(status: number, detail: string, scimType?: ScimType) {
    super(detail);
    this.name = 'ScimFailure';
    this.status = status;
    this.scimType = scimType;
  }
}

/** A 400 with its reason. */
export const badRequest = (scimType: ScimType, detail: string): ScimFailure => new ScimFailure(400, detail, scimType);
