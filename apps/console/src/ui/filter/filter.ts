/** One way to narrow a list. */
export interface Filter {
  readonly name: string;
  readonly label: string;
  /** The first option means no filter ('All status') and has the value ''. Empty without `onFind`: the filter is set elsewhere and only shown as a chip. */
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly value: string | undefined;
  /** The chip's text if the chosen value is not among the options (yet). */
  readonly shown?: string | undefined;
  /** The caller searches: it receives the typed text, and '' when the list closes. `options` are the results. */
  readonly onFind?: (text: string) => void;
  /** Shown below the options, for example that there are more. */
  readonly note?: string | undefined;
}
