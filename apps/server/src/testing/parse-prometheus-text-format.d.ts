declare module 'parse-prometheus-text-format' {
  /** A metric with its samples. */
  export interface MetricFamily {
    readonly name: string;
    readonly help: string;
    /** In capitals. */
    readonly type: string;
    readonly metrics: readonly { readonly value: string; readonly labels?: Readonly<Record<string, string>> }[];
  }
  export default function parsePrometheusTextFormat(text: string): MetricFamily[];
}
