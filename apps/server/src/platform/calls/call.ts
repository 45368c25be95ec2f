import type { Readable } from 'node:stream';
import type { FailureKey, Operation, ScopeKind } from '@highline/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Actor, MainScope, OrganizationScope, Scope } from '../../kernel/scope.ts';
import type { JsonText } from './json-text.ts';

/** A file from a multipart body, spooled to disk and deleted after the call. */
export interface UploadedFile {
  readonly path: string;
  /** Name chosen by the sender; untrusted text. */
  readonly name: string;
  readonly bytes: number;
}

type ScopeOf<S extends ScopeKind> = S extends 'organization'
  ? OrganizationScope
  : S extends 'main'
    ? MainScope
    : S extends 'tenant'
      ? Scope
      : undefined;

// oxlint-disable-next-line typescript/no-explicit-any -- `any` stands for "whatever schema" where variance forbids `unknown`
export type AnyOperation = Operation<any, any, any, any, any, any>;

/** One validated call: everything in it has been checked once. */
export interface Call<O extends AnyOperation> {
  readonly params: z.output<O['params']>;
  readonly query: z.output<O['query']>;
  readonly body: z.output<O['body']>;
  readonly actor: O['scope'] extends 'public' ? undefined : Actor;
  readonly scope: ScopeOf<O['scope']>;
  readonly file: UploadedFile | undefined;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Client address, with trusted proxies resolved. */
  readonly address: string;
}

/** The result of a handler: an object of the response's shape, or a stream or text that already has that shape (whole lists, files). */
export type CallResponse<O extends AnyOperation> = O['sends'] extends 'file'
  ? Readable
  : O['sends'] extends 'events'
    ? void
    : z.input<O['response']> | Readable | JsonText;

export type Handler<O extends AnyOperation> = (call: Call<O>) => Promise<CallResponse<O>>;

/** The largest file a multipart call accepts, and the error above it. */
export interface UploadLimit {
  readonly maxBytes: number;
  readonly tooLarge: FailureKey;
}

/** Registers the calls of a domain with the server. */
export interface Routes {
  /** @param limit of the file of a multipart call; left out: the default limit */
  on<O extends AnyOperation>(operation: O, handler: Handler<O>, limit?: UploadLimit): void;
}
