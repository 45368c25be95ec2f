export type Act =
  | 'enter'
  | 'interrupt'
  | 'end-of-input'
  | 'complete'
  | 'clear'
  | 'older'
  | 'newer'
  | 'back'
  | 'delete'
  | 'cut-left'
  | 'cut-right'
  | 'cut-word'
  | 'left'
  | 'right'
  | 'home'
  | 'end';

/** Key codes of terminals: control characters, and the sequences of xterm in both of its modes. */
export const KEYS: { readonly [key: string]: Act } = {
  '\r': 'enter',
  '\n': 'enter',
  '\r\n': 'enter',
  '\u0003': 'interrupt',
  '\u0004': 'end-of-input',
  '\t': 'complete',
  '\u000C': 'clear',
  '\u0010': 'older',
  '\u001B[A': 'older',
  '\u001BOA': 'older',
  '\u000E': 'newer',
  '\u001B[B': 'newer',
  '\u001BOB': 'newer',
  '\u007F': 'back',
  '\b': 'back',
  '\u001B[3~': 'delete',
  '\u0015': 'cut-left',
  '\u000B': 'cut-right',
  '\u0017': 'cut-word',
  '\u0002': 'left',
  '\u001B[D': 'left',
  '\u001BOD': 'left',
  '\u0006': 'right',
  '\u001B[C': 'right',
  '\u001BOC': 'right',
  '\u0001': 'home',
  '\u001B[H': 'home',
  '\u001BOH': 'home',
  '\u001B[1~': 'home',
  '\u0005': 'end',
  '\u001B[F': 'end',
  '\u001BOF': 'end',
  '\u001B[4~': 'end',
};
