import { nothingChosen, parseChoice, type StockChoice } from './stock.ts';

/** The steps of the wizard, in their order (ORG-03). */
export const steps = ['info', 'devices', 'summary'] as const;
export type Step = (typeof steps)[number];

/** Where the devices of step 2 come from: chosen from the stock, or named by a CSV. */
export const sources = ['stock', 'file'] as const;
export type Source = (typeof sources)[number];

/** The state the wizard keeps across a reload. */
export interface Draft {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly address: string;
  /** The email field was changed or left. */
  readonly touched: boolean;
  /** Sent with every try, so that the same form never creates two organizations. */
  readonly requestKey: string;
  /** The last step that the ones before it allow. */
  readonly reached: Step;
  /** Name of the chosen file; the file itself cannot be kept. */
  readonly fileName: string;
  /** Only the devices of this one are sent; the other choice is kept. */
  readonly source: Source;
  readonly stock: StockChoice;
}

/** The columns that a file must have, and a row as its example (DECISIONS: the wizard shows the MAC with colons). */
export const COLUMNS = ['SN', 'MAC'] as const;
export const EXAMPLE = ['HL26A10432', '00:B2:D0:56:C2:27'] as const;

/** A new request key: a UUID, made so that it also works on a page without TLS. */
export function newRequestKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/u, '$1-$2-$3-$4-');
}

/** A wizard without input. */
export function emptyDraft(requestKey: string): Draft {
  const contact = { name: '', email: '', phone: '', address: '', touched: false };
  return { ...contact, requestKey, reached: 'info', fileName: '', source: 'stock', stock: nothingChosen };
}

/** A draft found in the browser's storage; undefined for anything else. */
export function parseDraft(stored: unknown): Draft | undefined {
  if (typeof stored !== 'object' || stored === null) return undefined;
  const fields = stored as Readonly<Record<keyof Draft, unknown>>;
  const { name, email, phone, address, touched, requestKey, fileName } = fields;
  const reached = steps.find((step) => step === fields.reached);
  const isText = [name, email, phone, address, requestKey, fileName].every((text) => typeof text === 'string');
  const source = sources.find((one) => one === fields.source);
  const stock = parseChoice(fields.stock);
  if (!isText || typeof touched !== 'boolean' || !reached || !source || !stock) return undefined;
  return { ...(fields as Draft), reached, source, stock };
}

/** True once the first step is complete: the email field was touched, name and contact are given (ORG-03). */
export function isFilled({ name, email, touched }: Draft): boolean {
  return touched && name.trim() !== '' && email.trim() !== '';
}

/** True when there is something to lose. */
export function isStarted({ name, email, phone, address, fileName, stock }: Draft): boolean {
  return stock.routers.length > 0 || [name, email, phone, address, fileName].some((text) => text !== '');
}

/** The step to show for an address: never one whose earlier steps are incomplete; a file lost in a reload must be chosen again. */
export function stepOf(requested: Step | undefined, draft: Draft, hasFile: boolean): Step {
  const isLost = draft.source === 'file' && draft.fileName !== '' && !hasFile;
  const furthest = Math.min(steps.indexOf(draft.reached), isLost ? 1 : 2);
  return steps[Math.min(steps.indexOf(requested ?? 'info'), furthest)]!;
}

/** True when an account may create organizations, by the permissions of its first scope. */
export function mayCreate(permissions: readonly string[]): boolean {
  return permissions.includes('create.theSameVendor');
}
