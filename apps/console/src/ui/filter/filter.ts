/** One way to narrow a list. */
export interface Filter {
  readonly name: string;
  readonly label: string;
  /** The first stands for no filter ('All status') and has the value ''. None: it is set elsewhere and shows as a chip alone. */
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly value: string | undefined;
  /** What the chip says where the chosen value is not among the options (yet). */
  readonly shown?: string | undefined;
  /** The caller searches: told what is typed, and '' when the list closes. `options` are what it found. */
  readonly onFind?: (text: string) => void;
  /** Said below the options: that there are more, for instance. */
  readonly note?: string | undefined;
}
