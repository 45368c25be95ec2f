export interface Facts {
  readonly files: readonly string[];
  readonly read: (file: string) => string;
  readonly exists: (path: string) => boolean;
  readonly scripts: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
  readonly sections: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
  readonly metrics: ReadonlySet<string>;
  readonly labels: string;
}

export function falseClaimsIn(file: string, text: string, facts: Facts): string[];
export function unnamedVariables(code: string, documents: string, without?: ReadonlyMap<string, string>): string[];
export function findFalseClaims(): string[];
