declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  /** The part of the library that our test provider uses. */
  export class Provider {
    constructor(issuer: string, configuration: object);
    callback(): RequestListener;
  }
}
