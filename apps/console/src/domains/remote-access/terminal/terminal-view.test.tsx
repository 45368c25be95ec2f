// @vitest-environment happy-dom
import { render } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

// Elsewhere a stand-in takes its place.
const { default: TerminalView } = await vi.importActual<typeof import('./TerminalView.tsx')>('./TerminalView.tsx');

const screen = vi.hoisted(() => ({ sendBinary: undefined as ((bytes: string) => void) | undefined }));

vi.mock('../../../ui/terminal/open-screen.ts', () => ({
  openScreen: () => {
    const ignore = () => undefined;
    const terminal = { loadAddon: ignore, attachCustomKeyEventHandler: ignore, onData: ignore, onResize: ignore, focus: ignore };
    return { terminal: { ...terminal, onBinary: (send: (bytes: string) => void) => (screen.sendBinary = send) }, close: ignore };
  },
}));

/** A connection that is open, and what was sent through it. */
class OpenSocket extends EventTarget {
  static readonly OPEN = 1;
  static readonly sent: unknown[] = [];
  readonly readyState = 1;
  send(frame: unknown): void {
    OpenSocket.sent.push(frame);
  }
  close(): void {}
}

test('LIV-07-partial a click beyond column 95 reaches the router as the bytes that the terminal reports', async () => {
  vi.stubGlobal('WebSocket', OpenSocket);
  render(<TerminalView ticket="ticket" label="Terminal" onEnd={() => {}} onLeave={() => {}} />);
  await vi.waitFor(() => expect(screen.sendBinary).toBeDefined());
  // Column 120, row 10 (xterm, X10 mouse reporting).
  screen.sendBinary!('\u001B[M \u0098*');
  expect(OpenSocket.sent).toEqual([Uint8Array.of(0x1b, 0x5b, 0x4d, 0x20, 0x98, 0x2a)]);
});
