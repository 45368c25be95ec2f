import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { properties as calls } from '@highline/contract';
import { DomainError } from '../../kernel/failure.ts';
import { ifMatch, tagResponse, type Routes } from '../../platform/calls/index.ts';
import { toStoredPropertyDto } from './stored-property.dto.ts';
import {
  addProperty,
  listStored,
  listProperties,
  openPicture,
  setPicture,
  setValue,
  type PropertyDeps,
} from './properties.service.ts';

/** Registers the operations on custom properties (OLD-02). */
export function registerPropertyRoutes(routes: Routes, deps: PropertyDeps): void {
  routes.on(calls.listProperties, async ({ scope }) => ({ result: await listProperties(deps, scope) }));

  routes.on(calls.addProperty, async ({ scope, actor, body }) => ({ result: await addProperty(deps, scope, actor, body) }));

  routes.on(calls.deviceProperties, async ({ scope, query }) => ({
    result: (await listStored(deps, scope, query.device)).map(toStoredPropertyDto),
  }));

  routes.on(calls.setProperty, async ({ scope, actor, params, body, request, reply }) => {
    const isCurrent = ifMatch(request.headers['if-match']);
    const result = toStoredPropertyDto(await setValue(deps, scope, actor, targetOf(params), body.value, isCurrent));
    tagResponse(reply, result.version);
    return { result };
  });

  routes.on(
    calls.uploadPicture,
    async ({ scope, actor, params, file, request, reply }) => {
      if (file === undefined) throw new DomainError('property.picture_type', { field: 'picture' });
      const isCurrent = ifMatch(request.headers['if-match']);
      const contents = await readFile(file.path);
      const result = toStoredPropertyDto(await setPicture(deps, scope, actor, targetOf(params), contents, isCurrent));
      tagResponse(reply, result.version);
      return { result };
    },
    { maxBytes: calls.MAX_PICTURE_BYTES, tooLarge: 'property.picture_too_large' },
  );

  routes.on(calls.readPicture, async ({ scope, params, reply }) => {
    const { type, contents } = await openPicture(deps, scope, params.device, params.property);
    // Served inline with the type of its bytes and no other, and in no cache that outlives the session.
    reply
      .header('content-type', type)
      .header('content-length', contents.length)
      .header('content-disposition', 'inline')
      .header('x-content-type-options', 'nosniff')
      .header('cache-control', 'no-store');
    return Readable.from([contents]);
  });
}

function targetOf({ property: key, device: deviceId }: { readonly property: string; readonly device: string }) {
  return { key, deviceId };
}
