import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { properties as calls } from '@highline/contract';
import { DomainError } from '../../failure.ts';
import type { Routes } from '../../http/call.ts';
import {
  addProperty,
  listHeld,
  listProperties,
  openPicture,
  setPicture,
  setValue,
  type HeldProperty,
  type PropertyDeps,
} from './properties.service.ts';

/** Registers the calls of custom properties (OLD-02). */
export function registerPropertyRoutes(routes: Routes, deps: PropertyDeps): void {
  routes.on(calls.listProperties, async ({ scope }) => ({ result: await listProperties(deps, scope) }));

  routes.on(calls.addProperty, async ({ scope, actor, body }) => ({ result: await addProperty(deps, scope, actor, body) }));

  routes.on(calls.deviceProperties, async ({ scope, query }) => ({
    result: (await listHeld(deps, scope, query.device)).map(heldWire),
  }));

  routes.on(calls.setProperty, async ({ scope, actor, params, body }) => ({
    result: heldWire(await setValue(deps, scope, actor, placeOf(params), body.value)),
  }));

  routes.on(
    calls.uploadPicture,
    async ({ scope, actor, params, file }) => {
      if (file === undefined) throw new DomainError('property.picture_type', { field: 'picture' });
      const contents = await readFile(file.path);
      return { result: heldWire(await setPicture(deps, scope, actor, placeOf(params), contents)) };
    },
    { maxBytes: calls.MAX_PICTURE_BYTES, tooLarge: 'property.picture_too_large' },
  );

  routes.on(calls.readPicture, async ({ scope, params, reply }) => {
    const { type, contents } = await openPicture(deps, scope, params.device, params.property);
    // Shown where it is asked for, as what its bytes say it is and as nothing else, and in no cache that outlives the session.
    reply
      .header('content-type', type)
      .header('content-length', contents.length)
      .header('content-disposition', 'inline')
      .header('x-content-type-options', 'nosniff')
      .header('cache-control', 'no-store');
    return Readable.from([contents]);
  });
}

function placeOf({ property: key, device: deviceId }: { readonly property: string; readonly device: string }) {
  return { key, deviceId };
}

function heldWire(held: HeldProperty): calls.DeviceProperty {
  const { key, name, type, unit, value, picture_type: pictureType, picture_size: size, picture_sha256: sha256 } = held;
  const isPicture = pictureType !== null && size !== null && sha256 !== null;
  return {
    key,
    name,
    type,
    unit,
    value,
    picture: isPicture ? { type: pictureType, size, sha256: sha256.toString('hex') } : null,
  };
}
