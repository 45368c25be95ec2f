import { organizations } from '@highline/contract';
import { call } from '../../../api/client.ts';
import type { Language } from '../../../ui/language.ts';
import type { Draft } from './wizard.ts';

function bodyOf({ name, email, phone, address, requestKey }: Draft, language: Language) {
  return {
    name: name.trim(),
    phone: phone.trim(),
    address: address.trim(),
    contact: { email: email.trim() },
    requestKey,
    language,
  };
}

/** Find out whether the organization could be created; nothing is. */
export async function checkOrganization(draft: Draft, language: Language): Promise<void> {
  await call(organizations.createOrganization, { query: { dryRun: 'true' }, body: bodyOf(draft, language) });
}

/** Create the organization and invite its contact. @returns its id: the same one for every try with the same key */
export async function createOrganization(draft: Draft, language: Language): Promise<string> {
  return (await call(organizations.createOrganization, { body: bodyOf(draft, language) })).result.id;
}
