/**
 * A document whose new `style` elements are constructed style sheets instead. The library of the terminal writes its sizes and colors into
 * such elements, which our content security policy rejects as it rejects injected ones; a constructed sheet needs code that already runs.
 * @param page the document behind it @param sheets receives the sheets, for their removal
 */
export function documentForSheets(page: Document, sheets: CSSStyleSheet[]): Document {
  const createElement = (name: string): HTMLElement => {
    const element = page.createElement(name);
    if (name !== 'style') return element;
    const sheet = new CSSStyleSheet();
    sheets.push(sheet);
    page.adoptedStyleSheets = [...page.adoptedStyleSheets, sheet];
    Object.defineProperty(element, 'textContent', {
      set(css: string) {
        sheet.replaceSync(css);
      },
    });
    return element;
  };
  return new Proxy(page, {
    get(target, name) {
      if (name === 'createElement') return createElement;
      const value = Reflect.get(target, name, target) as unknown;
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
