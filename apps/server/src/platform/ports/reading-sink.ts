/** A part of what is copied, as lines of JSON. */
export interface SinkMessage {
  /** The same whenever this part is sent again; another one for any other part. */
  readonly id: string;
  /** One JSON object per line, each ended by a line feed. */
  readonly lines: string;
}

/** Takes copies of readings, outside of this installation. */
export interface ReadingSink {
  /**
   * Hand over messages, in order.
   * @param signal ends the attempt
   * @throws Error unless all of them are confirmed: any of them may have arrived, and all are sent again
   */
  send(messages: readonly SinkMessage[], signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}
