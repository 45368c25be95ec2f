/** A response that is written already, as JSON of the response's shape: one that was needed as text before, and is long. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
