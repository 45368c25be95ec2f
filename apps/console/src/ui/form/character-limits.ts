import { lengthOf } from '@highline/contract';

/** The limit of a field in characters, and what its attribute was last set to. */
const limits = new WeakMap<HTMLInputElement | HTMLTextAreaElement, { readonly characters: number; readonly attribute: number }>();

/** Let text fields take as many characters as `maxLength` says: browsers count an emoji as two. */
export function limitByCharacters(root: Document): void {
  root.addEventListener('beforeinput', (event) => {
    const field = event.target;
    if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) || field.maxLength < 0) return;
    const before = limits.get(field);
    const characters = before?.attribute === field.maxLength ? before.characters : field.maxLength;
    const text = field.value + (event.data ?? '');
    field.maxLength = characters + text.length - lengthOf(text);
    limits.set(field, { characters, attribute: field.maxLength });
  });
}
