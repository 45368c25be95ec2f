/** The texts of the content and of what is open above it, for a failure: the DOM itself would be thousands of lines. */
export function shownTexts(): string {
  const texts: string[] = [];
  for (const part of document.querySelectorAll('main, dialog[open], .toasts')) {
    const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) texts.push(node.textContent ?? '');
  }
  return texts.filter((text) => text.trim() !== '').join(' | ');
}
