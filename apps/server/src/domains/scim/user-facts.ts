import { isEmail, tidyEmail, type Language } from '@highline/contract';
import { nameOf } from '../identity-providers/index.ts';
import { badRequest } from './failure.ts';
import { isRecord } from './stored-values.ts';
import type { Document } from './resource.ts';

interface Facts {
  readonly userName: string;
  readonly externalId: string | null;
  readonly email: string;
  readonly name: string;
  readonly language: Language | undefined;
  readonly isActive: boolean;
  readonly content: Document;
}

/** Characters that are kept of a person; directories write some hundreds. */
const MOST_CONTENT = 32_000;

/** @param before it may be as large as it was @throws ScimFailure `invalidValue` for a person that is too large */
export function checkContent(content: Document, before: Document | null): void {
  const length = JSON.stringify(content).length;
  if (length > MOST_CONTENT && (before === null || length > JSON.stringify(before).length))
    throw badRequest('invalidValue', `A person may have ${MOST_CONTENT} characters.`);
}

/** What an account has of a document. @param address where it has none @throws ScimFailure `invalidValue` */
export function factsOf(document: Document, wasActive: boolean, address?: string): Facts {
  const { userName, externalId, active, ...content } = document;
  if (typeof userName !== 'string' || userName.trim() === '') throw badRequest('invalidValue', 'userName is required.');
  const email = addressOf(document, address ?? userName);
  const { displayName, name } = content;
  const parts = isRecord(name) ? name : {};
  const typed = displayName ?? parts['formatted'];
  return {
    userName,
    externalId: typeof externalId === 'string' ? externalId : null,
    email,
    name: nameOf({ name: typed, given_name: parts['givenName'], family_name: parts['familyName'] }, email),
    language: languageOf(content['preferredLanguage']),
    isActive: typeof active === 'boolean' ? active : wasActive,
    content,
  };
}

/** The address of an account: the primary one, that of work, any, or another one, such as the name of the person. */
function addressOf({ emails }: Document, other: string): string {
  const all = [emails ?? []].flat().filter(isRecord);
  const chosen = all.find(({ primary }) => primary === true) ?? all.find(({ type }) => type === 'work') ?? all[0];
  const text = typeof chosen?.['value'] === 'string' ? chosen['value'] : other;
  if (!isEmail(text)) throw badRequest('invalidValue', 'A person needs an e-mail address: in emails, or as userName.');
  return tidyEmail(text);
}

function languageOf(preferred: unknown): Language | undefined {
  if (typeof preferred !== 'string') return undefined;
  return /^zh/iu.test(preferred) ? 'zh-TW' : 'en-US';
}
