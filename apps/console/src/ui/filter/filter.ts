/** One way to narrow a list. */
export interface Filter {
  readonly name: string;
  readonly label: string;
  /** The first stands for no filter ('All status') and has the value ''. None: it is set elsewhere and shows as a chip alone. */
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly value: string | undefined;
  /** What the chip says where the chosen value is not among the options (yet). */
  readonly shown?: string | undefined;
}
