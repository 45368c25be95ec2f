/**
 * A measured number with six digits after the point: without the binary fraction that multiplying leaves, and never so small that a column
 * of type `real` cannot hold it. Whole numbers stay exact: counters of bytes are larger than what could be multiplied without loss.
 */
export function roundMeasured(value: number): number {
  // Adding zero makes -0 a plain 0; what is no number stays none.
  return (Number.isInteger(value) ? value : Math.round(value * 1e6) / 1e6) + 0;
}
