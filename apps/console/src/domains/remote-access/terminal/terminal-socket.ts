import { remoteAccess } from '@highline/contract';

const PIECE_BYTES = 16 * 1024;

export interface TerminalSocket {
  /** Send what was typed or pasted, in pieces as fast as the router takes them. */
  type(typed: string | Uint8Array<ArrayBuffer>): void;
  resize(cols: number, rows: number): void;
  close(): void;
}

export interface TerminalListeners {
  readonly onOpen: () => void;
  /** Call `shown` once the bytes are on the screen: the router waits for a browser that is behind. */
  readonly onOutput: (bytes: Uint8Array, shown: () => void) => void;
  /** Not after a `close` of our own. @param reason a `TerminalEnd`, or empty when the connection to the server broke */
  readonly onEnd: (reason: string) => void;
}

/** The WebSocket of a terminal (LIV-07). @param ticket valid once; it is in no address, because addresses are logged */
export function openTerminalSocket(ticket: string, { onOpen, onOutput, onEnd }: TerminalListeners): TerminalSocket {
  const url = new URL(remoteAccess.TERMINAL_PATH, location.href);
  url.protocol = url.protocol.replace('http', 'ws');
  const socket = new WebSocket(url, [remoteAccess.TERMINAL_PROTOCOL, ticket]);
  socket.binaryType = 'arraybuffer';
  const encoder = new TextEncoder();
  let pasted: Uint8Array<ArrayBuffer>[] = [];
  let hasLeft = false;
  /** Bytes sent that the router has not taken yet. */
  let untaken = 0;

  const send = (message: remoteAccess.TerminalMessage): void => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };
  const flush = (): void => {
    while (pasted.length > 0 && untaken < remoteAccess.TERMINAL_TYPED) {
      const piece = pasted.shift()!;
      untaken += piece.length;
      socket.send(piece);
    }
  };

  socket.addEventListener('open', onOpen);
  socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (!(data instanceof ArrayBuffer)) {
      untaken -= (JSON.parse(String(data)) as remoteAccess.TerminalTaken).taken;
      flush();
      return;
    }
    onOutput(new Uint8Array(data), () => send({ shown: data.byteLength }));
  });
  socket.addEventListener('close', ({ reason }) => {
    pasted = [];
    if (!hasLeft) onEnd(reason);
  });
  return {
    type(typed) {
      if (socket.readyState !== WebSocket.OPEN) return;
      const bytes = typeof typed === 'string' ? encoder.encode(typed) : typed;
      for (let at = 0; at < bytes.length; at += PIECE_BYTES) pasted.push(bytes.slice(at, at + PIECE_BYTES));
      flush();
    },
    resize: (cols, rows) => send({ cols, rows }),
    close() {
      hasLeft = true;
      socket.close();
    },
  };
}
