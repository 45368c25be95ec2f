import type { KeyObject } from 'node:crypto';
import type { Sealing } from '../../kernel/sealing.ts';
import type { Module } from '../../platform/modules/module.ts';
import { sealedFor } from '../../platform/modules/sealed-column.ts';
import { createCodeSeal } from './code.seal.ts';
import { registerEsimRoutes, type EsimRoutesDeps } from './esims.routes.ts';

const profile = { organization_id: 'uuid', device_id: 'uuid', id: 'uuid' } as const;

/** Codes are text for this domain. */
function codeSealing(which: 'activation' | 'confirmation') {
  return (masterKey: KeyObject): Sealing => {
    const codes = createCodeSeal(masterKey);
    const { seal, open } = which === 'activation' ? codes : codes.confirmation;
    return {
      seal: (id, contents) => seal(id, Buffer.from(contents).toString('utf8')),
      open: (id, sealed) => Buffer.from(open(id, sealed), 'utf8'),
    };
  };
}

export const esimsModule: Module<EsimRoutesDeps> = {
  open: registerEsimRoutes,
  sealed: [
    sealedFor('esim_profiles', 'sealed_code', profile, 'id', codeSealing('activation')),
    sealedFor('esim_profiles', 'sealed_confirmation', profile, 'id', codeSealing('confirmation')),
  ],
};
