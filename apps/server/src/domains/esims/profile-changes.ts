import { isPreloadedCode, normalizeIccid, parseActivationCode, type ActivationCode } from '@highline/usp';
import { DomainError } from '../../kernel/index.ts';
import type { AddOutcome } from './adding.ts';
import type { CodeSeal } from './code.seal.ts';
import { confirmationOf } from './confirmation.ts';
import type { LockedProfile, ProfileChange } from './esims.store.ts';
import { codeOf } from './profile.dto.ts';
import { validateIccid } from './validate-profile.ts';

/** Field names of the API, by the validator's names. */
const apiFields: { readonly [name: string]: string } = { code: 'ac', confirmation: 'confirmationCode' };

export function rejectionOf(outcome: AddOutcome | undefined): DomainError {
  if (outcome === undefined || !('fault' in outcome)) return new DomainError('esim.serial_unknown');
  const { fault, field, message, doubt } = outcome;
  const plain = new DomainError(fault, message === undefined ? {} : { message });
  return new DomainError(fault, { ...plain.more, field: apiFields[field] ?? field, detail: doubt ?? plain.message });
}

/** A requested change; omitted fields stay. */
export interface ProfileEdit {
  readonly name?: string | undefined;
  readonly apn1?: string | undefined;
  readonly apn2?: string | undefined;
  readonly priority?: number | undefined;
  readonly ac?: string | undefined;
  /** '' = unchanged. */
  readonly confirmationCode?: string | undefined;
  readonly iccid?: string | undefined;
  /** The ICCID as a person has confirmed it. */
  readonly iccidConfirmed?: string | undefined;
}

/** The effective change; empty when nothing changes. */
export function changeOf(row: LockedProfile, input: ProfileEdit, codes: CodeSeal): ProfileChange {
  const { name, apn1: apn, apn2, priority } = input;
  if (apn === '' && row.apn !== '') throw new DomainError('request.invalid', { message: 'APN1 is required.', field: 'apn1' });
  return {
    ...(name === undefined || name === row.name || row.is_preloaded ? {} : { name }),
    ...(apn === undefined || apn === row.apn ? {} : { apn }),
    ...(apn2 === undefined || apn2 === row.apn2 ? {} : { apn2 }),
    ...(priority === undefined || priority === row.priority ? {} : { priority }),
    ...iccidChange(row, input),
    ...codesChange(row, input, codes),
  };
}

/** Only for a preloaded profile that could not be set up, because its ICCID was typed wrong. */
function iccidChange(
  row: LockedProfile,
  { iccid: typed, iccidConfirmed }: Pick<ProfileEdit, 'iccid' | 'iccidConfirmed'>,
): Pick<ProfileChange, 'iccid'> {
  if (typed === undefined || typed === row.iccid || normalizeIccid(typed) === row.iccid) return {};
  if (!row.is_preloaded || row.status !== 'Fail to download') throw new DomainError('esim.iccid_fixed', { field: 'iccid' });
  const iccid = validateIccid(typed, iccidConfirmed);
  if (typeof iccid !== 'string') throw rejectionOf(iccid);
  return iccid === row.iccid ? {} : { iccid };
}

/** Only for a profile that is neither on its router nor on the way there. A confirmation code belongs to its activation code. */
function codesChange(
  row: LockedProfile,
  { ac, confirmationCode }: ProfileEdit,
  codes: CodeSeal,
): Pick<ProfileChange, 'sealed_code' | 'sealed_confirmation'> {
  const code = newCode(row, ac, codes);
  if (code === undefined) return confirmationChange(row, confirmationCode, codes);
  const confirmation = confirmationOf(code, confirmationCode);
  if (confirmation === undefined) throw new DomainError('esim.confirmation_required', { field: 'confirmationCode' });
  const isBare = confirmation === null && row.sealed_confirmation === null;
  return {
    sealed_code: codes.seal(row.id, code.text),
    ...(isBare ? {} : { sealed_confirmation: sealConfirmation(row, confirmation, codes) }),
  };
}

const isOpen = (row: LockedProfile) => !row.is_preloaded && row.path === null && row.step === null;

/** @returns undefined when it is unchanged */
function newCode(row: LockedProfile, typed: string | undefined, codes: CodeSeal): ActivationCode | undefined {
  if (typed === undefined || typed === '') return undefined;
  if (row.is_preloaded && isPreloadedCode(typed)) return undefined;
  const code = parseActivationCode(typed);
  if (code !== undefined && code.text === codeOf(row, codes)) return undefined;
  if (!isOpen(row)) throw new DomainError('esim.code_fixed', { field: 'ac' });
  if (code === undefined) throw new DomainError('esim.code_invalid', { field: 'ac' });
  return code;
}

function confirmationChange(
  row: LockedProfile,
  typed: string | undefined,
  codes: CodeSeal,
): Pick<ProfileChange, 'sealed_confirmation'> {
  if (typed === undefined || typed === '') return {};
  const { id, sealed_code: code, sealed_confirmation: sealed } = row;
  if (sealed !== null && codes.confirmation.open(id, sealed) === typed) return {};
  if (!isOpen(row) || code === null) throw new DomainError('esim.confirmation_fixed', { field: 'confirmationCode' });
  return { sealed_confirmation: sealConfirmation(row, typed, codes) };
}

function sealConfirmation({ id }: LockedProfile, text: string | null, codes: CodeSeal): Buffer | null {
  return text === null ? null : codes.confirmation.seal(id, text);
}
