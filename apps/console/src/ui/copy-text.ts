/**
 * Copy a text. Plain http has no clipboard, and a browser or a policy may not allow it: there the selection is copied as before.
 * @param near an element of the same dialog: outside of it nothing can be selected
 * @returns whether it was copied
 */
export async function copyText(text: string, near: HTMLElement): Promise<boolean> {
  try {
    if (navigator.clipboard !== undefined) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    // Not allowed.
  }
  const field = document.createElement('textarea');
  field.value = text;
  field.style.position = 'fixed';
  field.style.opacity = '0';
  (near.closest('dialog') ?? document.body).append(field);
  field.select();
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    field.remove();
    near.focus();
  }
}
