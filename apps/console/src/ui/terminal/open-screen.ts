import { type ITerminalOptions, Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import { documentForSheets } from './document-for-sheets.ts';
import './screen.css';

/** Dark in both color schemes, as the programs of routers expect it. */
const theme = { background: '#10161d', foreground: '#e6ebf0', cursor: '#e6ebf0', selectionBackground: '#3b5673' };

/** What a shell shows, in an element. The library is large: import this only from a part that is loaded when it is needed. */
export function openScreen(host: HTMLElement, label: string, options: ITerminalOptions): { terminal: Terminal; close(): void } {
  const sheets: CSSStyleSheet[] = [];
  const terminal = new Terminal({
    documentOverride: documentForSheets(document, sheets),
    fontFamily: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Noto Sans Mono CJK TC", monospace',
    fontSize: 14,
    cursorBlink: false,
    minimumContrastRatio: 4.5,
    // A router must not lead a person to an address of its choice (OSC 8).
    linkHandler: { activate: () => {} },
    screenReaderMode: true,
    scrollback: 5_000,
    theme,
    ...options,
  });
  terminal.open(host);
  terminal.textarea?.setAttribute('aria-label', label);
  return {
    terminal,
    close() {
      terminal.dispose();
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => !sheets.includes(sheet));
    },
  };
}
