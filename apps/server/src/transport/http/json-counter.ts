/** The most that a JSON body may have: values of all lists and objects together, and keys among them. */
export interface JsonLimits {
  readonly values: number;
  readonly keys: number;
}

/** No call of ours nests deeper than a few levels; a deeper body is an attempt to overflow the stack. */
const MAX_DEPTH = 50;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Counts the text of JSON while it arrives, before anything is parsed: a megabyte holds half a million values, and parsing and
 * validating them takes far longer than reading their text. Text that is no JSON is counted too; parsing rejects it.
 */
export class JsonCounter {
  readonly #limits: JsonLimits;
  #values = 0;
  #keys = 0;
  #depth = 0;
  #isText = false;
  #isEscaped = false;

  constructor(limits: JsonLimits) {
    this.#limits = limits;
  }

  /** @returns the limit that the text up to here exceeds */
  add(chunk: Uint8Array): 'values' | 'depth' | undefined {
    const { values, keys } = this.#limits;
    let isText = this.#isText;
    let isEscaped = this.#isEscaped;
    for (let index = 0; index < chunk.length; index++) {
      const byte = chunk[index];
      if (isText) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isText = false;
      } else if (byte === QUOTE) isText = true;
      else if (byte === COMMA) this.#values += 1;
      else if (byte === COLON) this.#keys += 1;
      else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
        this.#values += 1;
        this.#depth += 1;
        if (this.#depth > MAX_DEPTH) return 'depth';
      } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) this.#depth -= 1;
    }
    this.#isText = isText;
    this.#isEscaped = isEscaped;
    return this.#values > values || this.#keys > keys ? 'values' : undefined;
  }
}
