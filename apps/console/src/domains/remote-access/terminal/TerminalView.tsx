import { FitAddon } from '@xterm/addon-fit';
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { openScreen } from '../../../ui/terminal/open-screen.ts';
import { openTerminalSocket } from './terminal-socket.ts';

export interface TerminalViewProps {
  readonly ticket: string;
  readonly label: string;
  readonly onEnd: (reason: string) => void;
  /** The key F6 was pressed. */
  readonly onLeave: () => void;
}

/** Draw a shell and send what is typed. The key F6 leaves it, because Tab belongs to the shell. */
function startTerminal(host: HTMLElement, { ticket, label, onEnd, onLeave }: TerminalViewProps): () => void {
  const { terminal, close } = openScreen(host, label, {});
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  terminal.attachCustomKeyEventHandler(({ key, type }) => {
    if (key !== 'F6') return true;
    if (type === 'keydown') onLeave();
    return false;
  });
  const socket = openTerminalSocket(ticket, {
    onOpen: () => socket.resize(terminal.cols, terminal.rows),
    onOutput: (bytes, shown) => terminal.write(bytes, shown),
    onEnd,
  });
  terminal.onData((text) => socket.type(text));
  // The position of the mouse, each character one byte: as text, those beyond column 95 would be two.
  terminal.onBinary((bytes) => socket.type(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))));
  terminal.onResize(({ cols, rows }) => socket.resize(cols, rows));
  const observer = new ResizeObserver(() => fit.fit());
  observer.observe(host);
  fit.fit();
  terminal.focus();
  return () => {
    observer.disconnect();
    socket.close();
    close();
  };
}

/** The shell of a router in a file of its own, with the library that draws it (LIV-07). */
export default function TerminalView({ ticket, label, onEnd, onLeave }: TerminalViewProps): ReactNode {
  const host = useRef<HTMLDivElement>(null);
  const end = useEffectEvent(onEnd);
  const leave = useEffectEvent(onLeave);
  useEffect(() => {
    if (host.current === null) return undefined;
    const element = host.current;
    let stop: (() => void) | undefined;
    // Not at once: in development React mounts twice, and a ticket works once.
    const timer = setTimeout(() => {
      stop = startTerminal(element, { ticket, label, onEnd: (reason) => end(reason), onLeave: () => leave() });
    });
    return () => {
      clearTimeout(timer);
      stop?.();
    };
  }, [ticket, label]);
  return <div ref={host} className="terminal" />;
}
